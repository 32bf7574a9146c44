// What goes over the wire, in the words of docs/protocol.md: a frame as the page has it, with nothing left out.

/** The version that this page speaks; a house that speaks another one has it loaded again. */
export const protocol = 3;

/** A letter from A to F; nobody is ''. */
export type Seat = string;
export type Aid = '' | 'marks' | 'all';
export type State = 'open' | 'running' | 'over';

/** What a set-up may ask of so many players; of any number, where none is named. */
interface Asked {
  name: string;
  players?: number[];
}
/** A number that a table may agree on, between `least` and `most`. */
export interface Option extends Asked {
  least: number;
  most: number;
  /** What counts where nothing is said; absent: the rulebook's own number. */
  usual?: number;
}
/** So many `of` these words that a table may choose; else the deal draws them. */
export interface Choice extends Asked {
  of: string[];
  count: number;
}
export interface Edition {
  name: string;
  minSeats: number;
  maxSeats: number;
  options?: Option[];
  choices?: Choice[];
}
export interface Info {
  name: string;
  revision: number;
  editions: Edition[];
  /** What a game says of its board; only the game itself can read it. */
  board?: unknown;
}
export interface Guest {
  id: string;
  name: string;
}
export interface Hello {
  protocol: number;
  version: string;
  guest: Guest | null;
  games: Info[];
  bots: string[];
  origin: string;
  /** The name for which passkeys can be had, '' for none. */
  passkeys: string;
  /** After how many seconds a game that is over is deleted; 0: never. */
  keepPlayed: number;
  /** The key of the house for those who want to be told something while their page is closed; absent where nobody is. */
  push?: string;
  /** The house is for invited people only, and one is a stranger. */
  uninvited?: boolean;
}
/** A browser that is told when one is waited for, while its page is closed. */
export interface Notice {
  endpoint: string;
  language: string;
  made: string;
}
export interface Passkey {
  id: string;
  name: string;
  made: string;
  used?: string;
}

/** A program that one brings. */
export interface Program {
  id: string;
  name: string;
  /** It is told once. */
  token?: string;
}

export interface TableCard {
  table: string;
  game: string;
  edition: string;
  state: State;
  listed: boolean;
  host: string;
  seats: { seat: Seat; name: string; bot: string; nameless?: boolean }[];
  watchers: number;
  made: string;
  /** How many moves came with the position, where it is from a record. */
  imported?: number;
  /** It was played on somebody's device. */
  device?: boolean;
}

/** A table of one's own that is not over. */
export interface Mine extends TableCard {
  /** One's seat, '' for a host who has none; who is asked, '' before the start; and since when. */
  you: Seat;
  turn: Seat;
  since: string;
}

/** A game of one's own that is over; one that was kept from a device is of nobody's seat. */
export interface PlayedGame extends TableCard {
  you: Seat;
  ended: string;
  outcome: Outcome;
}

/** What a table has agreed on. */
export interface Agreed {
  game: string;
  edition: string;
  seats: number;
  first: Seat;
  options: Record<string, number>;
  choices: Record<string, string[]>;
  aid: Aid;
  moveTime: number;
  awayTime: number;
  listed: boolean;
  /** How many moves came with the position, where it is from a record. */
  imported?: number;
  /** It was played on somebody's device. */
  device?: boolean;
}

/** What the house is told when a table is made. */
export interface Setup extends Partial<Agreed> {
  /** Who sits where from the first: 'me', or the name of a bot. The other seats are free. */
  places?: Record<Seat, string>;
  botTime?: [number, number];
  /** In which its link is told. */
  language?: string;
  /** A record, and after how many of its moves the table begins. */
  record?: object;
  ply?: number;
}

export interface Sitter {
  seat: Seat;
  name: string;
  bot: string;
  /** Somebody sits there who had his name erased. */
  nameless: boolean;
  here: boolean;
  host: boolean;
  standin: boolean;
  /** The table at which he sits. */
  table?: string;
  /** Somebody else at the table looks like him, by their names. */
  alike?: boolean;
}

/** One sentence of what happened: who, what, where, to whom, by which paragraph. */
export interface Said {
  seat: Seat;
  verb: string;
  at?: string;
  what?: string;
  n?: number;
  to: Seat;
  rule: string;
}

/** How a game ended: who won, why it was cut short, and what each seat has, where its rulebook counts. */
export interface Outcome {
  winners: Seat[];
  why: string;
  scores: number[];
}

/** What a table is, apart from the game. */
export interface About {
  state: State;
  setup: Agreed;
  seats: Sitter[];
  watchers: number;
  /** The bot that is to move waits for a free processor. */
  waits: boolean;
  seal: Seal | null;
  next: string;
  /** The name of the host, wherever he is; '' if he had it erased. */
  hostName: string;
  proposal: Proposal | null;
}

/** What somebody wants to do, to which those who are there have to agree. */
export interface Proposal {
  /** Its name, for those who answer. */
  seq: number;
  do: 'free' | 'break' | 'sit';
  /** Who proposes it, and his seat, if he has one. */
  name: string;
  by: Seat;
  /** The seat that is to be freed or taken. */
  seat: Seat;
  /** Whose players are asked, and those who have agreed. */
  asked: Seat[];
  agreed: Seat[];
}

/** The whole table as its reader may see it. */
export interface Frame extends About {
  seq: number;
  you: Seat;
  /** The reader is the host, wherever he sits. */
  host: boolean;
  events: Said[];
  /** Only when one comes to the table, when a position from a record is set up, and when somebody has another name. */
  log: Said[] | null;
  /** What lies on the table for everyone, as its game says it; undefined before the deal. */
  shown?: unknown;
  /** What the reader alone sees besides. */
  own?: unknown;
  turn: Seat;
  moves: string[];
  /** What the seat `turn` is asked: a word of its game, and the paragraph that asks it. */
  asked: string;
  cites: string;
  clock: { left: number; of: number } | null;
  outcome: Outcome | null;
}

/** What somebody gives to a deal: a number, sealed, and opened. */
export interface Given {
  seat: Seat;
  seal: string;
  number: string | null;
}

/** A table's sealed deal: the hash of its secret, and what people give to the deal until it is dealt. */
export interface Seal {
  /** By which derivation the deal follows (docs/fair.md). */
  version: string;
  seal: string;
  called: boolean;
  /** The attempts in which numbers were not opened, in order: the seal of each, and whose numbers. After each it began again. */
  failed: { seal: string; shut: Seat[] }[];
  numbers?: Given[];
  secret?: string;
}

/** How a game that is over went, in numbers. */
export interface Story {
  /** After how many moves each turn was over, and how far everyone had come by then. */
  turns: { ply: number; standing: number[] }[];
  /** By seat, how often it did what, by the verbs of events, and how often that was done to it. */
  did: Record<string, number>[];
  had: Record<string, number>[];
}

export interface Refused {
  code: string;
  rule?: string;
  message?: string;
}
export interface Answer {
  re: string;
  ok?: boolean;
  seq?: number;
  error?: Refused;
}

export type Command =
  | { do: 'sit'; table: string; seat: Seat }
  | { do: 'leave' | 'start' | 'rematch' | 'break' | 'close'; table: string }
  | { do: 'seal' | 'unseal'; table: string; bits: string }
  | { do: 'bot'; table: string; seat: Seat; bot: string }
  | { do: 'free'; table: string; seat: Seat }
  | { do: 'phrase'; table: string; move: string }
  | { do: 'agree' | 'decline'; table: string; seq: number }
  | { do: 'play'; table: string; seat: Seat; seq: number; move: string };

/** What somebody at the table says: one of the phrases that each reads in his own language. */
export interface Phrase {
  seat: Seat;
  id: string;
}

/** Everything a server says: an answer, a frame, a phrase, the lobby, that its node lives, by which node one comes to a table, or a word about the connection itself. */
export type Word = Partial<Answer> & {
  table?: string;
  frame?: unknown;
  phrase?: Phrase;
  lobby?: TableCard[];
  alive?: true;
  node?: string;
};

export const number = (seat: Seat) => seat.charCodeAt(0) - 65;
export const letter = (n: number): Seat => String.fromCharCode(65 + n);

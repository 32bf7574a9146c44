// What goes over the wire, in the words of docs/protocol.md.

/** A letter from A to F; nobody is ''. */
export type Seat = string;
export type Side = 'left' | 'right';
export const sides: Side[] = ['left', 'right'];
export const colours = ['white', 'black', 'yellow', 'red', 'green', 'blue'] as const;
export type Colour = (typeof colours)[number];
export type Aid = '' | 'marks' | 'all';

export interface Place { at: string; file: number; rank: number; part: number }
export interface Edition { name: string; minSeats: number; maxSeats: number }
export interface Info { name: string; revision: number; editions: Edition[]; board: { graves: Place[] } | null }
export interface Guest { id: string; name: string }
export interface Hello {
  protocol: number;
  version: string;
  guest: Guest | null;
  games: Info[];
  bots: string[];
  origin: string;
}

export interface TableCard {
  table: string;
  game: string;
  edition: string;
  state: State;
  listed: boolean;
  host: string;
  seats: { seat: Seat; name: string; bot: string }[];
  watchers: number;
  made: string;
  /** How many moves came with the position, where it is from a record. */
  imported?: number;
}

export type State = 'open' | 'running' | 'over';

export interface Setup {
  game: string;
  edition: string;
  seats: number;
  bots?: string[];
  first?: Seat;
  bare?: string[] | null;
  options?: Record<string, number>;
  aid: Aid;
  moveTime: number;
  awayTime: number;
  botTime?: [number, number];
  listed: boolean;
  sit?: boolean;
  /** A record, and after how many of its moves the table begins. */
  record?: object;
  ply?: number;
  /** In a frame: how many moves came with the position, where it is from a record. */
  imported?: number;
}

export interface Sitter { seat: Seat; name: string; bot: string; here: boolean; host: boolean; standin: boolean }

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

export interface Seen { under: string; holds: string }
export interface Grave extends Seen { at: string; lid: 'closed' | 'open' | 'lifted' | 'none'; mark: boolean; recall: Seen | null }
export interface Row { left: Colour[]; down: number; right: Colour[] }
export interface Plague { rat: string; holder: Seat; goer: Seat; out: Seat[] | null }
/** A bat on a grave: who has still to say whether he believes it, and who does not. */
export interface Bat { on: string; doubter: Seat; asks: Seat[] }
/** Count Rucola, his holder, and the grave that he reserves. */
export interface Count { holder: Seat; on: string }
export interface Gifts { to: Seat; have: Colour[] | null; from: Seat[] | null }

/** `shown` of Dawn Under. */
export interface Cemetery {
  graves: Grave[];
  rows: Row[];
  stakes: number[];
  garlic: number[];
  stakesLeft: number;
  reserve: number;
  turn: Seat;
  at: string;
  plague: Plague | null;
  gifts: Gifts | null;
  just: string;
  bats: number[];
  bat: Bat | null;
  count: Count | null;
}

/** A card that lies before a door: what it is, and who has it, as far as that is known. */
export interface Knock { from: Seat; to: Seat; card: string; host: Seat }
/** What everyone may know of a hand. */
export interface Hand { cards: number; drawn: number; recall: string[] }
export type Worth = Record<'monster' | 'ghost' | 'vampire' | 'scarecrow', number>;

/** `shown` of Toc Toc Toc. */
export interface Parties {
  hand: string[];
  hands: Hand[];
  parties: string[][];
  scores: number[];
  worth: Worth[];
  pile: { left: number; top: string };
  gone: string[];
  turn: Seat;
  knock: Knock | null;
}

/** A frame, with what the table shows of its game. */
export interface Frame<S = unknown> {
  seq: number;
  you: Seat;
  state: State;
  setup: Setup;
  seats: Sitter[];
  watchers: number;
  events: Said[] | null;
  log: Said[] | null;
  shown: S | null;
  turn: Seat;
  moves: string[] | null;
  asked: string;
  clock?: { left: number; of: number } | null;
  outcome: { over: boolean; winners: Seat[] | null; why: string };
  next: string;
  seal: Seal | null;
}

/** A table's sealed deal: the hash of its secret, and what people give to the deal until it is dealt. */
export interface Seal {
  seal: string;
  called: boolean;
  numbers?: { seat: Seat; seal: string; number: string | null }[];
  secret?: string;
}

export interface Refused { code: string; rule?: string; message?: string }
export interface Answer { re: string; ok?: boolean; seq?: number; error?: Refused }

export type Command =
  | { do: 'sit'; table: string; seat: Seat }
  | { do: 'leave' | 'start' | 'rematch' | 'break'; table: string }
  | { do: 'seal' | 'unseal'; table: string; bits: string }
  | { do: 'bot'; table: string; seat: Seat; bot: string }
  | { do: 'free'; table: string; seat: Seat }
  | { do: 'play'; table: string; seat: Seat; seq: number; move: string };

/** Everything a server says: an answer, a frame, the lobby, or a word about the connection itself. */
export type Word = Partial<Answer> & { table?: string; frame?: Frame; lobby?: TableCard[] };

export const number = (seat: Seat) => seat.charCodeAt(0) - 65;
export const letter = (n: number): Seat => String.fromCharCode(65 + n);

import type { Seat } from '../../wire/protocol';

// The scene of the parties: what lies on the table, in the words of docs/protocol.md.

/** A card that lies before a door: what it is, and who has it, as far as that is known. */
export interface Knock {
  from: Seat;
  to: Seat;
  card: string;
  host: Seat;
}
/** What everyone may know of a hand. */
export interface Hand {
  cards: number;
  drawn: number;
  recall: string[];
  /** What is in it, when it is over and all is shown. */
  held: string[];
}
export type Worth = Record<'monster' | 'ghost' | 'vampire' | 'scarecrow', number>;

export interface Parties {
  hand: string[];
  hands: Hand[];
  parties: string[][];
  scores: number[];
  worth: Worth[];
  /** Its cards are shown when it is over, the top first. */
  pile: { left: number; top: string; cards: string[] };
  gone: string[];
  turn: Seat;
  knock: Knock | null;
}

import type { Seat } from '../../wire/protocol';

// The scene of a cemetery: what lies on the table, in the words of docs/protocol.md.

export type Side = 'left' | 'right';
export const sides: Side[] = ['left', 'right'];
export const colours = ['white', 'black', 'yellow', 'red', 'green', 'blue'] as const;
export type Colour = (typeof colours)[number];

export interface Place {
  at: string;
  file: number;
  rank: number;
  part: number;
}
/** What the house says of the board. */
export interface Board {
  graves: Place[];
}

export interface Seen {
  under: string;
  holds: string;
}
export interface Grave extends Seen {
  at: string;
  lid: 'closed' | 'open' | 'lifted' | 'none';
  mark: boolean;
  recall: Seen | null;
}
export interface Row {
  left: Colour[];
  down: number;
  right: Colour[];
}
export interface Plague {
  rat: string;
  holder: Seat;
  goer: Seat;
  out: Seat[];
}
/** A bat on a grave: who has still to say whether he believes it, and who does not. */
export interface Bat {
  on: string;
  doubter: Seat;
  asks: Seat[];
}
/** Count Rucola, his holder, and the grave that he reserves. */
export interface Count {
  holder: Seat;
  on: string;
}
export interface Gifts {
  to: Seat;
  have: Colour[];
  from: Seat[];
}

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

/** A key as the browser tells of it: its place on the keyboard, and what is printed on it. */
export type Pressed = Pick<KeyboardEvent, 'code' | 'key'>;

/** Keys that are a command to a kind of reader at the table. The help prints this very list. */
export interface TableKey<A> {
  /** How the help prints them. */
  shows: string;
  /** The sentence that says what they do. */
  says: string;
  /** Where they are on the keyboard, whatever alphabet is on it. */
  codes: string[];
  /** Whether the key meant something just now. Where it is absent the browser itself does it: the arrows, Enter. */
  press?(at: A, key: Pressed): boolean;
}

/** Single keys, each with what it does. */
export function keys<A>(shows: string, says: string, by: Record<string, (at: A) => boolean>): TableKey<A> {
  return { shows, says, codes: Object.keys(by), press: (at, { code }) => by[code]?.(at) ?? false };
}

/** Digits, counted from 1. */
export function digits<A>(shows: string, says: string, press: (at: A, n: number) => boolean): TableKey<A> {
  const codes = Array.from({ length: 9 }, (_, i) => `Digit${i + 1}`);
  return { shows, says, codes, press: (at, { code }) => codes.includes(code) && press(at, codes.indexOf(code) + 1) };
}

/** What every table understands besides. */
export const common: TableKey<unknown>[] = [
  { shows: '␣', says: 'key.next', codes: ['Space'] },
  { shows: '↑ ↓', says: 'key.log', codes: ['ArrowUp', 'ArrowDown'] },
  { shows: '!', says: 'key.say', codes: [] },
  { shows: '?', says: 'key.help', codes: ['Slash'] },
];

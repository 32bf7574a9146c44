// What this browser gives to a sealed deal, and what it saw of it before the game (docs/fair.md).

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Command, Frame, Seal } from '../wire/protocol';
import type { Verdict } from './engine';

/** The seal that a table showed before its deal, the number that this browser drew for it, and on what terms it was opened. */
export interface Kept {
  seal: string;
  number: string;
  on?: string;
}

const key = 'caveau.numbers';
const most = 50;
const enough = 20; // seals for one table, from one page

let last: Record<string, Kept> = {}; // what was read or written last
let full = false; // nothing can be kept any more: what was written last holds as long as the page lives

function all(): Record<string, Kept> {
  if (full) return last;
  try {
    last = (JSON.parse(localStorage.getItem(key) ?? 'null') as Record<string, Kept> | null) ?? last;
  } catch {
    // Somebody wrote nonsense there, or nothing may be read.
  }
  return last;
}

/** What was kept of a table, if anything. */
export const kept = (table: string): Kept | undefined => all()[table];

/** Keeps the seal that a table shows; of what it shows later nothing is believed. */
function keep(table: string, seal: string): Kept {
  const known = all();
  const old = known[table];
  if (old) return old;
  const fresh = { seal, number: bytesToHex(crypto.getRandomValues(new Uint8Array(32))) };
  write([...Object.entries(known).slice(1 - most), [table, fresh]]);
  return fresh;
}

/** Keeps what stood fast when the number was opened: of what a table says later nothing is believed. */
function keepTerms(table: string, on: string) {
  const known = all();
  if (known[table] && !known[table].on) write(Object.entries({ ...known, [table]: { ...known[table], on } }));
}

function write(entries: [string, Kept][]) {
  last = Object.fromEntries(entries);
  try {
    localStorage.setItem(key, JSON.stringify(last));
    full = false;
  } catch {
    full = true;
  }
}

type Sealed = { seat: string; seal: string }[];

/** All that a deal follows from besides the secret and the opened numbers. Who could change it when he knows them could choose the deal. */
const terms = (
  game: string,
  edition: string,
  seats: number,
  options: object | undefined | null,
  first: string,
  choices: object,
  numbers: Sealed,
) =>
  JSON.stringify([game, edition, seats, options ?? {}, first, choices, numbers.map(({ seat, seal }) => [seat, seal])]);

function termsOf({ setup, seal }: Pick<Frame, 'setup' | 'seal'>): string {
  return terms(
    setup.game,
    setup.edition,
    setup.seats,
    setup.options,
    setup.first ?? '',
    setup.choices,
    seal?.numbers ?? [],
  );
}

/** What a record's proof says to somebody whose browser was there: that all is as it saw it, with its number (`both`) or
 * without; that its number was left out; or that the terms, or the very seal, were others. */
export function compare(mine: Kept, proof: Verdict): 'both' | 'seal' | 'left' | 'terms' | 'bad' {
  if (mine.seal !== proof.seal) return 'bad';
  if (!mine.on) return 'seal';
  if (
    mine.on !==
    terms(
      proof.game,
      proof.edition,
      proof.players?.length ?? 0,
      proof.options,
      proof.first,
      proof.choices ?? {},
      proof.numbers ?? [],
    )
  )
    return 'terms';
  return proof.numbers?.some(({ number }) => number === mine.number) ? 'both' : 'left';
}

/** What was kept of the table that showed this seal, if anything. */
export const keptOf = (seal: string): Kept | undefined => Object.values(all()).find((one) => one.seal === seal);

/** A number sealed for one table and one seat. */
export function sealNumber(tableSeal: string, seat: string, number: string): string {
  return bytesToHex(
    sha256(
      concatBytes(utf8ToBytes('caveau-deal/1 player\n'), hexToBytes(tableSeal), utf8ToBytes(seat), hexToBytes(number)),
    ),
  );
}

const said = new Map<string, number>();

/** Two pages of one reader that cannot share a number would seal theirs against each other for ever. */
function tired(table: string): boolean {
  said.set(table, (said.get(table) ?? 0) + 1);
  return said.get(table)! > enough;
}

/** What there is to be said about the deal, if anything: the reader's sealed number while people wait, and the number itself when the start was said. */
export function give(table: string, frame: Pick<Frame, 'state' | 'you' | 'seal' | 'setup'>): Command | null {
  if (frame.state !== 'open' || !frame.seal) return null;
  const mine = keep(table, frame.seal.seal);
  if (!frame.you || mine.seal !== frame.seal.seal) return null;
  const sealed = sealNumber(mine.seal, frame.you, mine.number);
  const there = frame.seal.numbers?.find((n) => n.seat === frame.you);
  if (!frame.seal.called) return there?.seal === sealed || tired(table) ? null : { do: 'seal', table, bits: sealed };
  if (there?.seal !== sealed || there.number) return null;
  keepTerms(table, termsOf(frame));
  return { do: 'unseal', table, bits: mine.number };
}

/** A hash as people compare it: its beginning and its end. */
export const short = (bits: string) => `${bits.slice(0, 8)}…${bits.slice(-8)}`;

/** Whether a table has broken its word: it shows another seal than before. */
export const broken = (table: string, seal: Seal | null) => !!seal && (kept(table)?.seal ?? seal.seal) !== seal.seal;

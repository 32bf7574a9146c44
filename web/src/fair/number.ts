// What this browser gives to a sealed deal, and what it saw of it before the game (docs/fair.md).

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Command, Frame, Seal } from '../wire/protocol';

/** The seal that a table showed before its deal, and the number that this browser drew for it. */
export interface Kept { seal: string; number: string }

const key = 'caveau.numbers';
const most = 50;

let last: Record<string, Kept> = {}; // where nothing can be kept, at least as long as the page lives

function all(): Record<string, Kept> {
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
  last = Object.fromEntries([...Object.entries(known).slice(1 - most), [table, fresh]]);
  try {
    localStorage.setItem(key, JSON.stringify(last));
  } catch {
    // It is kept while the page lives.
  }
  return fresh;
}

/** A number sealed for one table and one seat. */
export function sealNumber(tableSeal: string, seat: string, number: string): string {
  return bytesToHex(sha256(concatBytes(utf8ToBytes('caveau-deal/1 player\n'), hexToBytes(tableSeal), utf8ToBytes(seat), hexToBytes(number))));
}

/** What there is to be said about the deal, if anything: the reader's sealed number while people wait, and the number itself when the start was said. */
export function give(table: string, frame: Pick<Frame, 'state' | 'you' | 'seal'>): Command | null {
  if (frame.state !== 'open' || !frame.seal) return null;
  const mine = keep(table, frame.seal.seal);
  if (!frame.you || mine.seal !== frame.seal.seal) return null;
  const sealed = sealNumber(mine.seal, frame.you, mine.number);
  const there = frame.seal.numbers?.find((n) => n.seat === frame.you);
  if (!frame.seal.called) return there?.seal === sealed ? null : { do: 'seal', table, bits: sealed };
  return there?.seal === sealed && !there.number ? { do: 'unseal', table, bits: mine.number } : null;
}

/** A hash as people compare it: its beginning and its end. */
export const short = (bits: string) => `${bits.slice(0, 8)}…${bits.slice(-8)}`;

/** Whether a table has broken its word: it shows another seal than before. */
export const broken = (table: string, seal: Seal | null) => !!seal && (kept(table)?.seal ?? seal.seal) !== seal.seal;

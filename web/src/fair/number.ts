// What this browser gives to a sealed deal, and what it saw of it before the game (docs/fair.md).

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Command, Frame, Seal } from '../wire/protocol';
import type { Verdict } from './engine';

/** The seal that a table showed at an attempt, the number that this browser drew for it, and on what terms it was opened. */
interface Attempt {
  seal: string;
  number: string;
  on?: string;
}

/** The last attempt that was seen of a table, and those before it, all of which failed. */
export interface Kept extends Attempt {
  before?: Attempt[];
  /** It was dealt: there is no further attempt. */
  dealt?: true;
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

function keep(table: string, one: Kept): Kept {
  const others = Object.entries(all()).filter(([name]) => name !== table);
  write([...others.slice(1 - most), [table, one]]);
  return one;
}

const fresh = (seal: string): Attempt => ({ seal, number: bytesToHex(crypto.getRandomValues(new Uint8Array(32))) });

/** All attempts at a deal that were seen, in order. */
const seen = ({ before = [], ...last }: Kept): Attempt[] => [...before, last];

/** Whether all that was seen is among all that there was, and what was dealt is the last of it. In which order they came each seal says. */
const within = (mine: Kept, seals: string[]): boolean =>
  seen(mine).every(({ seal }) => seals.includes(seal)) && !(mine.dealt && mine.seal !== seals.at(-1));

const shown = (seal: Seal): string[] => [...seal.failed.map((one) => one.seal), seal.seal];

/** What is kept of a table that shows this, from now on. It may show another seal than before only while it says that the attempt
 * with that one has failed; of what else it shows nothing is believed. */
function follow(table: string, seal: Seal): Kept | null {
  const known = kept(table);
  if (!known) return keep(table, fresh(seal.seal));
  if (!within(known, shown(seal))) return null;
  return known.seal === seal.seal ? known : keep(table, { ...fresh(seal.seal), before: seen(known) });
}

/** Keeps that it was dealt, for whoever was there before. A seal that is shown only now has no number. */
function settle(table: string, seal: Seal) {
  const mine = kept(table);
  if (!mine || mine.dealt || !within(mine, shown(seal))) return;
  const late = { seal: seal.seal, number: '', before: seen(mine) };
  keep(table, { ...(mine.seal === seal.seal ? mine : late), dealt: true });
}

/** Keeps what stood fast when the number was opened: of what a table says later nothing is believed. */
function keepTerms(table: string, on: string) {
  const mine = kept(table);
  if (mine && !mine.on) keep(table, { ...mine, on });
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

/** Forgets all of it: whoever has the browser next need not know at which tables somebody was. */
export function forgetTables() {
  write([]);
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

/** All attempts that a record has, the last one at the end. */
const attempts = ({ failed, seal, numbers }: Verdict) => [...(failed ?? []), { seal, numbers: numbers ?? [] }];

/** What a record's proof says to somebody whose browser was there: that all is as it saw it, with its number (`both`) or
 * without; that it saw only attempts that failed (`part`); that its number was left out; or that the terms, or the very attempts,
 * were others. */
export function compare(mine: Kept, proof: Verdict): 'both' | 'seal' | 'part' | 'left' | 'terms' | 'bad' {
  const there = attempts(proof);
  if (
    !within(
      mine,
      there.map(({ seal }) => seal),
    )
  )
    return 'bad';
  const opened = seen(mine).flatMap(({ seal, number, on }) => {
    const { numbers } = there.find((one) => one.seal === seal)!;
    return on ? [{ fits: on === termsOfProof(proof, numbers), given: numbers.some((n) => n.number === number) }] : [];
  });
  if (opened.some(({ fits }) => !fits)) return 'terms';
  if (opened.some(({ given }) => !given)) return 'left';
  if (mine.seal !== proof.seal || !mine.number) return 'part';
  return mine.on ? 'both' : 'seal';
}

const termsOfProof = ({ game, edition, players, options, first, choices }: Verdict, numbers: Sealed) =>
  terms(game, edition, players?.length ?? 0, options, first, choices ?? {}, numbers);

/** What was kept of the table with this record, if anything. */
export function keptOf(proof: Verdict): Kept | undefined {
  const seals = attempts(proof).map(({ seal }) => seal);
  return Object.values(all()).find((one) => seen(one).some(({ seal }) => seals.includes(seal)));
}

/** A number sealed for one attempt at one table, and one seat. */
export function sealNumber(version: string, tableSeal: string, seat: string, number: string): string {
  return bytesToHex(
    sha256(
      concatBytes(utf8ToBytes(`${version} player\n`), hexToBytes(tableSeal), utf8ToBytes(seat), hexToBytes(number)),
    ),
  );
}

const said = new Map<string, number>();

/** Two pages of one reader that cannot share a number would seal theirs against each other for ever. */
function tired(table: string): boolean {
  said.set(table, (said.get(table) ?? 0) + 1);
  return said.get(table)! > enough;
}

/** What there is to be said about the deal, if anything: the reader's sealed number while people wait, and the number itself when
 * it is called for. Whoever was late once is not asked any more. */
export function give(table: string, frame: Pick<Frame, 'state' | 'you' | 'seal' | 'setup'>): Command | null {
  const { seal, you } = frame;
  if (!seal) return null;
  if (frame.state !== 'open') {
    settle(table, seal);
    return null;
  }
  const mine = follow(table, seal);
  if (!mine || !you || seal.failed.some(({ shut }) => shut.includes(you))) return null;
  const sealed = sealNumber(seal.version, mine.seal, you, mine.number);
  const there = seal.numbers?.find((n) => n.seat === you);
  if (!seal.called) return there?.seal === sealed || tired(table) ? null : { do: 'seal', table, bits: sealed };
  if (there?.seal !== sealed || there.number) return null;
  keepTerms(table, termsOf(frame));
  return { do: 'unseal', table, bits: mine.number };
}

/** A hash as people compare it: its beginning and its end. */
export const short = (bits: string) => `${bits.slice(0, 8)}…${bits.slice(-8)}`;

/** Whether a table has broken its word: it shows another seal than before, and does not say that an attempt has failed. */
export function broken(table: string, seal: Seal): boolean {
  const known = kept(table);
  return !!known && !within(known, shown(seal));
}

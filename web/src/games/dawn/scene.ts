import type { Flight } from '../../table/show.svelte';
import { letter, number, type Said, type Seat } from '../../wire/protocol';
import {
  type Bat,
  type Cemetery,
  type Colour,
  type Count,
  type Gifts,
  type Grave,
  type Row,
  type Seen,
  type Side,
} from './types';

// The scene between two frames. A frame says how the table lies afterwards; its events say in which order that came
// about. Each verb moves the scene a little, and what it leaves out, the frame puts right in the end.

type Act = (now: Cemetery, e: Said, later: Said[], after: Cemetery) => Partial<Cemetery>;

const acts: Record<string, Act> = {
  open: (now, e, later, after) => grave(now, e.at, { lid: 'open', under: e.what ?? '', ...inside(e.at, later, after) }),
  occupied: (now, e) => grave(now, e.at, { holds: e.what ?? '' }),
  smell: (now, e) => grave(now, e.at, { holds: `garlic ${e.to}` }),
  rest: (now, e, later, after) => ({
    ...grave(now, e.at, { holds: `vampire ${e.what}` }),
    ...departs(now, e, later, after),
  }),
  garlic: (now, e) => ({ ...grave(now, e.at, { holds: `garlic ${e.seat}` }), garlic: counted(now.garlic, e.seat, -1) }),
  home: (now, e) => ({ ...grave(now, e.at, { holds: '' }), garlic: counted(now.garlic, e.seat, 1) }),
  stake: (now, e) => ({ stakes: now.stakes.with(number(e.seat), e.n ?? 0), stakesLeft: now.stakesLeft - 1 }),
  return: (now, e, _, after) => ({ stakes: now.stakes.with(number(e.seat), 0), stakesLeft: after.stakesLeft }),
  give: (now, e, later, after) => ({ ...departs(now, e, later, after), gifts: handed(now, e) }),
  take: (now, e, later, after) => ({ ...arrives(now, e, later, after), gifts: placed(now, e) }),
  plague: (_, e, __, after) => ({
    plague: after.plague?.rat === e.at ? after.plague : { rat: e.at ?? '', holder: e.to, goer: e.to, out: [] },
  }),
  endplague: () => ({ plague: null }),
  turn: (_, e) => ({ turn: e.seat }),
  rucola: (_, e) => ({ count: { holder: e.seat, on: '' } }),
  count: (_, e) => ({ count: { holder: e.seat, on: e.at ?? '' } }),
  reserved: (now, e) => lifted(now, e),
  lose: (now, e) => ({ ...lifted(now, e), count: { holder: e.to, on: '' } }),
  bat: (now, e) => ({
    bat: { on: e.at ?? '', doubter: '', asks: others(now, e.seat) },
    bats: counted(now.bats, e.seat, -1),
  }),
  believe: (now, e) => ({ bat: now.bat && { ...now.bat, asks: now.bat.asks.filter((seat) => seat !== e.seat) } }),
  doubt: (now, e) => ({ bat: now.bat && { ...now.bat, doubter: e.seat, asks: [] } }),
  lift: (now, e) => lifted(now, e),
  present: (now, e) => ({
    ...grave(now, e.at, { holds: '' }),
    gifts: handed({ ...now, gifts: null }, { ...e, seat: '' }),
  }),
};

/** The scene after the event of this number. */
export function act(now: Cemetery, events: Said[], i: number, after: Cemetery): Cemetery {
  const e = events[i]!;
  return { ...now, ...acts[e.verb]?.(now, e, events.slice(i + 1), after) };
}

const flights: Record<string, (now: Cemetery, e: Said) => Flight> = {
  rest: (now, e) => ({ piece: `vampire ${e.what}`, from: `end-${e.seat}-${sideOf(now, e)}`, to: `grave-${e.at}` }),
  give: (now, e) => ({ piece: `vampire ${e.what}`, from: `end-${e.seat}-${sideOf(now, e)}`, to: `hand-${e.to}` }),
  take: (_, e) => ({ piece: `vampire ${e.what}`, from: `hand-${e.seat}`, to: `end-${e.seat}-${e.at}` }),
  garlic: (_, e) => ({ piece: `garlic ${e.seat}`, from: `garlic-${e.seat}`, to: `grave-${e.at}` }),
  home: (_, e) => ({ piece: `garlic ${e.seat}`, from: `grave-${e.at}`, to: `garlic-${e.seat}` }),
  stake: (_, e) => ({ piece: 'stake', from: 'column', to: `stakes-${e.seat}` }),
  return: (_, e) => ({ piece: 'stake', from: `stakes-${e.seat}`, to: 'column' }),
  rucola: (now, e) => ({ piece: 'count', from: standsOn(now.count), to: `count-${e.seat}` }),
  count: (now, e) => ({ piece: 'count', from: standsOn(now.count), to: `grave-${e.at}` }),
  lose: (now, e) => ({ piece: 'count', from: standsOn(now.count), to: `count-${e.to}` }),
  bat: (_, e) => ({ piece: `bat ${e.seat}`, from: `bats-${e.seat}`, to: `grave-${e.at}` }),
  present: (_, e) => ({ piece: `vampire ${e.what}`, from: `grave-${e.at}`, to: `hand-${e.to}` }),
};

/** What flies when the event happens, if anything does. */
export const flight = (now: Cemetery, e: Said): Flight | null => flights[e.verb]?.(now, e) ?? null;

/** The vampire at an end of a row; a row of which all lie face up has them all on the left. */
export function end(row: Row, side: Side): Colour | undefined {
  const faceUp = side === 'right' && row.right.length ? row.right : row.left;
  return side === 'left' ? row.left[0] : faceUp.at(-1);
}

export const size = (row: Row) => row.left.length + row.down + row.right.length;

function grave(now: Cemetery, at: string | undefined, change: Partial<Grave>): Partial<Cemetery> {
  return { graves: now.graves.map((g) => (g.at === at ? { ...g, ...change } : g)) };
}

const lifted = (now: Cemetery, e: Said): Partial<Cemetery> => grave(now, e.at, { lid: 'lifted', holds: e.what ?? '' });

/** Where the Count is to be found: on a grave, on the column before his holder, or in the middle. */
const standsOn = (count: Count | null) =>
  count?.on ? `grave-${count.on}` : count?.holder ? `count-${count.holder}` : 'column';

const others = (now: Cemetery, seat: Seat) => now.rows.map((_, i) => letter(i)).filter((other) => other !== seat);

/** What somebody has said to a bat: nothing, as long as he has still to answer, or need not. */
export function answer(bat: Bat, player: Seat, seat: Seat): 'believes' | 'doubts' | '' {
  if (seat === player || bat.asks.includes(seat)) return '';
  if (seat === bat.doubter) return 'doubts';
  return !bat.doubter || clockwise(player, seat) < clockwise(player, bat.doubter) ? 'believes' : '';
}

/** How far somebody sits from a player, going clockwise; of more than the six seats it does not matter which are empty. */
const clockwise = (from: Seat, to: Seat) => (number(to) - number(from) + 6) % 6;

/** Whether a grave lies open before everyone, its lid turned or held up. */
export const isOpen = (g: Grave) => g.lid === 'open' || g.lid === 'lifted';

/** What a lid uncovers is said by the events after its turning, or by the frame if the lid stays open. */
function inside(at: string | undefined, later: Said[], after: Cemetery): Partial<Seen> {
  const found = later.find((e) => e.at === at && (e.verb === 'occupied' || e.verb === 'smell'));
  if (found) return { holds: found.verb === 'smell' ? `garlic ${found.to}` : (found.what ?? '') };
  const put = later.some((e) => e.at === at && (e.verb === 'rest' || e.verb === 'garlic'));
  const left = after.graves.find((g) => g.at === at && g.lid === 'open');
  return { holds: put ? '' : (left?.holds ?? '') };
}

const touches = (seat: Seat) => (e: Said) => e.seat === seat && ['rest', 'give', 'take'].includes(e.verb);

const withRow = (now: Cemetery, seat: Seat, row: Row): Partial<Cemetery> => ({
  rows: now.rows.with(number(seat), row),
});

function departs(now: Cemetery, e: Said, later: Said[], after: Cemetery): Partial<Cemetery> {
  if (!later.some(touches(e.seat))) return withRow(now, e.seat, after.rows[number(e.seat)]!);
  const row = now.rows[number(e.seat)]!;
  if (sideOf(now, e) === 'left') return withRow(now, e.seat, { ...row, left: row.left.slice(1) });
  if (!row.right.length) return withRow(now, e.seat, { ...row, left: row.left.slice(0, -1) });
  return withRow(now, e.seat, { ...row, right: row.right.slice(0, -1) });
}

function arrives(now: Cemetery, e: Said, later: Said[], after: Cemetery): Partial<Cemetery> {
  if (!later.some(touches(e.seat))) return withRow(now, e.seat, after.rows[number(e.seat)]!);
  const row = now.rows[number(e.seat)]!;
  const what = e.what as Colour;
  if (e.at === 'left') return withRow(now, e.seat, { ...row, left: [what, ...row.left] });
  if (row.down === 0) return withRow(now, e.seat, { ...row, left: [...row.left, what] });
  return withRow(now, e.seat, { ...row, right: [...row.right, what] });
}

/** Which end a vampire left: the event says its colour only. */
function sideOf(now: Cemetery, e: Said): Side {
  const row = now.rows[number(e.seat)]!;
  return end(row, 'left') === e.what ? 'left' : 'right';
}

function counted(list: number[], seat: Seat, change: number): number[] {
  return list.with(number(seat), (list[number(seat)] ?? 0) + change);
}

function handed(now: Cemetery, e: Said): Gifts {
  const gifts = now.gifts ?? { to: e.to, have: [], from: e.seat ? [e.seat] : [] };
  return { ...gifts, have: [...(gifts.have ?? []), e.what as Colour] };
}

function placed(now: Cemetery, e: Said): Gifts | null {
  const have = [...(now.gifts?.have ?? [])];
  const i = have.indexOf(e.what as Colour);
  if (i >= 0) have.splice(i, 1);
  return now.gifts && have.length ? { ...now.gifts, have } : null;
}

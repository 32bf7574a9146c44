import type { Flight } from '../../table/show.svelte';
import { letter, number, type Said, type Seat } from '../../wire/protocol';
import { type Parties, type Worth } from './types';

/** The table as it lies, and the card that everyone sees drawn, as long as they look at it. */
export interface Scene extends Parties {
  drawn?: { seat: Seat; card: string } | null;
}

export const kinds = ['monster', 'ghost', 'vampire', 'scarecrow'] as const;
export type Kind = (typeof kinds)[number];

/** `ghost` of `ghost-brute`. */
export const kindOf = (card: string) => card.split('-')[0]!;
/** `brute` of `ghost-brute`, '' of a plain guest. */
export const rankOf = (card: string) => card.split('-')[1] ?? '';

/** A heap of equal cards. */
export interface Heap {
  card: string;
  n: number;
}
/** Guests of one kind at a party: of each card how many, and what they are worth together. */
export interface Group {
  kind: Kind;
  heaps: Heap[];
  size: number;
  points: number;
}

export function heaps(cards: string[]): Heap[] {
  return [...new Set(cards)].map((card) => ({ card, n: cards.filter((other) => other === card).length }));
}

export function groups(party: string[], worth: Worth): Group[] {
  const of = (kind: Kind) => party.filter((card) => kindOf(card) === kind);
  const all = kinds.map((kind) => ({ kind, heaps: heaps(of(kind)), size: of(kind).length, points: worth[kind] }));
  return all.filter((group) => group.size > 0);
}

type Act = (now: Scene, e: Said, after: Parties) => Partial<Scene>;

const acts: Record<string, Act> = {
  knock: (now, e) => ({
    knock: { from: e.seat, to: e.to, card: e.what ?? '', host: '' },
    drawn: null,
    hand: e.what ? without(now.hand, e.what) : now.hand,
    hands: held(now, e.seat, -1),
  }),
  accept: (_, e) => ({ knock: { from: e.to, to: e.seat, card: e.what ?? '', host: e.seat } }),
  refuse: (_, e) => ({ knock: { from: e.to, to: e.seat, card: e.what ?? '', host: e.to } }),
  join: (now, e, after) => ({ parties: come(now.parties, e.seat, [e.what ?? '']), knock: null, ...counted(after) }),
  lure: (now, e, after) => ({
    parties: come(go(now.parties, e.to, [e.what ?? '']), e.seat, [e.what ?? '']),
    ...spent(after),
  }),
  flee: (now, e, after) => {
    const all = ofKind(now, e);
    return { parties: come(go(now.parties, e.seat, all), e.to, all), ...spent(after) };
  },
  ride: (now, e, after) => ({ parties: go(now.parties, e.seat, ofKind(now, e)), ...spent(after) }),
  nothing: (_, __, after) => spent(after),
  draw: (now, e, after) => ({
    drawn: { seat: e.seat, card: e.what ?? '' },
    pile: after.pile,
    hand: after.hand,
    hands: held(now, e.seat, 1),
  }),
  turn: (_, e) => ({ turn: e.seat, drawn: null }),
};

/** The scene after the event of this number. */
export function act(now: Scene, events: Said[], i: number, after: Parties): Scene {
  const e = events[i]!;
  return { ...now, ...acts[e.verb]?.(now, e, after) };
}

const flights: Record<string, (e: Said) => Flight> = {
  join: (e) => ({ piece: `card ${e.what}`, from: 'doorstep', to: `party-${e.seat}` }),
  lure: (e) => ({ piece: `card ${e.what}`, from: `party-${e.to}`, to: `party-${e.seat}` }),
  flee: (e) => ({ piece: `card ${e.what}`, from: `party-${e.seat}`, to: `party-${e.to}` }),
  ride: (e) => ({ piece: `card ${e.what}`, from: `party-${e.seat}`, to: 'gone' }),
};

/** What flies when the event happens, if anything does. */
export const flight = (_: Scene, e: Said): Flight | null => flights[e.verb]?.(e) ?? null;

/** Who sits at the table. */
export const seatsOf = (scene: Parties): Seat[] => scene.parties.map((_, i) => letter(i));

const counted = ({ scores, worth }: Parties) => ({ scores, worth });
const spent = (after: Parties) => ({ knock: null, gone: after.gone, ...counted(after) });

function without(cards: string[], card: string): string[] {
  const i = cards.lastIndexOf(card);
  return cards.filter((_, j) => j !== i);
}

const come = (parties: string[][], seat: Seat, cards: string[]) =>
  parties.with(number(seat), [...parties[number(seat)]!, ...cards]);
const go = (parties: string[][], seat: Seat, cards: string[]) =>
  parties.with(number(seat), cards.reduce(without, parties[number(seat)]!));
const ofKind = (now: Scene, e: Said) => now.parties[number(e.seat)]!.filter((card) => kindOf(card) === e.what);

function held(now: Scene, seat: Seat, change: number) {
  const hand = now.hands[number(seat)]!;
  return now.hands.with(number(seat), { ...hand, cards: hand.cards + change });
}

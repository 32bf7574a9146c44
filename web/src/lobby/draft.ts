import { letter, type Aid, type Info, type Seat, type Setup } from '../wire/protocol';
import type { Opened } from './opened';

/** A table as it is drawn up on the set-up page. */
export interface Draft {
  game: string;
  edition: string;
  seats: number;
  /** The maker's seat. */
  mine: Seat;
  /** For each of the other seats, in order: '' for a person, or the name of a bot. */
  others: string[];
  /** The record to begin with, after so many of its moves; null where it is dealt. */
  opened: Opened | null;
  ply: number;
  first: Seat;
  /** The bare graves, once they are chosen; null while the deal draws them. */
  bare: string[] | null;
  /** 2017: at most so many vampires each; 0 leaves it to the deal. */
  most: number;
  aid: Aid;
  moveTime: number;
  awayTime: number;
  quick: boolean;
  listed: boolean;
}

export const bareGraves = 20;
/** Young players may agree on fewer vampires, by the rulebook that says so. */
export const mayDealFewer = ({ edition }: Pick<Draft, 'edition'>) => edition === '2017';
export const mostVampires = 12;
export const strengths = ['remembering:dozy', 'remembering:keen', 'remembering:sharp'];
const quickly: [number, number] = [250, 500];

export function blank(info: Info): Draft {
  return {
    game: info.name, edition: info.editions[0]?.name ?? '', seats: 4, mine: 'A', others: ['', '', '', '', ''], opened: null, ply: 0, first: '', bare: null, most: 0, aid: '', moveTime: 0, awayTime: 120, quick: false, listed: false,
  };
}

/** The same table for another game, as far as that one allows it. */
export function change(draft: Draft, info: Info) {
  const { name, minSeats, maxSeats } = info.editions[0]!;
  Object.assign(draft, { game: info.name, edition: name, seats: Math.min(maxSeats, Math.max(minSeats, draft.seats)), first: '' });
}

/** A table that begins with a record has its game, edition and seats; null: it is dealt again. */
export function open(draft: Draft, opened: Opened | null) {
  Object.assign(draft, { opened, mine: 'A', first: '', bare: null });
  if (opened) Object.assign(draft, { game: opened.game, edition: opened.edition, seats: opened.players.length, ply: opened.playable });
}

/** The seats that are not the maker's, in order. */
export const otherSeats = ({ seats, mine }: Pick<Draft, 'seats' | 'mine'>): Seat[] =>
  Array.from({ length: seats }, (_, i) => letter(i)).filter((seat) => seat !== mine);

/** What the house is told; the bots sit down afterwards, each in its seat, and so does a maker who does not sit on A. */
export function setup(info: Info, draft: Draft): Setup {
  const two = draft.seats === 2 && draft.bare !== null;
  return {
    game: info.name,
    edition: draft.edition,
    seats: draft.seats,
    ...(draft.opened ? { record: draft.opened.record, ply: draft.ply } : {
      first: draft.first,
      ...(two ? { bare: draft.bare } : {}),
      ...(mayDealFewer(draft) && draft.most ? { options: { maxVampires: draft.most } } : {}),
    }),
    aid: draft.aid,
    moveTime: draft.moveTime,
    awayTime: draft.awayTime,
    ...(draft.quick ? { botTime: quickly } : {}),
    listed: draft.listed,
    sit: draft.mine === 'A',
  };
}

/** Which bot sits where. */
export function bots(draft: Draft): { seat: Seat; bot: string }[] {
  const others = otherSeats(draft).map((seat, i) => ({ seat, bot: draft.others[i]! }));
  return others.filter(({ bot }) => bot !== '');
}

/** Whether the house would take it: chosen bare graves must be all chosen. */
export const ready = (draft: Draft) => draft.seats !== 2 || draft.bare === null || draft.bare.length === bareGraves;

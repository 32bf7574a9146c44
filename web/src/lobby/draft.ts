import {
  letter,
  type Aid,
  type Choice,
  type Edition,
  type Info,
  type Option,
  type Seat,
  type Setup,
} from '../wire/protocol';
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
  /** The numbers that were agreed on, by their names. */
  options: Record<string, number>;
  /** What was chosen instead of leaving it to the deal, by its name. */
  choices: Record<string, string[]>;
  aid: Aid;
  moveTime: number;
  awayTime: number;
  quick: boolean;
  listed: boolean;
}

/** As fast as one can look on: bots that open a grave sooner only wait in line (`glimpse` of the show). */
const quickly: [number, number] = [1200, 1600];

export function blank(info: Info): Draft {
  return {
    game: info.name,
    edition: info.editions[0]?.name ?? '',
    seats: Math.min(4, info.editions[0]?.maxSeats ?? 4),
    mine: 'A',
    others: ['', '', '', '', ''],
    opened: null,
    ply: 0,
    first: '',
    options: {},
    choices: {},
    aid: '',
    moveTime: 0,
    awayTime: 120,
    quick: false,
    listed: false,
  };
}

/** The same table for another game, as far as that one allows it. */
export function change(draft: Draft, info: Info) {
  const { name, minSeats, maxSeats } = info.editions[0]!;
  const seats = Math.min(maxSeats, Math.max(minSeats, draft.seats));
  Object.assign(draft, { game: info.name, edition: name, seats, first: '', options: {}, choices: {} });
}

/** A table that begins with a record has its game, edition and seats; null: it is dealt again. */
export function open(draft: Draft, opened: Opened | null) {
  Object.assign(draft, { opened, mine: 'A', first: '', options: {}, choices: {} });
  if (opened)
    Object.assign(draft, {
      game: opened.game,
      edition: opened.edition,
      seats: opened.players.length,
      ply: opened.playable,
    });
}

/** The seats that are not the maker's, in order. */
export const otherSeats = ({ seats, mine }: Pick<Draft, 'seats' | 'mine'>): Seat[] =>
  Array.from({ length: seats }, (_, i) => letter(i)).filter((seat) => seat !== mine);

export const editionOf = (info: Info, { edition }: Draft): Edition =>
  info.editions.find((e) => e.name === edition) ?? info.editions[0]!;

/** What the rulebook asks of so many players; nothing where a record says it all. */
export function asks(info: Info, draft: Draft): { options: Option[]; choices: Choice[] } {
  const { options = [], choices = [] } = editionOf(info, draft);
  const fits = ({ players }: { players?: number[] }) => !draft.opened && (!players || players.includes(draft.seats));
  return { options: options.filter(fits), choices: choices.filter(fits) };
}

/** Of what was said by name, that which is asked: null where that is nothing. */
function said<T>(of: Record<string, T>, asked: { name: string }[]): Record<string, T> | null {
  const all = asked.flatMap(({ name }) => (name in of ? [[name, of[name]!] as const] : []));
  return all.length ? Object.fromEntries(all) : null;
}

/** What the house is told; the bots sit down afterwards, each in its seat, and so does a maker who does not sit on A. */
export function setup(info: Info, draft: Draft): Setup {
  const { game, edition, seats, aid, moveTime, awayTime, listed } = draft;
  const asked = asks(info, draft);
  const options = said(draft.options, asked.options);
  const choices = said(draft.choices, asked.choices);
  return {
    ...{ game, edition, seats },
    ...(draft.opened ? { record: draft.opened.record, ply: draft.ply } : { first: draft.first }),
    ...(options ? { options } : {}),
    ...(choices ? { choices } : {}),
    ...{ aid, moveTime, awayTime },
    ...(draft.quick ? { botTime: quickly } : {}),
    ...{ listed, sit: draft.mine === 'A' },
  };
}

/** Which bot sits where. */
export function bots(draft: Draft): { seat: Seat; bot: string }[] {
  const others = otherSeats(draft).map((seat, i) => ({ seat, bot: draft.others[i]! }));
  return others.filter(({ bot }) => bot !== '');
}

/** Whether the house would take it: what is chosen must be all chosen. */
export const ready = (info: Info, draft: Draft): boolean =>
  asks(info, draft).choices.every(({ name, count }) => (draft.choices[name]?.length ?? count) === count);

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
import { language, t, type Words } from '../messages/language.svelte';
import { rulebook, usualBot } from '../parts/names';
import { day, pace } from '../parts/span';
import { settings } from '../settings.svelte';
import type { Opened } from './opened';

/** A table as it is drawn up on the set-up page. */
export interface Draft {
  game: string;
  edition: string;
  seats: number;
  /** The maker's seat; '' where he has none: the table is on a big screen. */
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
  slow: boolean;
  listed: boolean;
}

/** For whoever wants to see bots think. Else the house has them go on as fast as one can follow. */
const slowly: [number, number] = [2200, 3800];

/** The times that one can choose from, in seconds. */
export const moveTimes = [0, 15, 30, 60, 120, day, 3 * day, 7 * day];
export const awayTimes = [30, 60, 120, 300, 900];
export const aids = ['', 'marks', 'all'] as const;

export function blank(info: Info): Draft {
  return {
    game: info.name,
    edition: info.editions[0]?.name ?? '',
    seats: Math.min(4, info.editions[0]?.maxSeats ?? 4),
    mine: 'A',
    others: ['', '', '', '', '', ''],
    opened: null,
    ply: 0,
    first: '',
    options: {},
    choices: {},
    aid: '',
    moveTime: 0,
    awayTime: 120,
    slow: false,
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

/** What is folded away on a set-up page, as it stands. */
export const restOf = (words: Words, draft: Draft): string =>
  [
    rulebook(words, draft),
    t('aid.is', { aid: t(`aid.${draft.aid || 'none'}`).toLocaleLowerCase() }),
    ...(draft.moveTime ? [pace(draft.moveTime)] : []),
    t(draft.slow ? 'bot.time.is.slow' : 'bot.time.is.quick'),
    ...(draft.listed ? [t('listed.is')] : []),
  ].join(' · ');

/** What the house is told. */
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
    ...(draft.slow ? { botTime: slowly } : {}),
    ...{ listed, language: language.now, places: places(draft) },
  };
}

/** Who sits where from the first. */
function places(draft: Draft): Record<Seat, string> {
  const others = otherSeats(draft).map((seat, i) => [seat, draft.others[i]!] as const);
  const mine = draft.mine ? [[draft.mine, 'me'] as const] : [];
  return Object.fromEntries([...mine, ...others.filter(([, bot]) => bot)]);
}

/** Whether somebody is still to come. */
export const waits = (draft: Draft): boolean => otherSeats(draft).some((_, i) => !draft.others[i]);

/** Whether the house would take it: what is chosen must be all chosen. */
export const ready = (info: Info, draft: Draft): boolean =>
  asks(info, draft).choices.every(({ name, count }) => (draft.choices[name]?.length ?? count) === count);

/** A table on one device: nobody is its maker, and on each seat sits somebody around it, or a bot. */
export function around(info: Info, bots: string[]): Draft {
  const bot = usualBot(bots);
  return { ...blank(info), mine: '', others: ['', bot, bot, bot, bot, bot], first: 'A' };
}

/** What is kept of a table for the next one. */
export function keep({ game, edition, seats, others, aid, moveTime, awayTime, slow }: Draft) {
  settings.last = { game, edition, seats, others, aid, moveTime, awayTime, slow };
}

const oneOf = <T>(all: readonly T[], value: unknown, usual: T): T => (all.includes(value as T) ? (value as T) : usual);

/** A table like the one before on this device, as far as the house still has what was chosen there. */
export function again(shelf: Info[], bots: string[]): Draft {
  const last = settings.last as Partial<Record<keyof Draft, unknown>>;
  const info = shelf.find(({ name }) => name === last.game);
  const draft = blank(info ?? shelf[0]!);
  if (!info) return draft;
  const others = Array.isArray(last.others) ? last.others : [];
  draft.edition = editionOf(info, { ...draft, edition: String(last.edition) }).name;
  const { minSeats, maxSeats } = editionOf(info, draft);
  draft.seats = Math.min(maxSeats, Math.max(minSeats, Number(last.seats) || draft.seats));
  draft.others = draft.others.map((usual, i) => oneOf(bots, others[i], usual));
  draft.aid = oneOf(aids, last.aid, '');
  draft.moveTime = oneOf(moveTimes, last.moveTime, 0);
  draft.awayTime = oneOf(awayTimes, last.awayTime, 120);
  draft.slow = last.slow === true;
  return draft;
}

/** The same table for somebody alone: he begins, nobody is waited for, and nobody else finds it. */
export function alone(draft: Draft, bots: string[]): Draft {
  const others = draft.others.map((bot) => bot || usualBot(bots));
  return { ...draft, others, mine: 'A', first: 'A', opened: null, options: {}, choices: {}, listed: false };
}

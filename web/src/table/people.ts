import { maybe, t } from '../messages/language.svelte';
import { called } from '../parts/names';
import type { Proposal, Said, Seat } from '../wire/protocol';

type Name = (seat: Seat) => string;

const people = new Set([
  'sit',
  'leave',
  'away',
  'back',
  'free',
  'host',
  'start',
  'timeout',
  'standin',
  'broken',
  'closed',
  'rule-closed',
  'rule-free',
  'rule-unlist',
  'rematch',
  'propose-free',
  'propose-break',
  'propose-sit',
  'agree',
  'decline',
  'withdraw',
  'lapse',
  'unopened',
]);
/** What comes of a proposal: that it is done, or not. A game that is broken off shows it by itself. */
const ends = new Set(['free', 'rule-free', 'sit', 'back', 'leave', 'decline', 'withdraw', 'lapse']);

/** Sentences about people are no secret of a game. A player and a grave can both be left: the rules cite a rule. */
export const aboutPeople = (said: Said) => people.has(said.verb) && !said.rule;
export const ending = (said: Said) => ends.has(said.verb) && !said.rule;

export const peopleSentence = (said: Said, name: Name) =>
  maybe(`people.${said.verb === 'host' && !said.seat ? 'host.back' : said.verb}`, '', {
    name: person(said, name),
    seat: said.seat,
  });

/** Whom a sentence about people is about: the name that it brings, if he still has one, for the seat may be another's by now. */
const person = ({ what, seat }: Said, name: Name) =>
  what?.includes(':') || what === 'random' || what === 'rules' ? name(seat) : called(what ?? '');

/** What somebody proposes, as whoever sits on `you` reads it. */
export function proposed({ do: what, name: bare, by, seat }: Proposal, you: Seat, nameOf: Name): string {
  const name = called(bare);
  if (what === 'break') return t('propose.break', { name });
  if (what === 'sit' && by === seat) return t('propose.back', { name });
  if (seat === you) return t(`propose.${what}.you`, { name });
  return t(`propose.${what}`, { name, seat, who: nameOf(seat) });
}

import { maybe } from '../messages/language.svelte';
import type { Said, Seat } from '../wire/protocol';

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
  'rematch',
]);

/** Sentences about people are no secret of a game. A player and a grave can both be left: the rules cite a rule. */
export const aboutPeople = (said: Said) => people.has(said.verb) && !said.rule;

export const peopleSentence = (said: Said, name: (seat: Seat) => string) =>
  maybe(`people.${said.verb}`, '', { name: person(said, name) });

/** Whom a sentence about people is about: the name that it brings, for the seat may be another's by now. */
const person = ({ what, seat }: Said, name: (seat: Seat) => string) =>
  what && !what.includes(':') && what !== 'random' ? what : name(seat);

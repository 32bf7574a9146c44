import { maybe } from '../messages/language.svelte';
import type { Phrase } from '../wire/protocol';

/** What people can say to each other at a table, by the names that the house knows; the gestures last. */
export const phrases = [
  'hello',
  'good',
  'played',
  'thanks',
  'sorry',
  'ohno',
  'hurry',
  'more',
  'clap',
  'laugh',
  'think',
  'heart',
];

/** A phrase in the reader's language, '' for one that a newer house knows. */
export const phrase = ({ id }: Pick<Phrase, 'id'>): string => maybe(`phrase.${id}`, '');

import { maybe, t, type Words } from '../messages/language.svelte';
import type { Seat } from '../wire/protocol';

// What people, bots and rulebooks are called.

/** What a bot is called: its strength, for it has no other name. */
export function botName(bot: string): string {
  const strength = bot.split(':').at(-1)!;
  return maybe(`bot.${strength}`, strength);
}

/** A seat of a table, or of its door sign. */
interface Taken {
  seat: Seat;
  name: string;
  bot: string;
  nameless?: boolean;
  /** Somebody at the table looks like him. */
  alike?: boolean;
}

/** What a person is called, who may have had his name erased. */
export const called = (name: string) => name || t('somebody');

/** Whether a seat is a person's, and whether it is anybody's. */
export const isPerson = ({ name, nameless }: Taken) => name !== '' || !!nameless;
export const isTaken = (sitter: Taken) => isPerson(sitter) || sitter.bot !== '';

/** What a sitter is called: with his seat's letter where somebody looks like him, as a bot has it, since others may be as strong. */
export const nameOf = (sitter: Taken) => {
  const { seat, name, bot, alike } = sitter;
  if (isPerson(sitter)) return alike ? `${called(name)} ${seat}` : called(name);
  return bot ? `${botName(bot)} ${seat}` : t('seat', { seat });
};

/** What a table plays by: an edition where its game has several, else the game; by its own name where this page does not know it. */
export const rulebook = (words: Words | undefined, { game, edition }: { game: string; edition: string }): string =>
  edition ? (words?.maybe(`edition.${edition}`, edition) ?? edition) : (words?.maybe('name', game) ?? game);

import { botNames, maybe, t, type Words } from '../messages/language.svelte';
import { number, type Seat } from '../wire/protocol';

// What people, bots and rulebooks are called.

/** What a kind of bot is called: its strength. */
export function botName(bot: string): string {
  const strength = bot.split(':').at(-1)!;
  return maybe(`bot.${strength}`, strength);
}

/** The bot that one plays with who has not chosen any. */
export const usualBot = (bots: string[]): string => bots.find((bot) => /^(.*:)?keen$/.test(bot)) ?? bots[0]!;

/** The number of the name that a bot on that seat of that table has: on every page the same, and no two at a table have one. */
export function given(table: string, seat: Seat): number {
  const sum = [...table].reduce((sum, letter) => (31 * sum + letter.charCodeAt(0)) % 65_521, 0);
  return (sum + 7 * number(seat)) % botNames().length;
}

/** A seat of a table, or of its door sign. */
interface Taken {
  seat: Seat;
  name: string;
  bot: string;
  nameless?: boolean;
  /** The table at which he sits; where none is said a bot has no name of its own. */
  table?: string;
  /** Somebody at the table looks like him. */
  alike?: boolean;
}

/** What a person is called, who may have had his name erased. */
export const called = (name: string) => name || t('somebody');

/** Whether a seat is a person's, and whether it is anybody's. */
export const isPerson = ({ name, nameless }: Taken) => name !== '' || !!nameless;
export const isTaken = (sitter: Taken) => isPerson(sitter) || sitter.bot !== '';

/** What a sitter is called: with his seat's letter where somebody looks like him, and as a bot without a name has it, since others may
 * be as strong. */
export const nameOf = (sitter: Taken) => {
  const { seat, name, bot, alike, table } = sitter;
  if (isPerson(sitter)) return alike ? `${called(name)} ${seat}` : called(name);
  if (!bot) return t('seat', { seat });
  return table ? botNames()[given(table, seat)]! : `${botName(bot)} ${seat}`;
};

/** The same with the word that it is a bot, and which. */
export const nameAndKind = (sitter: Taken) =>
  sitter.table && sitter.bot && !isPerson(sitter)
    ? t('bot.named', { name: nameOf(sitter), bot: botName(sitter.bot).toLocaleLowerCase() })
    : nameOf(sitter);

/** What a table plays by: an edition where its game has several, else the game; by its own name where this page does not know it. */
export const rulebook = (words: Words | undefined, { game, edition }: { game: string; edition: string }): string =>
  edition ? (words?.maybe(`edition.${edition}`, edition) ?? edition) : (words?.maybe('name', game) ?? game);

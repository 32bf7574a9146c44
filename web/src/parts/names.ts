import { maybe, t, type Words } from '../messages/language.svelte';
import type { Seat } from '../wire/protocol';

// What people, bots and rulebooks are called.

/** What a bot is called: its strength, for it has no other name. */
export function botName(bot: string): string {
  const strength = bot.split(':').at(-1)!;
  return maybe(`bot.${strength}`, strength);
}

/** What a sitter is called: with his seat's letter where somebody looks like him, as a bot has it, since others may be as strong. */
export const nameOf = ({
  seat,
  name,
  bot,
  alike = false,
}: {
  seat: Seat;
  name: string;
  bot: string;
  alike?: boolean;
}) => (name ? (alike ? `${name} ${seat}` : name) : bot ? `${botName(bot)} ${seat}` : t('seat', { seat }));

/** What a table plays by: an edition where its game has several, else the game; by its own name where this page does not know it. */
export const rulebook = (words: Words | undefined, { game, edition }: { game: string; edition: string }): string =>
  edition ? (words?.maybe(`edition.${edition}`, edition) ?? edition) : (words?.maybe('name', game) ?? game);

import { maybe, t } from '../messages/language.svelte';

/** A source in the reader's words: `2004 ch. 4` or, where a rulebook does not number its chapters, `2004, Two players`. */
export function citation(source: string): string {
  const [book, chapter] = source.split(', ');
  return chapter ? `${book}, ${maybe(`source.${chapter}`, chapter)}` : source.replace('ch.', t('chapter'));
}

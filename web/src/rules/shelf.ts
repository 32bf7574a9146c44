import type { Language } from '../messages/language.svelte';
import { readBook, readRulings, type Book } from './book';

// The books are fetched when they are first wanted, in the reader's language only.

const texts = import.meta.glob<string>('../../../docs/rules/*.md', { query: '?raw', import: 'default' });
const drawings = import.meta.glob<string>('../../../docs/rules/figures/*.svg', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** The books of these names in this language. */
export const read = (names: string[], language: Language): Promise<Book[]> =>
  Promise.all(names.map(async (name) => readBook(name, await texts[`../../../docs/rules/${name}.${language}.md`]!())));

/** The rulings by their codes, in English: they are one page for all. */
export const rulings = async (): Promise<Map<string, string>> =>
  readRulings((await import('../../../docs/rulings.md?raw')).default);

export interface Drawing {
  src: string;
  width: number;
  height: number;
  says: string;
}

/** A figure, and what it says to whoever does not see it. */
export function drawing(file: string, language: Language): Drawing {
  const svg = drawings[`../../../docs/rules/figures/${file}`]!;
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)!.map(Number);
  const says = new RegExp(language === 'en' ? '<desc>([^<]*)' : `<desc lang="${language}">([^<]*)`).exec(svg)![1]!;
  return { src: `data:image/svg+xml,${encodeURIComponent(svg)}`, width: width!, height: height!, says };
}

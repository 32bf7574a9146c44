import { paragraphs, said, type Book, type Chapter, type Paragraph } from './book';

const words = /\d+(?:\.\d+)*|[\p{L}\p{M}\p{N}]+/gu;

/** A word as the search sees it: small letters, bare of accents; ё is е and œ is oe, but й stays what it is. */
const bare = (word: string) =>
  word
    .toLowerCase()
    .normalize('NFD')
    .replace(/(и)\u0306|\p{M}/gu, (_, short) => (short ? 'й' : ''))
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae');

/** The words of which all have to be found, in any order. */
export const asked = (query: string): string[] => [...query.matchAll(words)].map(([word]) => bare(word));

const begins = (text: string, word: string) =>
  [...text.matchAll(words)].some(([other]) => bare(other).startsWith(word));

/** A word is found in a paragraph's text or chapter, at a word's beginning; or it is the paragraph's number, chapter or ruling. */
function has(paragraph: Paragraph, chapter: Chapter, word: string): boolean {
  const { number, codes } = paragraph;
  if (number === word || chapter.number === word || codes.some((code) => bare(code) === word)) return true;
  return [chapter.title, ...said(paragraph)].some((text) => begins(text, word));
}

/** The books with nothing in them but what was asked for; a book without it is not there. */
export function find(shelf: Book[], query: string): Book[] {
  const all = asked(query);
  const found = shelf.map((book) => ({
    ...book,
    chapters: book.chapters
      .map((chapter) => ({
        ...chapter,
        paragraphs: chapter.paragraphs.filter((p) => all.every((word) => has(p, chapter, word))),
      }))
      .filter((chapter) => chapter.paragraphs.length),
  }));
  return found.filter((book) => paragraphs(book).length);
}

export interface Piece {
  text: string;
  as: '' | 'em' | 'strong' | 'code';
  hit: boolean;
}

const styles: [string, Piece['as']][] = [
  ['**', 'strong'],
  ['*', 'em'],
  ['`', 'code'],
];

/** A text in pieces of one style each, the words that were asked for apart. */
export function pieces(text: string, wanted: string[] = []): Piece[] {
  return text.split(/(\*\*[^*]+\*\*|\*[^*]+\*|`[^`]+`)/).flatMap((part) => {
    const [sign = '', as] = styles.find(([sign]) => part.startsWith(sign)) ?? ['', '' as const];
    return hits(part.slice(sign.length, part.length - sign.length), wanted).map(([text, hit]) => ({ text, as, hit }));
  });
}

function hits(text: string, wanted: string[]): [string, boolean][] {
  const cut: [string, boolean][] = [];
  let from = 0;
  for (const { 0: word, index } of wanted.length ? text.matchAll(words) : []) {
    if (!wanted.some((begin) => bare(word).startsWith(begin))) continue;
    cut.push([text.slice(from, index), false], [word, true]);
    from = index + word.length;
  }
  cut.push([text.slice(from), false]);
  return cut.filter(([text]) => text);
}

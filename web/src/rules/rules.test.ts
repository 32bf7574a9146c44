import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { games } from '../games';
import { language as speech, languages, type Language } from '../messages/language.svelte';
import { rulebook } from '../parts/names';
import { cited, paragraphs, readBook, readRulings, said, sorted } from './book';
import { asked, find, pieces } from './search';
import { read } from '../route.svelte';
import { drawing, read as readAll, rulings } from './shelf';

const bookNames = games.flatMap((game) => game.books);
const books = (language: Language) => readAll(bookNames, language);

const page = `# A small book

## 0. Before {2004, Preparation}

### 0.1 {2004, Preparation}
Take *six* rats,
and \`d4\`.
![Two graves](figures/row.svg)

## 1. Playing {2004 ch. 1}

### 1.1 {2004 ch. 1} {O1 P3}
You may:
- open a grave,
  or not;
- stop.

### 1.2 {2004 ch. 1}
Garlic.
`;
const small = readBook('small', page);
const numbers = (query: string, shelf = [small]) =>
  find(shelf, query)
    .flatMap(paragraphs)
    .map((p) => p.number);

test('a book is read into chapters and numbered paragraphs of text, lists and figures', () => {
  expect(small.title).toBe('A small book');
  expect(small.chapters.map(({ number, title, source }) => [number, title, source])).toEqual([
    ['0', 'Before', '2004, Preparation'],
    ['1', 'Playing', '2004 ch. 1'],
  ]);
  const [first, second] = paragraphs(small);
  expect(first).toEqual({
    number: '0.1',
    source: '2004, Preparation',
    codes: [],
    blocks: [
      { kind: 'text', text: 'Take *six* rats, and `d4`.' },
      { kind: 'figure', file: 'row.svg', caption: 'Two graves' },
    ],
  });
  expect(second!.codes).toEqual(['O1', 'P3']);
  expect(second!.blocks).toEqual([
    { kind: 'text', text: 'You may:' },
    { kind: 'list', items: ['open a grave, or not;', 'stop.'] },
  ]);
});

test('a citation opens every paragraph of its chapter or ruling, in the first book that has one', () => {
  const other = readBook('other', page.replaceAll('2004', 'other').replace('P3', 'X1'));
  const opened = (rule: string, own: string) => {
    const found = cited(sorted([small, other], own), rule);
    return found && [found.book.name, ...found.numbers];
  };
  expect(opened('2004 ch. 1', 'other')).toEqual(['small', '1.1', '1.2']);
  expect(opened('O1', 'other')).toEqual(['other', '1.1']);
  expect(opened('P3', 'other')).toEqual(['small', '1.1']);
  expect(opened('O', 'small')).toBeNull();
});

test('a ruling is read from its code to the next one', () => {
  const page =
    '# Rulings\n\nCite `P3`.\n\n**Dance** — N1 a stake, as in\nD4 (J): one in total. N2 O2 is compulsory (V).\n\n**Bats** — B2 it ends the turn (J).';
  expect([...readRulings(page)]).toEqual([
    ['N1', 'a stake, as in D4 (J): one in total.'],
    ['N2', 'O2 is compulsory (V).'],
    ['B2', 'it ends the turn (J).'],
  ]);
});

test('a paragraph has an address of its own', () => {
  expect(read('/rules/rucola', '#5.3')).toEqual({ at: 'rules', book: 'rucola', number: '5.3' });
  expect(read('/rules', '')).toEqual({ at: 'rules', book: '', number: '' });
  expect(read('/rulesets', '')).toEqual({ at: 'nowhere' });
});

describe('the search', () => {
  const book = readBook(
    'b',
    `# B\n\n## 1. Чума\u0301 {x}\n\n### 1.1 {x} {P1 Q10}\nКрыса её съела, мой друг.\n\n### 1.2 {2017, Two players}\nL’ail brûle le cœur : 2.4.\n`,
  );
  test.each([
    ['ее кры', ['1.1']],
    ['ЕЁ', ['1.1']],
    ['чума', ['1.1', '1.2']],
    ['мои', []],
    ['рыса', []],
    ['coeur AIL', ['1.2']],
    ['bru', ['1.2']],
    ['bru крыса', []],
    ['p1', ['1.1']],
    ['Q1', []],
    ['1.2', ['1.2']],
    ['1', ['1.1', '1.2']],
    ['2.4', ['1.2']],
    ['players', []],
    ['…', ['1.1', '1.2']],
  ])('for “%s”', (query, wanted) => expect(numbers(query, [book])).toEqual(wanted));

  test('leaves out books and chapters without a hit', () => {
    expect(find([small, book], 'garlic').map((b) => [b.name, b.chapters.length])).toEqual([['small', 1]]);
  });

  test('marks the words that were asked for, in every style', () => {
    expect(pieces('A *brute*, **l’été**: `d4`.', asked('ete brut'))).toEqual([
      { text: 'A ', as: '', hit: false },
      { text: 'brute', as: 'em', hit: true },
      { text: ', ', as: '', hit: false },
      { text: 'l’', as: 'strong', hit: false },
      { text: 'été', as: 'strong', hit: true },
      { text: ': ', as: '', hit: false },
      { text: 'd4', as: 'code', hit: false },
      { text: '.', as: '', hit: false },
    ]);
    expect(pieces('plain')).toEqual([{ text: 'plain', as: '', hit: false }]);
  });
});

describe.each(Object.keys(languages) as Language[])('the books of the house in %s', (language) => {
  const page = (name: string) => readFileSync(`../docs/rules/${name}.${language}.md`, 'utf8');

  test('are read without a word lost', async () => {
    const shelf = await books(language);
    expect(shelf.map((book) => book.name)).toEqual([...bookNames]);
    const inWords = (text: string) =>
      text
        .replace(/[#*`{}()[\]!-]|\d+\.(?:\d+)?|figures\/\S+/g, ' ')
        .split(/\s+/)
        .filter(Boolean);
    for (const book of shelf) {
      const read = book.chapters.flatMap((c) => [
        c.title,
        c.source,
        ...c.paragraphs.flatMap((p) => [p.source, ...p.codes, ...said(p)]),
      ]);
      expect(inWords([book.title, ...read].join(' ')), book.name).toEqual(inWords(page(book.name)));
    }
  });

  test('are called what set-up pages and doors call them', async () => {
    speech.speak(language);
    for (const { title, name } of await books(language)) {
      const game = games.find((game) => game.books.includes(name))!;
      const edition = name === game.name ? '' : name;
      expect(`${rulebook(game.words, { game: game.name, edition })} (`).toContain(`${title} (`);
    }
    speech.speak('en');
  });

  test('leave no sign of their format in the text', async () => {
    const shown = (await books(language))
      .flatMap(paragraphs)
      .flatMap(said)
      .flatMap((text) => pieces(text))
      .map((piece) => piece.text);
    expect(shown.filter((text) => /[*`{}#]|\]\(/.test(text))).toEqual([]);
  });

  test('have drawings that say what they show', async () => {
    const files = (await books(language))
      .flatMap(paragraphs)
      .flatMap((p) => p.blocks)
      .flatMap((b) => (b.kind === 'figure' ? b.file : []));
    expect(files.length).toBeGreaterThan(5);
    for (const file of files) {
      const { src, width, height, says } = drawing(file, language);
      expect(src).toMatch(/^data:image\/svg/);
      expect(Math.min(width, height)).toBeGreaterThan(50);
      expect(says.length, file).toBeGreaterThan(20);
    }
  });

  test('name their sources in the reader’s language', async () => {
    const sources = (await books(language)).flatMap((book) =>
      book.chapters.flatMap((c) => [c.source, ...c.paragraphs.map((p) => p.source)]),
    );
    const names = new Set(sources.flatMap((source) => source.split(', ')[1] ?? []));
    expect(names.size).toBeGreaterThan(20);
    expect([...names].filter((name) => !(`source.${name}` in languages[language]))).toEqual([]);
  });

  test('tell every ruling', async () => {
    const shelf = await books(language);
    const codes = [...(await rulings()).keys()];
    expect(codes).toHaveLength(
      new Set(readFileSync('../docs/rulings.md', 'utf8').match(/\b[SWOKTGPDXCBNQ][1-9]\d?\b/g)).size,
    );
    expect(codes.filter((code) => !cited(shelf, code))).toEqual([]);
  });
});

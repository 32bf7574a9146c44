import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { games } from '../games';
import { language } from '../messages/language.svelte';
import { reader, type Spot } from './reader.svelte';
import Reader from './Reader.svelte';
import Why from './Why.svelte';

const books = games.flatMap((game) => game.books);

beforeEach(() => {
  Element.prototype.scrollIntoView = () => {};
});
afterEach(() => {
  cleanup();
  reader.spot = null;
  language.speak('en');
});

async function read(spot: Spot, own = '2017') {
  const turn = vi.fn();
  const page = render(Reader, { own, books, spot, turn });
  await vi.waitFor(() => screen.getAllByRole('heading', { level: 2 }));
  await tick();
  await tick();
  return { turn, page };
}

const marked = () => [...document.querySelectorAll('[aria-current]')].map((p) => p.getAttribute('aria-label'));
const shown = () => [...document.querySelectorAll('.paragraph')].map((p) => p.getAttribute('data-number'));
const titles = () => screen.getAllByRole('heading', { level: 2 }).map((h) => h.textContent);
const search = (words: string) => fireEvent.input(screen.getByRole('searchbox'), { target: { value: words } });

test('a citation opens the table’s own book, marked and focused', async () => {
  await read({ rule: 'P3' });
  expect(titles()).toEqual(['La Danse des Vampires']);
  expect(marked()).toEqual(['Paragraph 6.3']);
  expect(document.activeElement?.getAttribute('data-number')).toBe('6.3');
});

test('what the own book does not tell is opened in 2004, and all its paragraphs are marked', async () => {
  await read({ rule: 'P7' });
  expect(titles()).toEqual(['Dawn Under']);
  expect(marked()).toEqual(['5.1', '5.2', '5.3', '5.4', '7.5'].map((n) => `Paragraph ${n}`));
});

test('the ruling can be read beside its paragraph, in English', async () => {
  language.speak('fr');
  await read({ rule: 'N6' });
  const ruling = document.querySelector('[aria-current] details')!;
  expect(ruling.querySelector('summary')!.textContent?.replace(/\s/, ' ')).toBe('Décision N6');
  expect(ruling.querySelector('p')!.lang).toBe('en');
  expect(ruling.textContent).toContain('at most so many');
});

test('the search goes through all books, the own one first, and says how much was found', async () => {
  await read({ book: '', number: '' }, 'rucola');
  await search('dog');
  expect(screen.getByRole('status').textContent).toBe('0 paragraphs found');
  await search('BATS doubter');
  expect(titles()[0]).toBe('Count Rucola');
  expect(screen.getByRole('status').textContent).toBe(`${shown().length} paragraphs found`);
  expect(document.querySelectorAll('mark').length).toBeGreaterThan(3);
  await search('2.7');
  expect(screen.getByRole('status').textContent).toBe('1 paragraph found');
  await search('');
  expect(titles()).toEqual(['Count Rucola']);
});

test('from a hit one goes to its page; a paragraph is a link, and books are chosen by name', async () => {
  const { turn, page } = await read({ book: '', number: '' });
  await search('p7');
  await fireEvent.keyDown(screen.getByRole('searchbox'), { key: 'Enter' });
  const first = document.activeElement as HTMLElement;
  expect(first.getAttribute('data-number')).toBe('5.1');
  const link = within(first).getByRole('link');
  expect(link.getAttribute('href')).toBe('/rules/2004#5.1');
  await fireEvent.click(link);
  expect(turn).toHaveBeenLastCalledWith({ book: '2004', number: '5.1' });
  await page.rerender({ spot: { book: '2004', number: '5.1' } });
  await tick();
  expect(marked()).toEqual(['Paragraph 5.1']);
  await fireEvent.change(screen.getByRole('combobox'), { target: { value: 'toc-toc-toc' } });
  expect(turn).toHaveBeenLastCalledWith({ book: 'toc-toc-toc', number: '' });
});

test('who changes the language stays at his paragraph, and keeps his hands where they are', async () => {
  await read({ rule: 'P3' });
  screen.getByRole('searchbox').focus();
  language.speak('ru');
  await vi.waitFor(() => expect(marked()).toEqual(['Пункт 6.3']));
  expect(document.activeElement).toBe(screen.getByRole('searchbox'));
});

test('why? says what of, opens the book, and gets the focus back', async () => {
  render(Why, { rule: 'P3', of: 'Ana passes.' });
  const button = screen.getByRole('button', { name: 'why? Ana passes.' });
  await fireEvent.click(button);
  expect(reader.spot).toEqual({ rule: 'P3' });
  await reader.close();
  expect(document.activeElement).toBe(button);
});

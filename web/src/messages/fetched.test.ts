import { afterEach, beforeEach, expect, test, vi } from 'vitest';

// A page fetches the languages that are read on it, and no other.

let page: typeof import('./language.svelte');
let dawn: typeof import('../games/dawn/words');

beforeEach(async () => {
  vi.resetModules();
  page = await import('./language.svelte');
  dawn = await import('../games/dawn/words');
  await page.fetchLanguage('en');
});
afterEach(() => localStorage.clear());

const here = () => Object.keys(page.languages);

test('one language is there, for the page and for its games', () => {
  expect(here()).toEqual(['en']);
  expect(page.t('settings')).toBe('Settings');
  expect(dawn.t('edition.2004')).toBe('Dawn Under (2004)');
});

test('whoever turns to another one reads on until it has come, and then reads that', async () => {
  page.language.speak('fr');
  expect(page.t('settings')).toBe('Settings');
  await vi.waitFor(() => expect(page.language.now).toBe('fr'));
  expect(page.t('settings')).toBe('Réglages');
  expect(dawn.t('edition.2004')).toBe('De l’air épais dans le caveau (2004)');
  expect(here()).toEqual(['en', 'fr']);
  page.language.speak('en');
  expect(page.t('settings')).toBe('Settings');
});

test('who is quicker than the line reads what he pressed last', async () => {
  page.language.speak('fr');
  page.language.speak('ru');
  await vi.waitFor(() => expect(here()).toEqual(expect.arrayContaining(['en', 'fr', 'ru'])));
  await Promise.resolve();
  expect(page.language.now).toBe('ru');
  page.language.speak('en');
  expect(page.language.now).toBe('en');
});

test('a part of the page that comes later says what it has to in every language that is here', async () => {
  await page.fetchLanguage('ru');
  const toctoc = await import('../games/toctoc/words');
  page.language.speak('ru');
  expect(toctoc.t('card.monster')).toBe('Монстр');
});

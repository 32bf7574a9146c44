import { expect, test } from 'vitest';
import { notices, words, type Called } from './notice';

const called: Called = { table: 'k3x', game: 'dawn-under', title: 'Dawn Under', why: 'turn', language: 'en' };
// A Tuesday, by the clock of whoever reads it.
const until = new Date(2026, 10, 24, 18, 5).toISOString();

test('a notice says what is asked, of which game and until when', () => {
  expect(words(called)).toEqual({ title: 'It is your turn', body: 'Dawn Under.' });
  const titles = { en: 'Dawn Under', fr: 'De l’air épais dans le caveau', ru: 'До рассвета' };
  const read = (['en', 'fr', 'ru'] as const).map((language) =>
    words({ ...called, title: titles[language], why: 'late', until, language }),
  );
  expect(read.map(({ body }) => body.replace(/\s/g, ' '))).toEqual([
    'Dawn Under. You have until Tuesday, 06:05 PM.',
    'De l’air épais dans le caveau. Tu as jusqu’à mardi à 18:05.',
    'До рассвета. У вас есть время до 18:05, 24 ноября.',
  ]);
  expect(words({ ...called, title: 'Toc Toc Toc', why: 'begun', until }).body).toBe('Toc Toc Toc.');
});

test('every language has every word', () => {
  for (const said of Object.values(notices)) expect(Object.values(said).every(Boolean)).toBe(true);
  expect(new Set(Object.values(notices).flatMap((said) => Object.values(said))).size).toBe(12);
});

import { afterEach, expect, test } from 'vitest';
import { language } from '../messages/language.svelte';
import { left, pace, span } from './span';

afterEach(() => language.speak('en'));

test('days are said as days, and what is left of them in two units', () => {
  expect([30, 120, 86_400, 604_800].map(span)).toEqual(['30 seconds', '2 minutes', '1 day', '7 days']);
  expect([60, 259_200].map(pace)).toEqual(['60 seconds a move', '3 days a move']);
  const said = (['en', 'fr', 'ru'] as const).map((tongue) => {
    language.speak(tongue);
    return [left(2 * 86_400 + 5 * 3600 + 59, 'narrow'), left(5 * 3600 + 720, 'long'), pace(86_400)].join(' | ');
  });
  expect(said.map((words) => words.replace(/\s/g, ' '))).toEqual([
    '2d 5h | 5 hours 12 minutes | 1 day a move',
    '2j 5h | 5 heures 12 minutes | 1 jour par coup',
    '2 д. 5 ч | 5 часов 12 минут | 1 день на ход',
  ]);
});

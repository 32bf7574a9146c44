import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import source from './alike.ts?raw';
import { lookalikes, skeleton } from './alike';

test.each([
  ['Ana', 'ANA', 'Аnа', 'A na', 'Ａｎａ', 'Åna', 'A\u200dna'],
  ['Oleg', '0leg', 'ОIeg'],
  ['Coco', 'Сосо'],
])('%s looks like the others', (...alike) => expect(new Set(alike.map(skeleton)).size).toBe(1));

test('who looks like nobody else', () =>
  expect(new Set(['Ana', 'Anna', 'Дима', 'Дина', '明', '🦇', '🐀', 'Max 2', 'Max 7'].map(skeleton)).size).toBe(9));

test('people who look alike at one table; bots go by other names', () => {
  const seats = [
    { name: 'Ana', bot: '' },
    { name: '', bot: 'random' },
    { name: 'Ben', bot: '' },
    { name: 'аnа', bot: '' },
    { name: '', bot: '' },
    { name: 'Ana', bot: 'random' },
  ];
  expect([...lookalikes(seats)]).toEqual([0, 3]);
});

test('the house has the same list', () => {
  const here = /'(aа.*)'\.split/.exec(source)![1]!.split(' ');
  const there = readFileSync('../names/names.go', 'utf8').split('range []string{')[1]!.split('}')[0]!;
  expect(there.match(/[^"\s,]+(?=")/g)).toEqual(here);
});

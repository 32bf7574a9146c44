import { expect, test } from 'vitest';
import { botNames, languages } from '../messages/language.svelte';
import { given, nameAndKind, nameOf } from './names';

test('whom one could take for somebody else has the letter of his seat', () => {
  expect(nameOf({ seat: 'A', name: 'Ana', bot: '' })).toBe('Ana');
  expect(nameOf({ seat: 'C', name: 'Ana', bot: '', alike: true })).toBe('Ana C');
});

const bot = (table: string, seat: string) => ({ seat, name: '', bot: 'remembering:keen', table });

test('a bot at a table has a name of its own, the same whenever one looks, and no two at a table have one', () => {
  expect(nameOf({ seat: 'C', name: '', bot: 'random' })).toBe('Random bot C');
  for (const table of ['k3x', 'zz2m4', 'caveau']) {
    const names = [...'ABCDEF'].map((seat) => nameOf(bot(table, seat)));
    expect(names).toEqual([...'ABCDEF'].map((seat) => nameOf(bot(table, seat))));
    expect(new Set(names).size, table).toBe(6);
  }
});

test('at different tables bots have different names', () => {
  const tables = Array.from({ length: 200 }, (_, i) => `table${i}`);
  expect(new Set(tables.map((table) => given(table, 'B'))).size).toBe(botNames().length);
});

test('where there is room it is said of a bot what it is, and of nobody else', () => {
  expect(nameAndKind(bot('k3x', 'B'))).toBe(`${nameOf(bot('k3x', 'B'))} (keen bot)`);
  expect(nameAndKind({ seat: 'A', name: 'Ana', bot: '', table: 'k3x' })).toBe('Ana');
});

test('in every language there are as many names for bots, and none is proposed to a person', () => {
  for (const messages of Object.values(languages)) {
    expect(messages['bot.names']).toHaveLength(botNames().length);
    expect(new Set(messages['bot.names'] as string[]).size).toBe(botNames().length);
    const people = messages['name.suggestions'] as string[];
    expect(people.filter((name) => (messages['bot.names'] as string[]).includes(name))).toEqual([]);
  }
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { here as owner } from '../owner/words';
import { format, type Message, type Plural } from './format';
import { language, languages, list, preferred, t, type Language, type Words } from './language.svelte';

type Dictionary = Record<Language, Record<string, Message>>;

const folderOf = (file: string) => file.split('/')[2]!;
const games = Object.entries(import.meta.glob<{ here: Words }>('../games/*/words.ts', { eager: true })).map(
  ([file, { here }]) => ({ folder: folderOf(file), here }),
);

/** What is common to all, and what each game brings, with the folder in which it is said. */
const parts: [name: string, own: Dictionary, folder: string][] = [
  ['the page', languages, 'src'],
  ['the owner’s page', owner.own, 'src/owner'],
  ...games.map(({ folder, here }): [string, Dictionary, string] => [folder, here.own, `src/games/${folder}`]),
];
/** And what its lessons say, which is fetched by itself. */
const lessons = Object.entries(
  import.meta.glob<{ own: Dictionary }>('../games/*/lessons/words.ts', { eager: true }),
).map(([file, { own }]): [string, Dictionary] => [`the lessons of ${folderOf(file)}`, own]);
const all = [...parts, ...lessons].flatMap(([name, own]) =>
  (Object.keys(own) as Language[]).map((tag) => [name, tag, own[tag], own.en] as const),
);
const keysOf = (own: Dictionary) => Object.keys(own.en);

const forms = (message: Message): string[] =>
  typeof message === 'string' ? [message] : Object.values(message as Plural);
const isPlural = (message: Message) => typeof message === 'object' && !Array.isArray(message);
const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((m) => m[1]!).sort();

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'messages' ? [] : sources(path);
    return /\.(svelte|ts)$/.test(entry.name) && !entry.name.includes('.test.') ? [readFileSync(path, 'utf8')] : [];
  });
}
describe.each(all)('the messages of %s in %s', (_, tag, messages, english) => {
  const keys = Object.keys(english).sort();

  test('have every sentence, and no other', () => {
    expect(Object.keys(messages).sort()).toEqual(keys);
  });

  test('say something under every key', () => {
    const empty = Object.entries(messages).filter(([, message]) => forms(message).some((text) => !text.trim()));
    expect(empty).toEqual([]);
  });

  test('are plural where the others are, with every form that the language has', () => {
    const wanted = new Intl.PluralRules(tag).resolvedOptions().pluralCategories.sort();
    for (const key of keys) {
      const message = messages[key]!;
      expect(isPlural(message), key).toBe(isPlural(english[key]!));
      if (isPlural(message)) expect(Object.keys(message).sort(), key).toEqual(wanted);
    }
  });

  test('have the same placeholders as the English ones, in every form', () => {
    for (const key of keys) {
      if (Array.isArray(messages[key])) continue;
      const wanted = placeholders(forms(english[key]!).at(-1)!);
      for (const text of forms(messages[key]!)) expect(placeholders(text), `${key}: ${text}`).toEqual(wanted);
    }
  });
});

test('a game says nothing under a key of the page', () => {
  for (const [name, own] of parts.slice(1))
    expect(
      keysOf(own).filter((key) => key in languages.en),
      name,
    ).toEqual([]);
});

test.each(parts)('every sentence that is asked for in the source of %s exists', (_, own, folder) => {
  const known = new Set([
    ...keysOf(own),
    ...Object.keys(languages.en),
    ...(folder === 'src' ? parts.flatMap(([, own]) => keysOf(own)) : []),
  ]);
  const asked = [
    ...sources(folder)
      .join('\n')
      .matchAll(/\bt\(\s*'([^']+)'/g),
  ].map((m) => m[1]!);
  expect(asked.length).toBeGreaterThan(20);
  expect(asked.filter((key) => !known.has(key))).toEqual([]);
});

/** Keys that are put together by the page for every game: its names, its set-up, its refusals, its story. */
const ofGames =
  /^(name|hint|edition\.\w+(\.hint)?|aid\.\w+\.hint|(option|choice)\.\w+(\.\w+)?|code\.\w+|story\.rises)$/;

test.each(parts)('every sentence of %s is asked for, by its key or by the beginning of it', (name, own, folder) => {
  const source = sources(folder).join('\n');
  const quoted = new Set([...source.matchAll(/'([a-z]+(?:\.[\w.]+)*)'/g)].map((m) => m[1]!));
  const begun = [...source.matchAll(/`([a-z]+\.(?:[a-z]+\.)?)\$\{/g)].map((m) => m[1]!);
  const ends = new Set([...source.matchAll(/`\$\{[^`]*\}(\.[a-z]+)`/g)].map((m) => m[1]!));
  const used = (key: string) =>
    quoted.has(key) ||
    begun.some((start) => key.startsWith(start)) ||
    [...ends].some((e) => key.endsWith(e)) ||
    /^(rest|give|take)\./.test(key);
  const wanted = keysOf(own).filter(
    (key) => !/^(name\.suggestions|lesson\.names)$/.test(key) && (folder === 'src' || !ofGames.test(key)),
  );
  expect(
    wanted.filter((key) => !used(key)),
    name,
  ).toEqual([]);
});

test('every reason that the house gives for a refusal has a sentence', () => {
  const rules = readdirSync('../games', { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.go') && !path.endsWith('_test.go'),
  );
  const reasons = rules.flatMap((path) =>
    [...readFileSync(join('../games', path), 'utf8').matchAll(/(?:\bCode: |\bbecause\()"(\w+)"/g)].map((m) => m[1]!),
  );
  // Wherever a refusal is made, its code was found.
  for (const path of rules) {
    const text = readFileSync(join('../games', path), 'utf8');
    expect([...text.matchAll(/\bbecause\((?!code\b)|Refusal\{(?!Code: code\b|\})/g)].length, path).toBe(
      [...text.matchAll(/\bbecause\("\w+"|Refusal\{Code: "\w+"/g)].length,
    );
  }
  const named = /Codes: ([^]*?)\n\n/.exec(readFileSync('../docs/protocol.md', 'utf8'))?.[1] ?? '';
  const codes = new Set([...reasons, ...[...named.matchAll(/`([a-z_]{4,})`/g)].map((m) => m[1]!)]);
  codes.delete('rule');
  expect(codes.size).toBeGreaterThan(20);
  const said = new Set(parts.flatMap(([, own]) => keysOf(own)));
  expect([...codes].filter((code) => !said.has(`code.${code}`))).toEqual([]);
});

test('a component has no prose of its own', () => {
  const markup = sources('src')
    .filter((text) => text.includes('<script'))
    .map((text) => text.replace(/<script[\s\S]*?<\/script>|<style>[\s\S]*?<\/style>|<!--[\s\S]*?-->|&#\w+;/g, ''));
  const prose = markup.flatMap((text) =>
    [...text.matchAll(/>([^<>{}]*\p{L}{3,}[^<>{}]*)</gu)].map((m) => m[1]!.trim()),
  );
  expect(prose.filter((words) => words !== 'Caveau')).toEqual([]);
});

test('French elides before a vowel, whoever it is', () => {
  const place = (name: string) => format('La place de {name}', 'fr', { name });
  expect(['Ana', 'Élise', 'Igor', 'Yves'].map(place)).toEqual(
    ['Ana', 'Élise', 'Igor', 'Yves'].map((name) => `La place d’${name}`),
  );
  expect(['Ben', 'Yann', '7'].map(place)).toEqual(['Ben', 'Yann', '7'].map((name) => `La place de ${name}`));
  expect(format('tant que {names}', 'fr', { names: 'Ana et Ben' })).toBe('tant qu’Ana et Ben');
  expect(format('made {name}', 'fr', { name: 'Ana' })).toBe('made Ana');
  expect(format('de {name}', 'ru', { name: 'Ana' })).toBe('de Ana');
});

test('Russian counts vampires as Russian does', () => {
  const vampires = parts.find(([name]) => name === 'dawn')![1].ru['row.left']!;
  const counted = [1, 2, 5, 11, 21, 22].map((n) => format(vampires, 'ru', { n }));
  expect(counted).toEqual(['1 вампир', '2 вампира', '5 вампиров', '11 вампиров', '21 вампир', '22 вампира']);
});

test('a reader gets the first of the wanted languages that the house speaks', () => {
  expect(preferred(['de-AT', 'fr-CA', 'en'])).toBe('fr');
  expect(preferred(['ja'])).toBe('en');
});

test('switching the language is remembered, and lists are joined as it joins them', () => {
  language.speak('fr');
  expect(t('state.over')).toBe('Terminée');
  expect(list(['Ana', 'Ben'])).toBe('Ana et Ben');
  expect(localStorage.getItem('caveau.language')).toBe('fr');
  language.speak('en');
});

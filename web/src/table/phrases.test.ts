import { readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { language } from '../messages/language.svelte';
import { phrase, phrases } from './phrases';
import { Show, type Stage } from './show.svelte';

afterEach(() => language.speak('en'));

test('what the house lets people say can be said here, and is read in every language', () => {
  const [, list] = /var Phrases = \[\]string\{(.*)\}/.exec(readFileSync('../wire/phrase.go', 'utf8'))!;
  expect([...phrases].sort()).toEqual([...list!.matchAll(/"(\w+)"/g)].map(([, id]) => id).sort());
  for (const tongue of ['en', 'fr', 'ru'] as const) {
    language.speak(tongue);
    expect(phrases.filter((id) => !phrase({ id }))).toEqual([]);
  }
  expect(phrase({ id: 'of a newer house' })).toBe('');
});

test('a phrase stays for some seconds, and the next one of the same seat takes its place', async () => {
  const ends: (() => void)[] = [];
  const wait = () => new Promise<void>((end) => ends.push(end));
  const show = new Show({ wait } as Partial<Stage> as Stage, vi.fn(), vi.fn());
  show.hear({ seat: 'A', id: 'thanks' });
  show.hear({ seat: 'B', id: 'good' });
  show.hear({ seat: 'A', id: 'more' });
  expect(show.phrases).toEqual([
    { seat: 'B', id: 'good' },
    { seat: 'A', id: 'more' },
  ]);
  ends[0]!();
  ends[1]!();
  await vi.waitFor(() => expect(show.phrases).toEqual([{ seat: 'A', id: 'more' }]));
});

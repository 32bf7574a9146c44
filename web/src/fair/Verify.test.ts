import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { language, languages, type Language } from '../messages/language.svelte';
import type { Seal } from '../wire/protocol';
import type { Verdict } from './engine';
import Sealed from './Sealed.svelte';
import Verify from './Verify.svelte';

const given = ['A', 'C'].map((seat) => ({ seat, seal: '1'.repeat(64), number: '2'.repeat(64) }));

/** What the engine says of a record with that claim. */
const verdict = (claim: Partial<Verdict['claim']>, change: Partial<Verdict> = {}): Verdict => ({
  ok: true,
  checks: (['read', 'whole', 'seals', 'deal', 'bots', 'moves'] as const).map((what) => ({ what, fault: '' })),
  game: '',
  edition: '',
  options: null,
  players: ['Ana', 'Ben', 'Cleo'],
  moves: 0,
  over: true,
  winners: null,
  seal: '3'.repeat(64),
  numbers: given,
  failed: null,
  first: '',
  choices: null,
  claim: { case: 'unchosen', deals: 0, gave: ['A', 'C'], shut: [], ...claim },
  ...change,
});

let answer: Verdict;
vi.mock('./engine', () => ({ verify: () => Promise.resolve(answer) }));

beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  language.speak('en');
});

/** All that the page says of a record. */
async function checked(told: Verdict, speak: Language = 'en'): Promise<string> {
  answer = told;
  language.speak(speak);
  render(Verify, { table: '', bots: [], words: () => undefined });
  const file = document.querySelector('input[type=file]')!;
  Object.defineProperty(file, 'files', { value: [{ text: () => Promise.resolve('{}') }] });
  await fireEvent.change(file);
  await vi.waitFor(() =>
    screen.getByRole('heading', { level: 2, name: (_, heading) => heading.closest('[role=status]') !== null }),
  );
  return document.querySelector('main')!.textContent!.replace(/\s+/g, ' ');
}

const headline = () => document.querySelector('[role=status] h2')!;

test('where every number was opened at the first attempt nobody chose, if one who gave his is honest', async () => {
  const page = await checked(verdict({}));
  expect(headline().textContent?.trim()).toBe('Nobody chose this deal.');
  expect(headline().className).toContain('good');
  expect(page).toContain('That is so as long as one of Ana and Cleo, whose numbers made the deal, is not in league');
});

test.each([
  ['This deal was not the first.', { case: 'rejected', deals: 2, shut: [['B'], ['A']] }, 'have rejected 2 deals that'],
  ['This deal could have been picked.', { case: 'picked', deals: 8, shut: [['B']] }, 'picked among 8 deals'],
  ['The house could have chosen this deal.', { case: 'house', gave: [] }, 'Nobody gave a number to it'],
] as const)('%s', async (says, claim, what) => {
  const page = await checked(verdict(claim as unknown as Partial<Verdict['claim']>));
  expect(headline().textContent?.trim()).toBe(says);
  expect(headline().className).not.toContain('good');
  expect(page).toContain(what);
  expect(page).not.toContain('Nobody chose');
  if (claim.case !== 'house') expect(page).toContain('Attempt 1: Ben sealed a number');
  if (claim.case === 'rejected') expect(page).toContain('Attempt 2: Ana sealed a number');
});

test('in every language each case has a headline of its own', async () => {
  for (const speak of Object.keys(languages) as Language[]) {
    const heard = new Set<string>();
    for (const one of ['unchosen', 'rejected', 'picked', 'house'] as const) {
      await checked(verdict({ case: one, deals: 2 }), speak);
      heard.add(headline().textContent!.trim());
      cleanup();
    }
    expect(heard).toHaveLength(4);
  }
});

test('nothing is claimed of a record that does not hold, or is not what the browser saw', async () => {
  for (const told of [
    verdict({}, { ok: false }),
    verdict({ case: 'rejected', deals: 1 }, { failed: [{ seal: '4'.repeat(64), numbers: [] }] }),
  ]) {
    const kept = { seal: '4'.repeat(64), number: '5'.repeat(64), dealt: true }; // of the attempt that is said to have failed
    localStorage.setItem('caveau.numbers', JSON.stringify({ t: kept }));
    const page = await checked(told);
    expect(headline().textContent?.trim()).toBe('This is not proven.');
    expect(page).not.toContain('as long as');
    cleanup();
  }
});

test('at the table one reads whose number was not opened, and that all begins again', () => {
  const seal = (change: Partial<Seal>): Seal => ({
    version: 'caveau-deal/2',
    seal: '6'.repeat(64),
    called: false,
    failed: [],
    ...change,
  });
  const names: Record<string, string> = { A: 'Ana', B: 'Ben', C: 'Cleo' };
  const read = (told: Seal) => {
    render(Sealed, { table: 't', seal: told, name: (seat) => names[seat]! });
    const text = document.querySelector('[role=status]')!.textContent!.replace(/\s+/g, ' ').trim();
    cleanup();
    return text;
  };
  expect(read(seal({}))).toBe('Nobody has given a number yet.');
  expect(read(seal({ failed: [{ seal: '7'.repeat(64), shut: ['B'] }] }))).toBe(
    'The number of Ben was not opened in time. All begins again, with a new secret and new numbers. Nobody has given a number yet.',
  );
  const failed = [
    { seal: '7'.repeat(64), shut: ['B'] },
    { seal: '8'.repeat(64), shut: ['A', 'C'] },
  ];
  expect(read(seal({ called: true, failed }))).toMatch(/Ben was not .* Ana and Cleo were not .* given a number yet\.$/);
});

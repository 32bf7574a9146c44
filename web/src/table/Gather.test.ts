import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parties, partyFrame, shelf } from '../fixtures';
import type { Command, Frame, Sitter } from '../wire/protocol';
import { again, cameFrom } from './again';
import { comes } from './game';
import Gather from './Gather.svelte';
import { Show } from './show.svelte';

const stage = { look: () => 0, now: () => 0, wait: async () => {}, asleep: () => null, moving: () => false };

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const seats = (...away: string[]): Sitter[] =>
  partyFrame().seats.map((sitter) => ({ ...sitter, name: sitter.seat, bot: '', here: !away.includes(sitter.seat) }));

/** The host has come from a game that is over, at which these were there. */
async function gather(present: string, change: Partial<Frame>) {
  const show = new Show(stage, shelf);
  const told: Command[] = [];
  const take = async (more: Partial<Frame>) => {
    show.take(partyFrame({ state: 'open', host: true, moves: [], seal: null, ...change, ...more }));
    await vi.advanceTimersByTimeAsync(0);
    await tick();
  };
  await take({ log: [] });
  const at = comes(parties, 't', show, async (command) => (told.push(command), null));
  render(Gather, { at, bots: ['random', 'remembering:keen'], present });
  await vi.advanceTimersByTimeAsync(0);
  return { told, take };
}
const start = { do: 'start', table: 't' };
const bot = (seat: string) => [
  { do: 'free', table: 't', seat },
  { do: 'bot', table: 't', seat, bot: 'remembering:keen' },
];

test('it begins by itself, once, when the last of them has come', async () => {
  const { told, take } = await gather('ABC', { seats: seats('B') });
  screen.getByText('It begins as soon as B is here.');
  expect(told).toEqual([]);
  await take({ seats: seats() });
  await take({ seats: seats(), watchers: 1 });
  expect(told).toEqual([start]);
});

test('nobody waits for whoever had gone before: a bot plays there', async () => {
  const { told } = await gather('AB', { seats: seats('C') });
  expect(told).toEqual([...bot('C'), start]);
});

test('the host may begin without somebody who does not come, after a moment', async () => {
  const { told } = await gather('ABC', { seats: seats('B') });
  expect(screen.queryByRole('button')).toBeNull();
  await vi.advanceTimersByTimeAsync(3000);
  await fireEvent.click(screen.getByRole('button', { name: 'Begin without B' }));
  await vi.advanceTimersByTimeAsync(0);
  expect(told).toEqual([...bot('B'), start]);
});

test('numbers for the deal are waited for, and not for long', async () => {
  const seal = { version: 'caveau-deal/2', seal: 'ab', called: false, failed: [], numbers: [] };
  const { told } = await gather('ABC', { seats: seats(), seal });
  expect(told).toEqual([]);
  await vi.advanceTimersByTimeAsync(3000);
  expect(told).toEqual([start]);
});

test('only the host begins', async () => {
  const { told } = await gather('ABC', { seats: seats(), host: false });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(told).toEqual([]);
});

test('the way to the next table says who was there', () => {
  const way = again({ next: 'm4q', seats: seats('B') });
  expect(way).toBe('/t/m4q#again-AC');
  expect([cameFrom('#again-AC'), cameFrom(''), cameFrom('#again-')]).toEqual(['AC', undefined, '']);
});

import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cemetery, info } from '../fixtures';
import { House } from '../house.svelte';
import type { Mine } from '../wire/protocol';
import MyTables from './MyTables.svelte';

let tables: Mine[] | null;
const asked = vi.fn();

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-22T20:30:00') });
  asked.mockClear();
  vi.stubGlobal('fetch', async (path: string) => {
    asked(path);
    if (!tables) throw new Error('nobody there');
    return { ok: true, json: async () => tables };
  });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const seats = ['Ana', 'Ben', ''].map((name, i) => ({ seat: 'ABC'[i]!, name, bot: name ? '' : 'random' }));
const mine = (change: Partial<Mine>): Mine => ({
  ...{
    table: 't',
    game: 'dawn-under',
    edition: '2004',
    state: 'running',
    listed: false,
    host: 'Ben',
    watchers: 0,
    seats,
  },
  ...{ made: '', since: '2026-11-22T20:14:00', you: 'A', turn: 'A' },
  ...change,
});
const links = () => screen.queryAllByRole('link').map((link) => link.textContent!.replace(/\s+/g, ' ').trim());

async function comes() {
  const house = new House([cemetery.game]);
  house.hello = {
    protocol: 3,
    version: '',
    guest: null,
    games: [info],
    bots: [],
    origin: '',
    passkeys: '',
    keepPlayed: 0,
  };
  render(MyTables, { house });
  await vi.advanceTimersByTimeAsync(10);
  return house;
}

test('whoever is asked finds that table first, and reads of the others whom they wait for, and since when', async () => {
  const waiting = seats.map((one) => (one.seat === 'C' ? { ...one, bot: '' } : one));
  tables = [
    mine({ table: 'b', turn: 'B', since: '2026-11-21T09:05:00' }),
    mine({ table: 'c', state: 'open', turn: '', seats: waiting }),
    mine({ table: 'a' }),
  ];
  await comes();
  expect(links()).toEqual([
    'Your turn since 08:14 PM Dawn Under (2004) · Ben · Klik',
    'Ben is asked since Nov 21, 09:05 AM Dawn Under (2004) · Ben · Dynamo',
    '1 seat is still free. since 08:14 PM Dawn Under (2004) · Ben',
  ]);
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['/t/a', '/t/b', '/t/c']);
});

test('it is asked again now and then, and what was there stays while the house is down', async () => {
  tables = [mine({ turn: 'B' })];
  await comes();
  tables = [mine({})];
  await vi.advanceTimersByTimeAsync(20_000);
  expect(links()[0]).toMatch(/^Your turn/);
  tables = null;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(links()).toHaveLength(1);
  expect(asked.mock.calls.every(([path]) => path === '/api/tables/mine')).toBe(true);
});

test('what changes in the lobby has it asked again five seconds after the last time, once, however much changes', async () => {
  tables = [mine({})];
  const house = await comes();
  expect(asked).toHaveBeenCalledTimes(1);
  for (let i = 0; i < 4; i++) {
    house.lobby = [];
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(asked).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked).toHaveBeenCalledTimes(2);
});

test('while the page is hidden nothing is asked, whatever changes; when it is seen again, at once', async () => {
  tables = [mine({ turn: 'B' })];
  const house = await comes();
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  document.dispatchEvent(new Event('visibilitychange'));
  for (let i = 0; i < 60; i++) {
    house.lobby = [];
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(asked).toHaveBeenCalledTimes(1);
  tables = [mine({})];
  hidden.mockReturnValue(false);
  document.dispatchEvent(new Event('visibilitychange'));
  await vi.advanceTimersByTimeAsync(10);
  expect(asked).toHaveBeenCalledTimes(2);
  expect(links()[0]).toMatch(/^Your turn/);
});

test('whoever has gone on asks no more', async () => {
  tables = [mine({})];
  const house = await comes();
  house.lobby = [];
  await vi.advanceTimersByTimeAsync(10);
  cleanup();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toHaveBeenCalledTimes(1);
});

test('who sits nowhere sees nothing of it', async () => {
  tables = [];
  await comes();
  expect(screen.queryByRole('heading')).toBeNull();
});

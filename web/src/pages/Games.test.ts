import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cemetery, info } from '../fixtures';
import { House } from '../house.svelte';
import type { HerePlayed } from '../pocket/device';
import { page } from '../wire/http';
import type { PlayedGame } from '../wire/protocol';
import { device } from './device';
import Games from './Games.svelte';

// One's games that are over, at the house and on this device, and what becomes of them.

const one = (table: string, day: number, change: Partial<HerePlayed> = {}): HerePlayed => ({
  ...{ table, game: 'dawn-under', edition: '2004', state: 'over', listed: false, host: '', watchers: 0, made: '' },
  seats: [
    { seat: 'A', name: 'Ana', bot: '' },
    { seat: 'B', name: '', bot: 'random' },
  ],
  ...{
    you: 'A',
    ended: `2026-11-${String(day).padStart(2, '0')}T20:00:00Z`,
    outcome: { why: '', winners: ['A'], scores: [] },
  },
  ...change,
});
const mine = (table: string, day: number, change: Partial<HerePlayed> = {}) =>
  one(table, day, { device: true, ...change });

/** What the house has, the newest first, and what it does with a record that is brought. */
let house: PlayedGame[];
let down: boolean;
beforeEach(() => {
  [house, down] = [[], false];
  vi.stubGlobal('fetch', async (path: string, how?: RequestInit) => {
    if (down) throw new Error('nobody there');
    const { pathname, searchParams } = new URL(path, location.href);
    const answer = (said: unknown) => ({ ok: true, json: async () => said });
    if (how?.method === 'POST') {
      const { of } = JSON.parse(String(how.body)) as { of: string };
      return answer({ table: `house-${of}` });
    }
    if (how?.method === 'DELETE') {
      house = house.filter(({ table }) => !pathname.endsWith(`/${table}`));
      return answer(null);
    }
    const from = house.findIndex(({ table }) => table === searchParams.get('after')) + 1;
    return answer(house.slice(from, from + page));
  });
  vi.spyOn(device, 'record').mockImplementation(async (of) => ({ of }));
  vi.spyOn(device, 'kept').mockResolvedValue({});
  vi.spyOn(device, 'drop').mockResolvedValue({});
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** All that the page is told has come. */
async function comes(here: HerePlayed[], listed = here.length) {
  vi.spyOn(device, 'played').mockResolvedValue(here);
  const opened = new House([cemetery.game]);
  const guest = { id: 'a', name: 'Ana' };
  opened.hello = { protocol: 3, version: '', guest, games: [info], bots: [], origin: '', passkeys: '', keepPlayed: 0 };
  opened.guest = guest;
  render(Games, { house: opened });
  await vi.waitFor(() => expect(links()).toHaveLength(listed));
}
const links = () => screen.getAllByRole('link', { name: /won/ }).map((link) => link.getAttribute('href'));
const keeps = () => screen.queryAllByRole('button', { name: /^Keep at the house/ });
const press = (name: RegExp) => fireEvent.click(screen.getAllByRole('button', { name })[0]!);
/** What whoever hears the page hears where he is. */
const heard = () => document.activeElement?.textContent?.replace(/\s+/g, ' ').trim();

test('whoever has kept a game is at it, and hears that it is kept', async () => {
  await comes([mine('b', 12), mine('a', 11)]);
  keeps()[1]!.focus();
  await fireEvent.click(keeps()[1]!);
  await vi.waitFor(() => expect(keeps()).toHaveLength(1));
  await vi.waitFor(() => expect(heard()).toMatch(/Nov(ember)? 11|11 Nov/));
  expect(heard()).toMatch(/On this device, and kept at the house$/);
});

test('whoever has deleted a game is at the one that stands in its place, and where none does at the heading', async () => {
  await comes([mine('b', 12), mine('a', 11)]);
  for (const left of ['/here/a/replay', null]) {
    screen.getAllByRole('button', { name: /^Delete: / })[0]!.focus();
    await press(/^Delete: /);
    await press(/^Delete the game$/);
    if (left) await vi.waitFor(() => expect(document.activeElement?.getAttribute('href')).toBe(left));
    else await vi.waitFor(() => expect(document.activeElement?.tagName).toBe('H1'));
  }
});

test('whoever thinks better of it is where he was', async () => {
  await comes([mine('a', 11)]);
  await press(/^Delete: /);
  await press(/^Cancel$/);
  await vi.waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^Delete: /));
});

test('what could not be kept is offered again, and is kept then', async () => {
  await comes([mine('a', 11)]);
  down = true;
  keeps()[0]!.focus();
  await fireEvent.click(keeps()[0]!);
  await vi.waitFor(() => screen.getByRole('alert'));
  expect(screen.getByRole('alert').textContent).toMatch(/house cannot be reached/);
  expect(document.activeElement).toBe(keeps()[0]);
  down = false;
  await fireEvent.click(keeps()[0]!);
  await vi.waitFor(() => expect(keeps()).toHaveLength(0));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(device.kept).toHaveBeenCalledExactlyOnceWith('a', 'house-a');
});

test('a game that the house has kept, and this device has not heard so, is offered again and stands there once then', async () => {
  house = [mine('house-a', 11, { you: '' })];
  await comes([mine('a', 11)], 2);
  expect(links()).toEqual(['/here/a/replay', '/replay/house-a']);
  await fireEvent.click(keeps()[0]!);
  await vi.waitFor(() => expect(links()).toEqual(['/here/a/replay']));
  expect(device.kept).toHaveBeenCalledExactlyOnceWith('a', 'house-a');
});

// The house lists by when it has had a game, a page at a time; they stand here by when they ended.
test('older games come in between, and one that is kept is not offered again before the house’s list has been read', async () => {
  const played = Array.from({ length: page }, (_, i) => one(`t${i}`, 28 - i));
  house = [...played, mine('house-old', 3, { you: '' }), one('older', 2)];
  const here = [mine('new', 29), mine('old', 3, { kept: 'house-old' }), mine('lost', 1, { kept: 'house-lost' })];
  await comes(here, here.length + page);
  const first = ['/here/new/replay', ...played.map(({ table }) => `/replay/${table}`)];
  expect(links()).toEqual([...first, '/here/old/replay', '/here/lost/replay']);
  expect(keeps()).toHaveLength(1);

  await fireEvent.click(keeps()[0]!); // the newest: at the house it comes before all others, and moves none of them
  house = [mine('house-new', 29, { you: '' }), ...house];
  await vi.waitFor(() => expect(keeps()).toHaveLength(0));
  await press(/^Older games$/);
  const all = [...first, '/here/old/replay', '/replay/older', '/here/lost/replay'];
  await vi.waitFor(() => expect(links()).toEqual(all));
  expect(keeps()).toHaveLength(1); // whoever had it deleted at the house may keep it again
  expect(screen.queryByRole('button', { name: /^Older games$/ })).toBeNull();
});

test('where another page has deleted the last game that was listed, older ones come all the same, and none twice', async () => {
  house = Array.from({ length: page + 2 }, (_, i) => one(`t${i}`, 28 - i));
  await comes([], page);
  house = house.filter(({ table }) => table !== `t${page - 1}`);
  await press(/^Older games$/);
  await vi.waitFor(() => expect(links()).toHaveLength(page + 1));
});

test('who one is may be known later, or be another: then one’s games are asked for, and nobody is told before that there are none', async () => {
  house = [one('t', 11)];
  vi.spyOn(device, 'played').mockResolvedValue([]);
  const opened = new House([cemetery.game]);
  render(Games, { house: opened });
  await new Promise((done) => setTimeout(done, 20));
  const none = () => screen.queryByText(/No game of yours is over/);
  expect(none()).toBeNull();
  const hello = { protocol: 3, version: '', games: [info], bots: [], origin: '', passkeys: '', keepPlayed: 0 };
  const is = (id: string) => {
    opened.guest = { id, name: id };
    opened.hello = { ...hello, guest: opened.guest };
  };
  is('a');
  await vi.waitFor(() => expect(links()).toEqual(['/replay/t']));
  house = [];
  is('b');
  await vi.waitFor(() => expect(none()).not.toBeNull());
});

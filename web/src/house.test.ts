import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { House } from './house.svelte';
import Trouble from './pages/Trouble.svelte';

/** A house that answers over HTTP, or does not; its sockets are the test's. */
let sockets: { onopen: () => void; onclose: (close: { code: number }) => void; close(): void; send(): void }[];
let answers: boolean;
let origin: string;
let uninvited: boolean;
let guest: { id: string; name: string } | null;
/** What it was asked over HTTP, but for what it is. */
let asked: { name?: string; try?: string; code?: string }[];
/** Whether its answer gets lost. */
let lost: (path: string, body: (typeof asked)[number]) => boolean;

beforeEach(() => {
  vi.useFakeTimers();
  sockets = [];
  answers = true;
  origin = location.origin;
  [uninvited, guest, asked] = [false, null, []];
  lost = () => false;
  vi.stubGlobal('WebSocket', function () {
    sockets.push({ onopen() {}, onclose() {}, close() {}, send() {} });
    return sockets.at(-1);
  });
  vi.stubGlobal('fetch', async (path: string, how?: RequestInit) => {
    const body = how?.body && JSON.parse(how.body as string);
    if (body) asked.push(body);
    if (!answers || (body && lost(path, body))) throw new Error('nobody there');
    return { ok: true, json: async () => ({ guest, games: [], bots: [], origin, uninvited }) };
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  cleanup();
});

/** A try that fails, and the time until the next one. */
async function fails() {
  sockets.at(-1)!.onclose({ code: 1006 });
  await vi.advanceTimersByTimeAsync(15_000);
}

/** What the page says after so many tries. */
async function said(house: House): Promise<string> {
  render(Trouble, { up: house.up, trouble: house.trouble, barred: house.barred });
  await vi.advanceTimersByTimeAsync(500);
  const text = screen.getByRole('status').textContent!;
  cleanup();
  return text;
}

test('a line that cannot be opened three times, though the house answers, is not said to come back', async () => {
  const house = new House([]);
  await house.open();
  await fails();
  await fails();
  expect(await said(house)).toBe('The line is down. Reconnecting …');
  await fails();
  expect(await said(house)).toMatch(/^The house answers, but its line cannot be opened: .*proxy/);
  sockets.at(-1)!.onopen();
  expect(await said(house)).toBe('');
});

test('a house that is opened under another address than its own says which flag it wants', async () => {
  origin = 'http://192.168.1.7:8080';
  const house = new House([]);
  await house.open();
  for (let i = 0; i < 3; i++) await fails();
  expect(await said(house)).toBe(
    `This house gives its address as ${origin}, but you opened it as ${location.origin}. ` +
      `Whoever runs it has to start it with --public-url ${location.origin}`,
  );
});

test('a house that is down is just down, also while it comes back', async () => {
  const house = new House([]);
  await house.open();
  answers = false;
  for (let i = 0; i < 5; i++) await fails();
  expect(house.barred).toBe('');
  answers = true;
  await fails();
  expect(house.barred).toBe('');
  sockets.at(-1)!.onopen();
  sockets.at(-1)!.onclose({ code: 1006 });
  expect(house.barred).toBe('');
});

test('whose browser keeps no cookie is not greeted as if it did', async () => {
  const house = new House([]);
  await house.open();
  await expect(house.be('Ana')).rejects.toMatchObject({ refused: { code: 'no_cookie' } });
  expect(house.guest).toBeNull();
});

test('whoever hears no answer tries again as the same, and the next is somebody else', async () => {
  const house = new House([]);
  await house.open();
  answers = false;
  await expect(house.be('Ana')).rejects.toMatchObject({ refused: { code: 'unreachable' } });
  answers = true;
  await expect(house.be('Ana')).rejects.toMatchObject({ refused: { code: 'no_cookie' } });
  guest = { id: 'a', name: 'Ana' };
  await house.be('Ana');
  await house.be('Ben');
  const tries = asked.map((one) => one.try);
  expect(tries[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(tries.map((one) => one === tries[0])).toEqual([true, true, true, false]);
});

test('whoever signs out everywhere else, and hears no answer, comes back; or is told, where it was not heard', async () => {
  const ana = { id: 'a', name: 'Ana' };
  for (const heard of [true, false]) {
    guest = ana;
    asked = [];
    const house = new House([]);
    await house.open();
    lost = (path, body) => {
      if (path === '/api/guest/end' && heard) guest = null;
      if (path === '/api/guest/way/take' && body.code === asked[0]!.try) guest = ana;
      return path === '/api/guest/end';
    };
    const left = house.stayAlone();
    if (heard) await left;
    else await expect(left).rejects.toMatchObject({ refused: { code: 'unreachable' } });
    expect(house.guest).toEqual(ana);
    expect(asked.map((one) => Object.keys(one))).toEqual(
      heard
        ? [
            ['others', 'try'],
            ['code', 'sure'],
          ]
        : [['others', 'try']],
    );
  }
});

test('a page whose session has ended asks who it is, and goes on as nobody', async () => {
  const house = new House([]);
  await house.open();
  house.guest = { id: 'a', name: 'Ana' };
  const before = sockets.length;
  sockets.at(-1)!.onclose({ code: 4001 });
  await vi.advanceTimersByTimeAsync(10);
  expect([house.guest, sockets.length]).toEqual([null, before + 1]);
});

test('a stranger in a house for invited people has no line, and whoever is invited meanwhile is not told that it is down', async () => {
  const house = new House([]);
  await house.open();
  sockets.at(-1)!.onopen();
  house.watching = true;
  uninvited = true; // the owner says so
  await fails();
  await fails();
  await fails();
  expect(house.hello?.uninvited).toBe(true);
  expect(house.watching).toBe(false);
  expect(await said(house)).toBe('');
  const dialled = sockets.length;
  sockets.at(-1)!.onclose?.({ code: 1006 });
  house.online();
  house.awake();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sockets.length).toBe(dialled);

  const later = new House([]);
  await later.open();
  expect(sockets.length).toBe(dialled);
  uninvited = false;
  guest = { id: 'e', name: 'Eve' };
  await later.be('Eve', '7-x3');
  expect(sockets.length).toBe(dialled + 1);
  expect(later.hello?.uninvited).toBeFalsy();
});

test('whoever is somebody else, or nobody, does not find at which tables somebody was', async () => {
  const house = new House([]);
  for (const [is, kept] of [
    [{ id: 'a', name: 'Ana' }, true],
    [{ id: 'a', name: 'Anna' }, true],
    [{ id: 'b', name: 'Ben' }, false],
    [null, false],
    [{ id: 'c', name: 'Cleo' }, true],
  ] as const) {
    localStorage.setItem('caveau.numbers', '{"k3x":{"seal":"5","number":"6"}}');
    guest = is;
    await house.open();
    expect(localStorage.getItem('caveau.numbers')!.includes('k3x')).toBe(kept);
  }
  localStorage.setItem('caveau.numbers', '{"k3x":{"seal":"5","number":"6"}}');
  await house.forget();
  expect(localStorage.getItem('caveau.numbers')).not.toContain('k3x');
});

import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cemetery, info } from '../fixtures';
import { House } from '../house.svelte';
import { route } from '../route.svelte';
import Table from './Table.svelte';

// A table at which nobody is waited for: the page that founded it says the start, whatever becomes of its line.

interface Socket {
  said: { id: string; do: string; table: string }[];
  onopen(): void;
  onmessage(message: { data: string }): void;
  onclose(close: { code: number }): void;
  send(text: string): void;
  close(): void;
}
let sockets: Socket[];
const line = () => sockets.at(-1)!;
const commands = () => line().said.map((said) => said.do);

beforeEach(() => {
  vi.useFakeTimers();
  sockets = [];
  vi.stubGlobal('WebSocket', function () {
    const said: Socket['said'] = [];
    sockets.push({
      said,
      onopen() {},
      onmessage() {},
      onclose() {},
      send: (text) => said.push(JSON.parse(text)),
      close() {},
    });
    return line();
  });
  const guest = { id: 'a', name: 'Ana' };
  const hello = { guest, games: [info], bots: ['keen'], origin: '', passkeys: '', keepPlayed: 0 };
  vi.stubGlobal('fetch', async (path: string) => ({
    ok: true,
    json: async () => (path === '/api/tables' ? { table: 't' } : hello),
  }));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const seal = { version: 'caveau-deal/2', seal: 'f0'.repeat(32), called: false };
const about = {
  state: 'open',
  setup: { game: 'dawn-under', edition: '2004', seats: 2 },
  seats: [
    { seat: 'A', name: 'Ana', here: true, host: true },
    { seat: 'B', bot: 'keen', here: true },
  ],
  seal,
  host: 'Ana',
};
async function hears(word: object) {
  line().onmessage({ data: JSON.stringify(word) });
  await vi.advanceTimersByTimeAsync(50);
}
const frame = (more: object = {}) => ({
  table: 't',
  frame: { seq: 1, about: { ...about, ...more }, you: 'A', host: true },
});

/** Ana has had a table made, and comes to it. */
async function comes(places: Record<string, string>) {
  const house = new House([cemetery.game]);
  await house.open();
  await house.found({ game: 'dawn-under', seats: 2, places });
  expect(route.now).toEqual({ at: 'table', table: 't' });
  render(Table, { house, table: 't' });
  line().onopen();
  await hears(frame());
}
const full = { A: 'me', B: 'keen' };

test('the start is said once, after the number has been sealed, and until the deal nothing is to be pressed', async () => {
  await comes(full);
  expect(commands()).toEqual(['watch', 'seal', 'start']);
  await hears(frame({ watchers: 1 }));
  expect(commands().filter((word) => word === 'start')).toHaveLength(1);
  expect(screen.queryByRole('button', { name: 'Start the game' })).toBeNull();
  screen.getByText('The table is being laid …');
});

test('a start that was lost with the line is said again, under the same name', async () => {
  await comes(full);
  const { id } = line().said.at(-1)!;
  line().onclose({ code: 1006 });
  await vi.advanceTimersByTimeAsync(2000);
  line().onopen();
  expect(sockets).toHaveLength(2);
  expect(line().said.filter((said) => said.do === 'start')).toEqual([{ id, do: 'start', table: 't' }]);
});

test('a start that is refused is not lost: the page says why, and it can be said again', async () => {
  await comes(full);
  await hears({ re: line().said.at(-1)!.id, error: { code: 'storage', message: '' } });
  screen.getByRole('button', { name: 'Start the game' });
  expect(screen.getAllByText(/could not write that down/i)).not.toEqual([]);
});

test('an attempt at the deal that failed is no secret either', async () => {
  await comes(full);
  await hears(frame({ seal: { ...seal, failed: [{ seal: seal.seal, shut: ['A'] }] } }));
  screen.getByRole('button', { name: 'Start the game' });
});

test('where somebody is to come the host says the start himself', async () => {
  await comes({ A: 'me' });
  expect(commands()).toEqual(['watch', 'seal']);
  screen.getByRole('button', { name: 'Start the game' });
});

test('on a big screen nothing is taken that was told to whoever has sat down there meanwhile', async () => {
  const house = new House([cemetery.game]);
  await house.open();
  const before = fetch;
  vi.stubGlobal('fetch', async (path: string) =>
    path === '/api/tables/mine' ? { ok: true, json: async () => [] } : before(path),
  );
  await house.present('t');
  line().onopen();
  await hears({ table: 't', frame: { seq: 1, about } });
  const dialled = sockets.length;
  const took = vi.spyOn(house.show!, 'take');
  await hears({ table: 't', frame: { seq: 2, you: 'A' } });
  expect(took).not.toHaveBeenCalled();
  expect(sockets.length).toBe(dialled + 1);
});

import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, expect, test, vi } from 'vitest';
import { cemetery, frame, said, shelf } from '../fixtures';
import { House } from '../house.svelte';
import DoorSign from '../lobby/DoorSign.svelte';
import { language, t } from '../messages/language.svelte';
import Settings from '../pages/Settings.svelte';
import { Frames } from '../wire/frames';
import Before from './Before.svelte';
import { comes } from './game';
import { proposed } from './people';
import { Show } from './show.svelte';
import TableMenu from './TableMenu.svelte';

// Whoever had his name erased still sits where he sat: the seat is not free, and a neutral word stands for him.

const stage = { look: () => 0, now: () => 0, wait: async () => {}, asleep: () => null, moving: () => false };

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  language.speak('en');
});

/** Ben had his name erased, and Ana looks at the table. */
const nameless = frame().seats.map((one) => (one.seat === 'B' ? { ...one, name: '', nameless: true } : one));
const at = (change: object) => {
  const show = new Show(stage, shelf) as Show;
  show.take(frame({ seats: nameless, log: [], ...change }));
  return comes(
    cemetery,
    't',
    show,
    async () => null,
    () => '',
  );
};

test.each([
  ['en', 'Somebody'],
  ['fr', 'Quelqu’un'],
  ['ru', 'Аноним'],
] as const)('his seat is taken, at the table and on the door sign, it says in %s', async (spoken, somebody) => {
  language.speak(spoken);
  const seats = nameless.map(({ seat, name, bot, nameless }) => ({ seat, name, bot, ...(nameless && { nameless }) }));
  const card = { table: 't', game: 'dawn-under', edition: '2004', state: 'open' as const, listed: true, host: '' };
  render(DoorSign, { card: { ...card, seats, watchers: 0, made: '' }, words: undefined });
  expect(screen.getByRole('heading').textContent).toBe(somebody); // who was the host
  expect([...document.querySelectorAll('li')].map((one) => one.textContent)[1]).toBe(somebody);
  expect(document.querySelector('.state')?.textContent).toBe(t('state.full'));
  cleanup();
  const here = at({ state: 'open', shown: undefined, turn: '', moves: [] });
  await Promise.resolve();
  expect([here.name('A'), here.name('B')]).toEqual(['Ana', somebody]);
  render(Before, { at: here, guest: true, bots: [], origin: '', become: () => {} });
  expect(document.querySelector('li.seat-B .who')?.textContent?.trim()).toMatch(new RegExp(`^${somebody}`));
  expect(document.querySelector('li.free')).toBeNull();
});

test('the table menu offers to free his seat', async () => {
  const here = at({ state: 'running', host: true, hostName: '' });
  await Promise.resolve();
  render(TableMenu, { at: here, close: () => {} });
  screen.getByRole('button', { name: 'Free the seat Somebody' });
  screen.getByText(/host.*Somebody|Somebody.*host/i);
});

test('sentences about him name somebody, and never whoever sits there by now', () => {
  const here = at({});
  expect(here.sentence(said('sit', { rule: '' }))).toBe('Somebody sits down.');
  expect(here.sentence(said('sit', { what: 'Eve', rule: '' }))).toBe('Eve sits down.');
  const wish = { seq: 1, do: 'break' as const, name: '', by: 'B', seat: '', asked: [], agreed: [] };
  expect(proposed(wish, 'A', (seat) => here.name(seat))).toBe('Somebody wants to end the game without a winner.');
});

test('the log on the screen forgets a name with the next frame that has one, which comes at once', async () => {
  const log = [said('sit', { what: 'Anastasia', rule: '' })];
  const here = at({ log });
  await vi.waitFor(() => expect(here.show.log.length).toBe(1));
  here.show.take(frame({ seats: nameless, log: [said('sit', { rule: '' })] }));
  await vi.waitFor(() =>
    expect(here.show.log.map((line) => here.sentence(line.said))).toEqual(['Somebody sits down.']),
  );
});

test('who has no name has proposed nothing that somebody without a name proposed', async () => {
  const proposal = { seq: 1, do: 'sit' as const, name: '', by: '', seat: 'B', asked: ['A'], agreed: [] };
  const here = at({ you: '', proposal });
  await Promise.resolve();
  expect(here.proposes).toBe(false);
});

test('a message says that a seat is of somebody without a name', () => {
  const setup = { game: 'dawn-under', edition: '2004', seats: 2, awayTime: 120 };
  const about = { state: 'open' as const, setup, seats: [{ seat: 'A', nameless: true }, { seat: 'B' }] };
  const whole = new Frames().whole('t', { seq: 1, about });
  expect(whole?.seats.map(({ nameless }) => nameless)).toEqual([true, false]);
});

test('a name is forgotten after a question, and whoever bore it is nobody', async () => {
  const asked: [string, RequestInit?][] = [];
  let ok = false;
  vi.stubGlobal('WebSocket', function () {
    return { close() {}, send() {} };
  });
  vi.stubGlobal('fetch', async (path: string, how?: RequestInit) => {
    if (path === '/api/hello') return Response.json({ guest: null, games: [], bots: [] });
    asked.push([path, how]);
    return ok ? new Response(null, { status: 204 }) : Response.json({ code: 'storage' }, { status: 503 });
  });
  const house = new House([]);
  house.guest = { id: 'a', name: 'Ana' };
  const close = vi.fn();
  render(Settings, { name: 'Ana', be: async () => {}, forget: () => house.forget(), close });
  await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Settings' })));
  await fireEvent.click(screen.getByRole('button', { name: 'Forget my name' }));
  screen.getByText(/^Your name is erased everywhere/);
  await fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(asked).toEqual([]);
  await fireEvent.click(screen.getByRole('button', { name: 'Forget my name' }));
  const sure = screen.getByRole('button', { name: 'Yes, erase it' });
  expect(document.activeElement).toBe(sure);
  await fireEvent.click(sure);
  await vi.waitFor(() => screen.getByRole('alert'));
  expect(house.guest).not.toBeNull();
  expect(close).not.toHaveBeenCalled();
  ok = true;
  await fireEvent.click(sure);
  await vi.waitFor(() => expect(close).toHaveBeenCalled()); // and he reads that he is asked for a name
  expect(house.guest).toBeNull();
  expect(asked.at(-1)).toEqual(['/api/guest', { method: 'DELETE' }]);
});

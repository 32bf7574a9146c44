import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, expect, test, vi } from 'vitest';
import { frame, parties, partyFrame, said, shelf } from '../fixtures';
import { language } from '../messages/language.svelte';
import { Frames } from '../wire/frames';
import type { Command, Frame, Proposal, Sitter } from '../wire/protocol';
import Before from './Before.svelte';
import { comes } from './game';
import Play from './Play.svelte';
import { Show } from './show.svelte';

const stage = { look: () => 0, now: () => 0, wait: async () => {}, asleep: () => null, moving: () => false };

afterEach(() => {
  cleanup();
  language.speak('en');
});

/** Ana wants to free Ben's seat, and Cleo is asked. */
const free: Proposal = { seq: 10, do: 'free', name: 'Ana', by: 'A', seat: 'B', asked: ['C'], agreed: [] };
const breakOff: Proposal = { ...free, do: 'break', seat: '', asked: ['B', 'C'] };
const sit: Proposal = { ...free, do: 'sit', name: 'Eve', by: '', seat: 'B', asked: ['A', 'B', 'C'] };

const seated = (change: Record<string, Partial<Sitter>>) =>
  frame().seats.map((sitter) => ({ ...sitter, ...change[sitter.seat] }));

/** Somebody at a table in play; whoever is not Ana is not the host. */
async function sitDown(change: Partial<Frame>, me = 'Ana') {
  const show = new Show(stage, shelf);
  const told: Command[] = [];
  const take = async (more: Partial<Frame>) => {
    show.take(partyFrame({ host: me === 'Ana', ...change, ...more }));
    await vi.waitFor(() => expect(show.busy).toBe(false));
    await tick();
  };
  await take({ log: [] });
  const at = comes(
    parties,
    't',
    show,
    async (command) => (told.push(command), null),
    () => me,
  );
  render(Play, { at, game: parties.game });
  return { at, told, take };
}

const buttons = () => [...document.querySelectorAll('.proposal button')].map((button) => button.textContent);
const text = () => document.querySelector('.proposal .text')?.textContent?.replace(/\s+/g, ' ').trim();
const near = (css: string) => within(document.querySelector<HTMLElement>(css)!);
const press = (name: string, css = '.proposal') => fireEvent.click(near(css).getByRole('button', { name }));
const menu = () => near('dialog');
const openMenu = () => press('Table, seats and log', 'header.bar');

test('whoever is asked reads who wants what, and agrees or not', async () => {
  const { told } = await sitDown({ you: 'C', moves: [], proposal: free }, 'Cleo');
  expect(text()).toBe('Ana wants to free Ben’s seat (B): a bot would play there. Do you agree? Still asked: you.');
  expect(buttons()).toEqual(['Agree', 'No']);
  await press('Agree');
  await press('No');
  expect(told).toEqual([
    { do: 'agree', table: 't', seq: 10 },
    { do: 'decline', table: 't', seq: 10 },
  ]);
});

test('it comes before the question and its answers, and leaves the focus where it is', async () => {
  const { take } = await sitDown({ you: 'C', turn: 'C' }, 'Cleo');
  const card = document.querySelector<HTMLElement>('.mine [data-home="card"]')!;
  card.focus();
  await take({ seq: 11, proposal: free });
  expect(document.activeElement).toBe(card);
  const order = [...document.querySelectorAll('.mine button')].map((button) => button.textContent);
  expect(order.slice(0, 2)).toEqual(['Agree', 'No']);
  expect(order.length).toBeGreaterThan(3);
});

test('who has agreed is named apart from who is still asked, and is asked no more', async () => {
  await sitDown({ you: 'C', moves: [], proposal: { ...breakOff, agreed: ['C'] } }, 'Cleo');
  expect(text()).toBe('Ana wants to end the game without a winner. Agreed: you. Still asked: Ben.');
  expect(buttons()).toEqual([]);
});

test('whoever proposed it can take it back, and nobody else, though he be called the same', async () => {
  const { told } = await sitDown({ proposal: free });
  expect(buttons()).toEqual(['Take it back']);
  await press('Take it back');
  expect(told).toEqual([{ do: 'decline', table: 't', seq: 10 }]);
  cleanup();
  await sitDown({ you: 'B', proposal: free }, 'Ana');
  expect(buttons()).toEqual([]);
});

test('whom it is about reads so, and those who look on hear of it only', async () => {
  await sitDown({ you: 'B', moves: [], proposal: free }, 'Ben');
  expect(text()).toMatch(/^Ana wants to free your seat: a bot would play for you\./);
  expect(buttons()).toEqual([]);
  cleanup();
  await sitDown({ you: '', moves: [], proposal: free }, 'Zoe');
  expect(buttons()).toEqual([]);
});

test('somebody without a seat wants one, and its player is told what that means', async () => {
  await sitDown({ you: 'B', moves: [], proposal: sit }, 'Ben');
  expect(text()).toMatch(/^Eve wants to take your place, and would see what only you see\. Do you agree\?/);
  cleanup();
  await sitDown({ you: '', moves: [], proposal: sit }, 'Eve');
  expect(text()).toMatch(/^Eve wants to take Ben’s place \(B\), and would see what only that seat sees\. Still/);
  expect(buttons()).toEqual(['Take it back']);
  cleanup();
  await sitDown({ proposal: { ...sit, name: 'Ben', by: 'B', asked: ['A', 'C'] } });
  expect(text()).toMatch(/^Ben wants to come back and play on\./);
});

test('somebody who takes another’s name does not come back to his place', async () => {
  await sitDown({ proposal: { ...sit, name: 'Ben' } });
  expect(text()).toMatch(/^Ben wants to take Ben’s place/);
});

/** What the page's voices say of proposals, the menu's last. */
const news = () =>
  [...document.querySelectorAll('[aria-live="polite"]:not([role], .phrases)')].map((region) => region.textContent);

test('it is spoken once: not when somebody has agreed, nor when the menu is opened', async () => {
  const { take } = await sitDown({ you: 'C', moves: [] }, 'Cleo');
  await take({ seq: 11, proposal: { ...breakOff, seq: 11 } });
  const spoken = 'Ana wants to end the game without a winner. Do you agree?';
  await vi.waitFor(() => expect(news()).toEqual([spoken]));
  const region = document.querySelector('[aria-live="polite"]:not([role], .phrases)')!;
  const again = vi.fn();
  new MutationObserver(again).observe(region, { subtree: true, childList: true, characterData: true });
  await take({ seq: 12, proposal: { ...breakOff, seq: 11, agreed: ['C'] } });
  await openMenu();
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))));
  await tick();
  expect(again).not.toHaveBeenCalled();
  expect(news()).toEqual([spoken, '']);
  await take({ seq: 13, proposal: { ...free, seq: 13 } });
  expect(news()[1]).toBe('Ana wants to free Ben’s seat (B): a bot would play there. Do you agree?');
});

test('what came of it is told, and stands in the log', async () => {
  const { take } = await sitDown({ you: 'C', moves: [], proposal: breakOff }, 'Cleo');
  await take({ seq: 11, proposal: null, events: [said('decline', { seat: 'B', what: 'Ben', rule: '' })] });
  await vi.waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Ben says no.'));
  expect(screen.getAllByText('Ben says no.').length).toBeGreaterThan(1);
});

test('the log says who asked for what, in words that stay true when the seat is another’s', async () => {
  const line = (verb: string, what = '', seat = '') => said(verb, { seat, what, rule: '' });
  const { at } = await sitDown({});
  const told = [
    line('propose-free', 'Ana', 'B'),
    line('propose-break', 'Ana'),
    line('propose-sit', 'Eve', 'B'),
    line('agree', 'Ben', 'B'),
    line('withdraw', 'Ana', 'A'),
    line('lapse', 'Ana'),
    line('host', 'Ben', 'B'),
    line('host', 'Ana'),
  ].map((one) => at.sentence(one));
  expect(told).toEqual([
    'Ana asks to free seat B.',
    'Ana asks to end the game.',
    'Eve asks for seat B.',
    'Ben agrees.',
    'Ana takes it back.',
    'Nothing comes of it: it was taken back, or not all have answered in time.',
    'Ben is the host now.',
    'Ana is back, and the host again.',
  ]);
});

test('the menu says whether the others will be asked', async () => {
  const { told, take } = await sitDown({ seats: seated({ C: { here: false } }) });
  await openMenu();
  await press('Free the seat Ben', 'dialog');
  menu().getByRole('button', { name: 'Free it, if the others agree' });
  await press('Free the seat Cleo', 'dialog');
  await press('Really free it?', 'dialog');
  expect(told.at(-1)).toEqual({ do: 'free', table: 't', seat: 'C' });
  await press('Break off the game', 'dialog');
  menu().getByRole('button', { name: 'Break it off, if the others agree? Nobody wins' });
  // One thing at a time.
  await take({ seq: 11, proposal: breakOff });
  expect(menu().queryByRole('button', { name: /^(Break|Free)/ })).toBeNull();
});

test('a host who is alone breaks the game off himself', async () => {
  await sitDown({ seats: seated({ B: { here: false }, C: { here: true, standin: true } }) });
  await openMenu();
  await press('Break off the game', 'dialog');
  menu().getByRole('button', { name: 'Really break it off? Nobody wins' });
});

test('a host who does not sit has his buttons, and everybody reads his name', async () => {
  const seats = seated({ A: { host: false } });
  await sitDown({ you: '', host: true, hostName: 'Olga', moves: [], seats }, 'Olga');
  await openMenu();
  menu().getByText('Host: Olga');
  menu().getByRole('button', { name: 'Free the seat Ana' });
  cleanup();
  await sitDown({ host: false, hostName: 'Olga', seats }, 'Ben');
  await openMenu();
  menu().getByText('Host: Olga');
  expect(menu().queryByRole('button', { name: /^(Free|Break)/ })).toBeNull();
});

test('a place whose player has left is offered to those who look on, and to himself', async () => {
  const seats = seated({ B: { standin: true } });
  const { told } = await sitDown({ you: '', moves: [], seats }, 'Eve');
  await openMenu();
  await press('Take this place Ben', 'dialog');
  expect(told).toEqual([{ do: 'sit', table: 't', seat: 'B' }]);
  cleanup();
  await sitDown({ you: 'B', moves: [], seats }, 'Ben');
  await openMenu();
  expect(menu().getAllByRole('button', { name: 'Take your seat again' })).toHaveLength(1);
  cleanup();
  await sitDown({ you: 'C', moves: [], seats }, 'Cleo');
  await openMenu();
  expect(menu().queryByRole('button', { name: /^Take/ })).toBeNull();
});

test('before the start a host who does not sit seats bots, and may sit down himself', async () => {
  const show = new Show(stage, shelf);
  const seats = frame().seats.slice(1, 3);
  show.take(frame({ state: 'open', you: '', hostName: 'Olga', moves: [], log: [], seats, shown: undefined }));
  const at = comes(parties, 't', show, async () => null);
  render(Before, { at, guest: true, bots: ['random'], origin: '', become: () => {} });
  screen.getByRole('heading', { name: 'Olga’s table' });
  screen.getByRole('button', { name: 'Start the game' });
  screen.getByRole('button', { name: 'Sit here Seat A' });
  screen.getByRole('combobox', { name: 'A bot for seat A' });
});

test('a frame that leaves out nobody is whole', () => {
  const about = { state: 'running' as const, setup: { game: 'dawn-under', seats: 4 }, host: 'Ana' };
  const told = { seq: 57, do: 'break', name: 'Ana', asked: ['B'] } as const;
  expect(
    new Frames().whole('t', { seq: 57, host: true, about: { ...about, proposal: { ...told, asked: ['B'] } } }),
  ).toMatchObject({
    host: true,
    hostName: 'Ana',
    proposal: { ...told, by: '', seat: '', agreed: [] },
  });
});

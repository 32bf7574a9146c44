import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, expect, test, vi } from 'vitest';
import { cemetery, frame, parties, partyFrame, shelf } from '../fixtures';
import Help from '../pages/Help.svelte';
import { comes } from './game';
import Play from './Play.svelte';
import { Show } from './show.svelte';

// What is said points at what is meant: places in sentences at graves, the help at what one is asked just now.

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const stage = { look: () => 0, now: () => 0, wait: async () => {}, asleep: () => null, moving: () => false };

async function sits(change: Parameters<typeof frame>[0], played = cemetery) {
  const show = new Show(stage, shelf) as Show;
  show.take((played === cemetery ? frame : partyFrame)(change));
  await tick();
  return comes(played, 't', show, async () => null);
}

const pointed = () => [...document.querySelectorAll<HTMLElement>('.pointed')].map((grave) => grave.dataset.at);

test('a touch on the name of a grave lights it, and so does a pointer', async () => {
  vi.useFakeTimers();
  const at = await sits({ log: [], moves: [], turn: 'B' });
  render(Play, { at, game: cemetery.game });
  at.tell('Advice: open d3.');
  await tick();
  const word = screen.getByText('d3');
  expect(pointed()).toEqual([]);
  await fireEvent(word, new PointerEvent('pointerenter', { pointerType: 'touch' }));
  expect(pointed()).toEqual(['d3']);
  await fireEvent(word, new PointerEvent('pointerleave', { pointerType: 'touch' }));
  await tick();
  expect(pointed(), 'a finger covers what it touches: it stays lit for a while').toEqual(['d3']);
  await vi.advanceTimersByTimeAsync(2500);
  expect(pointed()).toEqual([]);

  await fireEvent(word, new PointerEvent('pointerenter', { pointerType: 'mouse' }));
  expect(pointed()).toEqual(['d3']);
  await fireEvent(word, new PointerEvent('pointerleave', { pointerType: 'mouse' }));
  await tick();
  expect(pointed()).toEqual([]);
});

test('a game that names no places has sentences as they are', async () => {
  const at = await sits({ moves: [], turn: 'B' }, parties);
  at.tell('Nothing in d3.');
  render(Play, { at, game: parties.game });
  expect(document.querySelector('.place')).toBeNull();
});

test('the help begins with what one is asked, what one may answer, and what the book says of it', async () => {
  const at = await sits({ asked: 'garlic', moves: ['garlic', 'leave'], cites: 'P7' });
  vi.stubGlobal('fetch', async () => ({ ok: true, status: 200, json: async () => ({ move: 'garlic' }) }));
  render(Help, { games: [cemetery.game], at, close: () => {} });
  const now = screen.getByRole('heading', { name: 'Just now' }).parentElement!;
  within(now).getByText(at.ask('garlic'));
  expect(
    within(now)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(['garlic', 'leave'].map((move) => at.says(move)));
  // The book is fetched when it is wanted.
  await vi.waitFor(() => expect(now.querySelector('[data-number]')).not.toBeNull());
  await fireEvent.click(within(now).getByRole('button', { name: 'What would a good player do?' }));
  await vi.waitFor(() => within(now).getByText(`Advice: ${at.says('garlic')}.`));
  expect(document.querySelector('details')!.open, 'the wall of text is folded away').toBe(false);
});

test('elsewhere the help is the games in short', async () => {
  render(Help, { games: [cemetery.game], close: () => {} });
  expect(screen.queryByRole('heading', { name: 'Just now' })).toBeNull();
  screen.getByRole('heading', { name: 'Keys' });
});

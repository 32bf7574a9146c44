import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, expect, test, vi } from 'vitest';
import { cemetery, frame, said, shelf } from '../fixtures';
import { comes } from './game';
import Play from './Play.svelte';
import { Show } from './show.svelte';

// Who has seen enough goes on, by a tap on the table, the space bar or a button; what has another meaning keeps it.

afterEach(cleanup);

async function looksOn() {
  const stage = {
    look: () => 1e6,
    now: () => 0,
    wait: () => new Promise<void>(() => {}),
    asleep: () => null,
    moving: () => false,
  };
  const show = new Show(stage, shelf) as Show;
  show.take(frame({ log: [], moves: [], turn: 'B' }));
  await tick();
  render(Play, { at: comes(cemetery, 't', show, async () => null), game: cemetery.game });
  const next = vi.spyOn(show, 'next');
  show.take(frame({ seq: 11, moves: [], turn: 'B', events: [said('plague', { at: 'd3' })] }));
  for (let seq = 12; seq < 18; seq++)
    show.take(frame({ seq, moves: [], turn: 'B', events: [said('turn', { seat: 'B' })] }));
  await tick();
  return { show, next };
}

const grave = () => document.querySelector('[data-at="d3"]')!;

test('a tap on a grave goes on, and so do the space bar and the button', async () => {
  const { next } = await looksOn();
  await fireEvent.click(grave());
  expect(next).toHaveBeenCalledTimes(1);
  await fireEvent.keyDown(grave(), { key: ' ' });
  expect(next).toHaveBeenCalledTimes(2);
  await fireEvent.click(screen.getByRole('button', { name: 'Go on' }));
  expect(next).toHaveBeenCalledTimes(3);
  expect(screen.queryByText('One moment: look first.')).toBeNull();
});

test('a button keeps its meaning, and where nothing is shown a tap is no haste', async () => {
  const { show, next } = await looksOn();
  await fireEvent.click(screen.getByRole('button', { name: 'Table, seats and log' }));
  expect(next).not.toHaveBeenCalled();
  show.busy = false;
  await tick();
  await fireEvent.click(grave());
  expect(next).not.toHaveBeenCalled();
});

test('who lies far behind is told how far', async () => {
  await looksOn();
  screen.getByText('6 turns behind, catching up');
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { partyFrame as frame, said, shelf, shownParties as shown } from '../../fixtures';
import { Show } from '../../table/show.svelte';
import type { Scene } from './scene';

const stage = {
  look: () => 2000,
  now: () => Date.now(),
  wait: (ms: number) => new Promise<void>((done) => setTimeout(done, ms)),
  asleep: () => null,
  moving: () => true,
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('a card that is opened, and the one that is drawn after it, are each seen before the next player is asked', async () => {
  const knock = { from: 'C', to: 'B', card: '', host: '' };
  const show = new Show<Scene>(stage, shelf);
  show.take(frame({ log: [], moves: [], turn: 'B', asked: 'accept', shown: shown({ turn: 'C', knock }) }));
  await pass(0);
  const pile = { left: 30, top: 'child', cards: [] };
  show.take(
    frame({
      seq: 11,
      events: [
        said('accept', { seat: 'B', to: 'C', what: 'vampire' }),
        said('join', { seat: 'B', what: 'vampire' }),
        said('draw', { seat: 'C', what: 'taxi', n: 30 }),
        said('turn', { seat: 'A' }),
      ],
      shown: shown({ pile }),
    }),
  );
  await pass(900);
  expect(show.scene!.knock).toMatchObject({ card: 'vampire', host: 'B' });
  await pass(400);
  expect(show.flight).toMatchObject({ piece: 'card vampire', to: 'party-B' });
  await pass(1000);
  expect([show.scene!.drawn, show.busy]).toEqual([{ seat: 'C', card: 'taxi' }, true]);
  await pass(1000);
  expect([show.scene!.drawn, show.scene!.turn, show.busy]).toEqual([undefined, 'A', false]);
  expect(show.log.map(({ said }) => said.what)).toEqual(['vampire', 'vampire', undefined, undefined]);
});

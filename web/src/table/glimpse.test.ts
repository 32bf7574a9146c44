import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { frame, said, shelf, shown } from '../fixtures';
import type { Cemetery } from '../games/dawn/types';
import { looks } from '../settings.svelte';
import type { Frame } from '../wire/protocol';
import { Show } from './show.svelte';

// Dawn Under is a game of memory: whatever is in a hurry, a lid is open as long as one needs to see what it shows.

const least = 1200;
let look: number = looks.normal;
const stage = {
  look: () => look,
  now: () => Date.now(),
  wait: (ms: number) => new Promise<void>((done) => setTimeout(done, ms)),
  asleep: () => null,
  moving: () => true,
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const lids = ['a1', 'b1', 'c1', 'd1', 'e1', 'f1', 'g1', 'h1'];

/** A bot opens a grave, finds another's vampire, and it is somebody else's turn; after the last it is the reader's. */
const opens = (seq: number, at: string): Frame =>
  frame({
    seq,
    turn: at === lids.at(-1) ? 'A' : 'B',
    moves: at === lids.at(-1) ? ['open a1', 'open b1'] : [],
    events: [said('open', { at, what: 'red' }), said('occupied', { at, what: 'vampire blue' }), said('turn')],
  });

/** How many milliseconds each lid has been seen open, to the next hundredth of a second. */
async function seenOpen(show: Show<Cemetery>, told: Frame[], every: number) {
  const open: Record<string, number> = {};
  for (let ms = 0; ms < 60_000; ms += 10) {
    while (told.length && ms >= (open['sent'] ?? 0) * every) {
      show.take(told.shift()!);
      open['sent'] = (open['sent'] ?? 0) + 1;
    }
    await pass(10);
    for (const grave of show.scene!.graves) if (grave.lid === 'open') open[grave.at] = (open[grave.at] ?? 0) + 10;
  }
  expect(show.busy).toBe(false);
  return lids.map((at) => open[at] ?? 0);
}

async function begun(change: Partial<Frame> = {}): Promise<Show<Cemetery>> {
  const show = new Show<Cemetery>(stage, shelf);
  show.take(frame({ log: [], ...change }));
  await pass(0);
  return show;
}

test.each(Object.entries(looks))('at the pace “%s” a lid is open long enough, however fast the bots', async (_, ms) => {
  look = ms;
  for (const every of [1250, 250, 0]) {
    const told = lids.map((at, i) => opens(11 + i, at));
    expect(Math.min(...(await seenOpen(await begun(), told, every))), `every ${every} ms`).toBeGreaterThanOrEqual(
      least,
    );
  }
});

test('a lid that lay open for a question is looked at before a heap of moves is leapt over', async () => {
  look = looks.normal;
  const asking = shown({ at: 'd3' }, [{ at: 'd3', lid: 'open', under: 'red' }]);
  const show = await begun({ moves: [], shown: asking });
  for (let seq = 11; seq < 160; seq++) show.take(opens(seq, 'c1'));
  await pass(1100);
  expect(show.scene!.graves.find(({ at }) => at === 'd3')!.lid).toBe('open');
  await pass(150_000);
  expect([show.busy, show.frame!.seq]).toEqual([false, 159]);
});

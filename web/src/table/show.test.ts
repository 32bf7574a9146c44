import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { frame, said, shelf, shown } from '../fixtures';
import { faded } from '../games/dawn/script';
import type { Cemetery } from '../games/dawn/types';
import type { Frame } from '../wire/protocol';
import { Show } from './show.svelte';

let asleep: Promise<void> | null = null;
let listens = false;
const stage = {
  listens: () => listens,
  look: () => 2500,
  now: () => Date.now(),
  wait: (ms: number) => new Promise<void>((done) => setTimeout(done, ms)),
  asleep: () => asleep,
  moving: () => true,
};

beforeEach(() => {
  vi.useFakeTimers();
  asleep = null;
  listens = false;
});
afterEach(() => vi.useRealTimers());

const lid = (show: Show<Cemetery>, at: string) => show.scene!.graves.find((g) => g.at === at)!;
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

async function begun(): Promise<Show<Cemetery>> {
  const show = new Show<Cemetery>(stage, shelf);
  show.take(frame({ log: [] }));
  await pass(0);
  return show;
}

const opening = (seq = 11, at = 'd3'): Frame =>
  frame({
    seq,
    turn: 'B',
    moves: [],
    events: [said('open', { at, what: 'red' }), said('occupied', { at, what: 'vampire blue' })],
  });

test('a lid stays open for everyone to look, then it closes and nothing of it is left', async () => {
  const show = await begun();
  show.take(opening());
  await pass(100);
  expect(lid(show, 'd3')).toMatchObject({ lid: 'open', under: 'red', holds: 'vampire blue' });
  await pass(2300);
  expect(lid(show, 'd3').lid).toBe('open');
  await pass(200);
  expect(JSON.stringify(show.scene)).toBe(JSON.stringify(shown()));
  expect(show.fresh).toBe('');
  expect(show.busy).toBe(false);
});

test('when the game ends all that is uncovered is looked at before anything is said of it', async () => {
  const show = await begun();
  const graves = shown().graves.map((grave) => ({ ...grave, lid: 'open' as const, under: 'red' }));
  show.take(frame({ seq: 11, state: 'over', moves: [], turn: '', events: [said('win')], shown: shown({ graves }) }));
  await pass(1100);
  expect(lid(show, 'd3').lid).toBe('open');
  await pass(2300);
  expect(show.busy).toBe(true);
  await pass(200);
  expect(show.busy).toBe(false);
});

test('the log says place and colour while the lid is open, and forgets them when it closes', async () => {
  const show = await begun();
  show.take(opening());
  await pass(1000);
  expect(show.log.map((l) => l.said.what)).toEqual(['red', 'vampire blue']);
  await pass(2000);
  expect(show.log).toHaveLength(2);
  expect(JSON.stringify(show.log)).not.toMatch(/d3|red|blue/);
});

test('at a table that helps with everything the log remembers', async () => {
  const show = new Show<Cemetery>(stage, shelf);
  const all = { ...frame().setup, aid: 'all' as const };
  show.take(frame({ log: [], setup: all }));
  show.take({ ...opening(), setup: all });
  await pass(5000);
  expect(show.log[0]!.said).toMatchObject({ at: 'd3', what: 'red' });
});

test('a lid that stays open for a question holds nobody up', async () => {
  const show = await begun();
  show.take(
    frame({
      seq: 11,
      moves: ['garlic', 'leave'],
      events: [said('open', { at: 'd3', what: 'red' })],
      shown: shown({ at: 'd3' }, [{ at: 'd3', lid: 'open', under: 'red' }]),
    }),
  );
  await pass(1000);
  expect(show.busy).toBe(false);
  expect(show.log[0]!.said.at).toBe('d3');
});

test('an answer that comes at once does not close the lid before it could be looked at', async () => {
  const show = await begun();
  show.take(
    frame({
      seq: 11,
      moves: [],
      events: [said('open', { at: 'd3', what: 'red' })],
      shown: shown({ at: 'd3' }, [{ at: 'd3', lid: 'open', under: 'red' }]),
    }),
  );
  await pass(800);
  show.take(frame({ seq: 12, events: [said('leave', { at: 'd3' })] }));
  await pass(1000);
  expect(lid(show, 'd3').lid).toBe('open');
  await pass(1000);
  expect(lid(show, 'd3').lid).toBe('closed');
});

test('a vampire flies into its grave, and the lid closes over it', async () => {
  const show = await begun();
  const events = [said('open', { at: 'd3', what: 'red' }), said('rest', { at: 'd3', what: 'red' })];
  show.take(frame({ seq: 11, moves: [], events }));
  await pass(800);
  expect(show.flight).toMatchObject({ from: 'end-A-left', to: 'grave-d3' });
  await pass(800);
  expect(show.flight).toBeNull();
  expect(lid(show, 'd3').holds).toBe('vampire red');
});

test('the more is waiting, the faster it is shown, and a heap is not played at all', async () => {
  const show = await begun();
  for (let seq = 11; seq < 14; seq++) show.take(opening(seq));
  await pass(5200);
  expect(show.frame!.seq).toBe(13);
  for (let seq = 14; seq < 214; seq++) show.take(opening(seq));
  await pass(10_000);
  expect(show.frame!.seq).toBeGreaterThan(114);
  await pass(125_000);
  expect(show.frame!.seq).toBe(213);
});

test('whoever is asked does not wait as long as a lid is looked at, whatever is still to be told', async () => {
  const show = await begun();
  for (let seq = 11; seq < 15; seq++) show.take(frame({ seq, moves: [], events: [said('plague', { at: 'd3' })] }));
  show.take(frame({ seq: 15, events: [said('turn', { rule: '' })] }));
  await pass(1400);
  expect(show.busy).toBe(true);
  await pass(200);
  expect([show.busy, show.frame!.seq]).toEqual([false, 15]);
});

/** Nobody can look, until somebody wakes. */
function sleep() {
  let wake = () => {};
  asleep = new Promise<void>((done) => (wake = done));
  return () => ((asleep = null), wake());
}

test('while nobody can look, nothing is played; whoever comes back sees each lid, and does not wait for what he need not see', async () => {
  const show = await begun();
  const wake = sleep();
  for (let seq = 11; seq < 15; seq++) show.take(opening(seq, `a${seq - 10}`));
  show.take(frame({ seq: 15, events: [said('garlic', { at: 'd3' }), said('plague'), said('turn', { seat: 'B' })] }));
  await pass(60_000);
  expect([show.frame!.seq, show.newest!.seq, show.behind]).toEqual([10, 15, 1]);
  wake();
  for (const at of ['a1', 'a2', 'a3', 'a4']) {
    await pass(600);
    expect(lid(show, at).lid).toBe('open');
    await pass(650);
  }
  await pass(50);
  expect([show.busy, show.frame!.seq, show.behind]).toEqual([false, 15, 0]);
  expect(JSON.stringify(show.log)).not.toMatch(/a1|red/);
});

test('a lid that lay open while the page was hidden is looked at afterwards', async () => {
  const show = await begun();
  show.take(opening());
  await pass(200);
  const wake = sleep();
  await pass(60_000);
  expect(lid(show, 'd3').lid).toBe('open');
  wake();
  await pass(1200);
  expect(lid(show, 'd3').lid).toBe('open');
  await pass(100);
  expect([lid(show, 'd3').lid, show.busy]).toEqual(['closed', false]);
});

test('whoever has seen enough goes on to the next lid, and past it only when he has seen that one as well', async () => {
  const show = await begun();
  show.take(opening(11, 'a1'));
  show.take(frame({ seq: 12, events: [said('garlic', { at: 'd3' }), said('plague', { at: 'd3' })] }));
  show.take(opening(13, 'a2'));
  await pass(400);
  show.next();
  await pass(0);
  expect([lid(show, 'a1').lid, lid(show, 'a2').lid]).toEqual(['closed', 'open']);
  await pass(200);
  show.next();
  await pass(100);
  expect(lid(show, 'a2').lid).toBe('open');
  await pass(100);
  show.next();
  await pass(0);
  expect([show.busy, show.frame!.seq]).toEqual([false, 13]);
});

test('sentences stand beside each other, and what all look at begins a line', async () => {
  const show = await begun();
  show.take(opening());
  await pass(100);
  expect(show.told.map(({ verb }) => verb)).toEqual(['open']);
  await pass(1000);
  expect(show.told.map(({ verb }) => verb)).toEqual(['open', 'occupied']);
  await pass(2000);
  expect(show.told).toEqual([]);
});

test('a frame that is missing is asked for, from the last one that came', async () => {
  const asked: number[] = [];
  const show: Show<Cemetery> = new Show<Cemetery>(stage, shelf, () => asked.push(show.seq));
  show.take(frame({ log: [] }));
  show.take(opening(13));
  await pass(0);
  expect(asked).toEqual([10]);
  expect(show.frame!.seq).toBe(13);
});

test('an older frame is not shown, and one of the same number changes who is here, not what happens', async () => {
  const show = await begun();
  show.take(opening());
  await pass(5000);
  show.take(frame({ seq: 10 }));
  show.take({ ...opening(), watchers: 3 });
  await pass(0);
  expect([show.frame!.seq, show.frame!.watchers, show.busy, show.log.length]).toEqual([11, 3, false, 2]);
});

test('a page that comes anew goes on from an older frame, where the house has to', async () => {
  const show = await begun();
  show.take(opening());
  await pass(5000);
  show.take(frame({ seq: 10, log: [] }));
  await pass(1000);
  expect([show.seq, show.frame!.seq]).toEqual([10, 10]);
  show.take(opening(11));
  await pass(5000);
  expect([show.seq, show.frame!.seq]).toEqual([11, 11]);
});

test('the log of people is no secret and stays', async () => {
  const show = await begun();
  show.take(frame({ seq: 11, events: [said('leave', { what: 'Ben', rule: '' })] }));
  await pass(1000);
  expect(show.log[0]!.said.what).toBe('Ben');
});

test('a bat and the Count keep their place in the log as long as they stand there, and what lay below is forgotten', () => {
  const line = (verb: string, at: string, what?: string) => ({ id: 1, said: said(verb, { at, what }) });
  const now = shown({ bat: { on: 'c2', doubter: '', asks: ['B'] }, count: { holder: 'B', on: 'f2' } });
  const kept = (l: ReturnType<typeof line>) => faded(l, new Set(), now).said.at;
  expect([
    kept(line('bat', 'c2')),
    kept(line('bat', 'c3')),
    kept(line('count', 'f2')),
    kept(line('count', 'f3')),
  ]).toEqual(['c2', undefined, 'f2', undefined]);
  for (const verb of ['open', 'rest', 'lift', 'lose', 'reserved', 'present']) {
    expect(faded(line(verb, 'f2', 'vampire red'), new Set(), now).said).not.toMatchObject({ at: 'f2' });
  }
});

test('a flight carries the very time that the show waits for it', async () => {
  const show = await begun();
  const began = Date.now();
  show.take(frame({ seq: 11, events: [said('garlic', { at: 'd3' })] }));
  await pass(0);
  expect(show.flight).toMatchObject({ from: 'garlic-A', to: 'grave-d3', ms: 650 });
  await pass(649);
  expect(show.flight).not.toBeNull();
  await pass(1);
  expect([show.flight, Date.now() - began]).toEqual([null, 650]);
});

test('whoever listens hears each sentence to its end, however fast the others are', async () => {
  const spoken = async () => {
    const show = await begun();
    for (let seq = 11; seq < 15; seq++) show.take(opening(seq, `a${seq - 10}`));
    const heard = new Map<string, number>();
    while (show.busy) {
      const what = show.telling && `${show.telling.verb} ${show.telling.at}`;
      if (what) heard.set(what, (heard.get(what) ?? 0) + 100);
      await pass(100);
    }
    return Math.min(...heard.values());
  };
  expect(await spoken()).toBeLessThan(2500);
  listens = true;
  expect(await spoken()).toBeGreaterThanOrEqual(2500);
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { games } from '../src/games';
import { looks } from '../src/settings.svelte';
import { staged, type Game } from '../src/table/game';
import { Show } from '../src/table/show.svelte';
import { recorded, type Recorded } from './recorded';

// A stopwatch: games of one person and three bots by rules, at the usual pace. The house is that of the recordings: how long its bots
// take stands in them. The person takes three seconds for a decision, and waits for the rest of the time; when he taps, he does half a
// second after something has come into sight.

const decision = 3000;
const glance = 500;
const step = 50;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Watch {
  /** How long each decision was waited for. */
  waits: number[];
  /** How long each lid was open. */
  lids: number[];
}

async function plays(game: Game, { frames, pauses, info }: Recorded, taps: boolean): Promise<Watch> {
  const stage = {
    look: () => looks.normal,
    now: () => Date.now(),
    wait: (ms: number) => new Promise<void>((done) => setTimeout(done, ms)),
    asleep: () => null,
    moving: () => true,
  };
  const show: Show = new Show(stage, () => staged({ game, info }));
  const watch: Watch = { waits: [], lids: [] };
  const open = new Map<string, number>();
  let next = frames.findIndex(({ state }) => state === 'running');
  let [said, asked, due] = [Date.now(), 0, 0];
  let [looked, before] = [0, show.telling];
  for (; next < frames.length || show.busy; await vi.advanceTimersByTimeAsync(step)) {
    const now = Date.now();
    if (show.newest?.moves.length) {
      if (!asked && !show.busy) {
        asked = now;
        watch.waits.push(now - said);
      }
      due = Infinity;
      if (asked && now >= asked + decision) [due, said, asked] = [0, now, 0];
    }
    if (next < frames.length && now >= due) {
      show.take(frames[next]!);
      due = now + pauses[next++]!;
    }
    if (show.telling !== before && game.script.looks.has(show.telling?.verb ?? '')) looked = now;
    before = show.telling;
    if (taps && show.busy && now >= looked + glance) {
      show.next();
      looked = now;
    }
    const lie = show.scene ? game.script.open(show.scene) : new Set<string>();
    for (const [place, since] of open) {
      if (lie.has(place)) continue;
      watch.lids.push(now - since);
      open.delete(place);
    }
    for (const place of lie) if (!open.has(place)) open.set(place, now);
  }
  return watch;
}

const sum = (list: number[]) => list.reduce((all, one) => all + one, 0);

test.each(
  games.flatMap((game) => [
    { name: game.name, game, taps: false, share: 0.6 },
    { name: game.name, game, taps: true, share: 0.35 },
  ]),
)('$name, taps: $taps', { timeout: 60_000 }, async ({ name, game, taps, share }) => {
  const [waits, lids]: [number[], number[]] = [[], []];
  for (const one of recorded('usual').filter(({ info }) => info.name === name)) {
    const watch = await plays(game, one, taps);
    waits.push(...watch.waits);
    lids.push(...watch.lids);
  }
  waits.sort((a, b) => a - b);
  const [waited, most] = [sum(waits) / (sum(waits) + waits.length * decision), waits[Math.floor(waits.length * 0.95)]!];
  const s = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  console.info(
    `${name}, ${taps ? 'with' : 'without'} taps: ${waits.length} decisions, ${lids.length} lids; of the time ${Math.round(waited * 100)} % is ` +
      `waiting, ${s(sum(waits) / waits.length)} on the average, 95 of 100 at most ${s(most)}, the longest ${s(waits.at(-1)!)}`,
  );
  expect(waits.length).toBeGreaterThan(50);
  expect(waited).toBeLessThan(share);
  expect(most).toBeLessThan(20_000);
  expect(Math.min(...lids)).toBeGreaterThanOrEqual(taps ? glance : 1200);
});

import { isDeepStrictEqual } from 'node:util';
import { render } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, expect, test } from 'vitest';
import { games } from '#games';
import { comes, staged, type Game, type Played } from '../src/table/game';
import Play from '../src/table/Play.svelte';
import { Show, type Line } from '../src/table/show.svelte';
import type { Frame } from '../src/wire/protocol';
import { reloaded } from './recorded';

// A page that was never left has nothing that one does not have which is loaded again: what was seen and has closed is nowhere in it, neither
// in what one looks at or hears, nor in its address, its title, or what the browser keeps for it.

const stage = { look: () => 0, now: () => 0, wait: async () => {}, asleep: () => null, moving: () => false };
const recordings = reloaded().map(({ info, ...recording }) => {
  const game: Game = games.find(({ name }) => name === info.name)!;
  return { ...recording, played: { game, info } };
});

const show = (played: Played) => new Show(stage, () => staged(played));

async function see(show: Show, frame: Frame) {
  show.take(frame);
  while (show.busy) await Promise.resolve();
}

/** Every element with its attributes, and every text, in order; which attribute and which class stands first does not matter. */
function* everything(node: Node): Generator<string> {
  if (node instanceof Element) {
    const words = (name: string, value: string) => (name === 'class' ? value.split(' ').sort().join(' ') : value);
    const attributes = [...node.attributes].map(({ name, value }) => `${name}="${words(name, value)}"`);
    yield [node.localName, ...attributes.sort()].join(' ');
  } else if (node instanceof Text) yield node.data;
  for (const child of node.childNodes) yield* everything(child);
}

/** A page of the table, and all that stands in it. */
function page(show: Show, played: Played) {
  const at = comes(played, 't', show, async () => null);
  const { container, unmount } = render(Play, { at, game: played.game });
  const has = () => [
    document.title,
    location.href,
    JSON.stringify({ ...localStorage }),
    JSON.stringify({ ...sessionStorage }),
    ...everything(container),
  ];
  return { has, unmount };
}

/** What lies open now may still stand in the log of whoever saw it opened; a page that is loaded again has its lines as they will be. */
function closed({ log }: Show, loaded: Show, { game }: Played): Line[] {
  const { scene } = loaded;
  const open = scene ? game.script.open(scene) : new Set<string>();
  const staysNow = (line: Line) => scene && game.script.faded(line, open, scene) === line;
  return log.map((line, i) => {
    const same = isDeepStrictEqual(line.said, loaded.log[i]?.said);
    return !same && staysNow(line) ? game.script.faded(line, new Set(), null) : line;
  });
}

afterEach(() => localStorage.clear());

test('every game is there, and tables that help in every way', () => {
  expect(new Set(recordings.map(({ played }) => played.game))).toEqual(new Set(games));
  expect(new Set(recordings.map(({ frames }) => frames[0]!.setup.aid))).toEqual(new Set(['', 'all', 'marks']));
});

test.each(recordings)('$file: the log and the table are the same', { timeout: 60_000 }, async (recording) => {
  const { played, frames, again } = recording;
  const unbroken = show(played);
  expect(again.length).toBe(frames.length);
  for (const [i, frame] of frames.entries()) {
    await see(unbroken, frame);
    const loaded = show(played);
    await see(loaded, again[i]!);
    const where = `frame ${frame.seq}`;
    expect(
      loaded.log.map(({ said }) => said),
      where,
    ).toEqual(closed(unbroken, loaded, played).map(({ said }) => said));
    expect({ ...loaded.frame, events: [], log: null }, where).toEqual({ ...unbroken.frame, events: [], log: null });
    expect(loaded.scene, where).toEqual(unbroken.scene);
  }
});

// To draw them all, and to the end, would take minutes.
const enough = 96;
const drawn = recordings.filter(({ file }) => file.includes('-4-'));

test.each(drawn)('$file: the pages are alike, to the letter', { timeout: 120_000 }, async (recording) => {
  const { played, frames, again } = recording;
  const unbroken = show(played);
  const start = frames.findIndex(({ state }) => state === 'running');
  for (const frame of frames.slice(0, start + 1)) await see(unbroken, frame);
  const live = page(unbroken, played);
  const last = Math.min(frames.length - 1, start + enough);
  for (let i = start + 1; i <= last; i++) {
    await see(unbroken, frames[i]!);
    if (i % 24 && i < last) continue;
    const loaded = show(played);
    await see(loaded, again[i]!);
    const { log, fresh } = unbroken;
    unbroken.log = closed(unbroken, loaded, played);
    if (loaded.scene && played.game.script.open(loaded.scene).has(fresh)) unbroken.fresh = '';
    await tick();
    const other = page(loaded, played);
    await tick();
    expect(other.has(), `frame ${i}`).toEqual(live.has());
    other.unmount();
    Object.assign(unbroken, { log, fresh });
  }
});

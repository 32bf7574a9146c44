import { render } from '@testing-library/svelte';
import { tick } from 'svelte';
import { expect, test } from 'vitest';
import { again, recorded } from '../../../test/recorded';
import { shelf } from '../../fixtures';
import { comes } from '../../table/game';
import Play from '../../table/Play.svelte';
import { Show } from '../../table/show.svelte';
import type { Frame, Info } from '../../wire/protocol';
import { toctoc } from '.';
import type { Scene } from './scene';

const stage = { look: () => 0, now: () => 0, wait: async () => {}, asleep: () => false, moving: () => false };
const show = () => new Show<Scene>(stage, shelf);
const games = recorded('A').filter(({ info }) => info.name === toctoc.name);

async function see(show: Show<Scene>, frame: Frame) {
  show.take(frame);
  while (show.busy) await Promise.resolve();
}

/** A page of the table, and what stands in it, down to what only a reader hears. */
function page(show: Show<Scene>, info: Info) {
  const at = comes({ game: toctoc, info }, 't', show as Show, async () => null);
  const { container, unmount } = render(Play, { at, game: toctoc });
  const sorted = (_: string, names: string) => names.split(' ').sort().join(' ');
  const reads = () =>
    container.innerHTML
      .replace(/<!--.*?-->/g, '')
      .replace(/(?<=class=")([^"]*)/g, sorted)
      .split('>');
  return { reads, unmount };
}

test('there are games of three, four and five, each at a table that helps differently', () => {
  expect(games.map(({ frames }) => frames[0]!.setup.aid).sort()).toEqual(['', 'all', 'marks']);
});

test.each(games)(
  '$file: a page that is loaded again has the log and the table of one that was never left',
  async (game) => {
    const unbroken = show();
    const told = again(game);
    expect(told.length).toBe(game.frames.length);
    for (const [i, frame] of game.frames.entries()) {
      await see(unbroken, frame);
      const loaded = show();
      await see(loaded, told[i]!);
      const where = `frame ${frame.seq}`;
      expect(
        loaded.log.map(({ said }) => said),
        where,
      ).toEqual(unbroken.log.map(({ said }) => said));
      expect({ ...loaded.frame, events: [], log: null }, where).toEqual({ ...unbroken.frame, events: [], log: null });
      expect(loaded.scene, where).toEqual(unbroken.scene);
    }
  },
);

test('the pages themselves are alike, to the letter', { timeout: 60_000 }, async () => {
  const game = games.find(({ file }) => file.includes('-4-'))!;
  const unbroken = show();
  const told = again(game);
  const start = game.frames.findIndex(({ state }) => state === 'running');
  for (const frame of game.frames.slice(0, start + 1)) await see(unbroken, frame);
  const live = page(unbroken, game.info);
  for (let i = start + 1; i < game.frames.length; i++) {
    await see(unbroken, game.frames[i]!);
    if (i % 6 && i < game.frames.length - 1) continue; // to draw them all would take a minute
    const loaded = show();
    await see(loaded, told[i]!);
    await tick();
    const other = page(loaded, game.info);
    await tick();
    expect(other.reads(), `frame ${i}`).toEqual(live.reads());
    other.unmount();
  }
});

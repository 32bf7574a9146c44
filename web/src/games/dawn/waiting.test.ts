import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, expect, test } from 'vitest';
import { cemetery, frame, shelf, shown } from '../../fixtures';
import { comes } from '../../table/game';
import Play from '../../table/Play.svelte';
import { Show } from '../../table/show.svelte';
import type { Frame } from '../../wire/protocol';
import Pictures from './Pictures.svelte';
import type { Cemetery } from './types';

const stage = { look: () => 0, now: () => 0, wait: async () => {}, asleep: () => null, moving: () => false };

afterEach(cleanup);

async function sitDown(change: Partial<Frame>) {
  const show = new Show<Cemetery>(stage, shelf);
  show.take(frame({ log: [], ...change }));
  await Promise.resolve();
  render(Play, { at: comes(cemetery, 't', show as Show, async () => null), game: cemetery.game });
}

test('whoever waits while a plague rages is told so', async () => {
  const plague = { rat: 'd3', holder: 'B', goer: 'B', out: [] };
  await sitDown({ moves: [], turn: 'B', asked: 'plague', shown: shown({ turn: 'B', plague }) });
  screen.getByText('Rat plague: Ben may open graves.');
});

test.each([
  ['lay', 'Ben lays a vampire there, of any colour.'],
  ['lay.free', 'Ben may lay a vampire there, of any colour.'],
])('what is asked of another is the house’s word, “%s”, and no rule of the page', async (asked, words) => {
  await sitDown({ moves: [], turn: 'B', asked, shown: shown({ turn: 'B', at: 'd3' }) });
  screen.getByText(words);
});

test('nothing is drawn beside the number that stands in the middle of a coffin', () => {
  const { container } = render(Pictures);
  const wings = container.querySelector('#coffin use')!;
  const [top, height] = ['y', 'height'].map((side) => Number(wings.getAttribute(side)));
  expect(top! + height!).toBeLessThan(20); // of 64
});

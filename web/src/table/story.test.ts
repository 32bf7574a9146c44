import { expect, test } from 'vitest';
import type { Story } from '../wire/protocol';
import { counts, course, leads } from './story';

const turns = [
  [-3, -3, -3],
  [-2, -3, -3],
  [-2, -2, -3],
  [-2, -1, -3],
  [-1, -1, -3],
  [0, -1, -3],
].map((standing, ply) => ({ ply, standing }));
const story: Story = { turns, did: [{ open: 4, smell: 1 }, { open: 2 }, {}], had: [{}, { give: 2 }, { give: 1 }] };

test('who was ahead alone, after how many turns, and how often that changed', () => {
  expect(leads(story)).toEqual({ longest: 'A', turns: 2, of: 5, changes: 2 });
  expect(leads({ ...story, turns: turns.slice(0, 1) })).toEqual({ longest: '', turns: 0, of: 0, changes: 0 });
});

test('everyone has his way through the game, the furthest on top, and letters do not lie one over another', () => {
  const [a, b, c] = course(story, 100, 60);
  expect(a!.points.split(' ').at(-1)).toBe('100.0,0.0');
  expect(c!.points.split(' ')).toEqual(['0', '20', '40', '60', '80', '100'].map((x) => `${x}.0,60.0`));
  expect([a!.ends, b!.ends, c!.ends]).toEqual([0, 20, 60]);
  const close = course({ ...story, turns: [turns[0]!, { ply: 1, standing: [-3, -3, -2] }] }, 100, 60);
  expect(close.map(({ ends }) => ends)).toEqual([41, 60, 0]);
});

test('nobody is drawn where nobody is ahead', () => {
  expect(course({ ...story, turns: turns.slice(0, 1) }, 100, 60)).toEqual([]);
});

test('deeds are what was done and what was done to one, and what nobody did is not told', () => {
  const deeds = [
    { name: 'open', did: ['open'] },
    { name: 'gifts', had: ['give'] },
    { name: 'known', did: ['occupied', 'smell'] },
    { name: 'bat', did: ['bat'] },
  ];
  expect(counts(story, deeds)).toEqual([
    { name: 'open', numbers: [4, 2, 0] },
    { name: 'gifts', numbers: [0, 2, 1] },
    { name: 'known', numbers: [1, 0, 0] },
  ]);
});

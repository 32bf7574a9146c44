import { expect, test } from 'vitest';
import { frame, said } from '../fixtures';
import { asAt, momentOf, turnFrom, wayTo } from './replay';

test('the address names the moment, and through whose eyes', () => {
  for (const eyes of ['all', '', 'C']) {
    const way = wayTo('/replay/k3x', 12, eyes);
    expect(momentOf(way.slice(way.indexOf('#')))).toEqual({ ply: 12, eyes });
  }
  for (const hash of ['', '#', '#x', '#-2', '#1-all', '#3-G']) expect(momentOf(hash)).toEqual({ ply: 0, eyes: 'all' });
});

test('whoever comes to a moment has the log of all before it, and nothing that is yet to come', () => {
  const frames = ['open', 'rest', 'turn'].map((verb, i) => frame({ seq: i + 1, log: null, events: [said(verb)] }));
  const at = asAt(frames, 1);
  expect([at.seq, at.events, at.log?.map(({ verb }) => verb)]).toEqual([2, [], ['open', 'rest']]);
});

test('a turn further is where it ends, and back is where the one before did', () => {
  const story = { turns: [0, 3, 7, 9].map((ply) => ({ ply, standing: [] })), did: [], had: [] };
  expect([0, 3, 4, 9].map((ply) => turnFrom(story, ply, 1))).toEqual([3, 7, 7, 9]);
  expect([0, 3, 4, 9].map((ply) => turnFrom(story, ply, -1))).toEqual([0, 0, 3, 7]);
});

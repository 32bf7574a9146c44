import { expect, test } from 'vitest';
import { info } from '../fixtures';
import { blank, open, otherSeats, setup } from './draft';
import { opened } from './opened';

const record = {
  format: 'caveau/1',
  game: 'dawn-under',
  edition: 'rucola',
  players: ['Ana', 'Ben', 'Cleo'],
  deal: {},
  moves: ['A open d3', 'A garlic'],
};
const found = (change: object = {}) => opened(JSON.stringify({ ...record, ...change }));

test('a record is read as far as the page needs it', () => {
  expect(found()).toEqual({
    record,
    game: 'dawn-under',
    edition: 'rucola',
    players: ['Ana', 'Ben', 'Cleo'],
    moves: record.moves,
    playable: 2,
  });
  expect(found({ edition: undefined })?.edition).toBe('');
});

test('what is no record is none', () => {
  for (const text of ['', 'nonsense', 'null', '[]', '"caveau/1"', '{}']) expect(opened(text), text).toBeNull();
  for (const change of [
    { format: 'caveau/2' },
    { game: 1 },
    { edition: null },
    { players: 'Ana' },
    { moves: undefined },
    { moves: [1] },
  ])
    expect(found(change), JSON.stringify(change)).toBeNull();
});

test('a game that came to its end is played on from the last position in which it was not over', () => {
  expect(found({ table: { why: '' } })?.playable).toBe(1);
  expect(found({ table: { why: 'stopped' } })?.playable).toBe(1);
  expect(found({ table: { why: 'broken' } })?.playable).toBe(2);
  expect(found({ table: { why: '' }, moves: [] })?.playable).toBe(0);
});

test('the house is told the record and the move, and what else was agreed, but nothing about a deal', () => {
  const draft = { ...blank(info), first: 'B', options: { maxVampires: 3 }, aid: 'all' as const };
  open(draft, found());
  expect(draft).toMatchObject({ seats: 3, edition: 'rucola', ply: 2, mine: 'A' });
  expect(setup(info, draft)).toEqual({
    game: 'dawn-under',
    edition: 'rucola',
    seats: 3,
    record,
    ply: 2,
    aid: 'all',
    moveTime: 0,
    awayTime: 120,
    listed: false,
    language: 'en',
    places: { A: 'me' },
  });
  draft.ply = 0;
  expect(setup(info, draft).ply).toBe(0);
  open(draft, found({ edition: '2017' }));
  expect(setup(info, draft)).not.toHaveProperty('options');
  open(draft, null);
  expect(setup(info, draft)).not.toHaveProperty('record');
});

test('whoever brings a record sits where he likes, and the bots sit on the other seats', () => {
  const draft = blank(info);
  open(draft, found());
  Object.assign(draft, { mine: 'B', others: ['random', '', 'random', '', ''] });
  expect(otherSeats(draft)).toEqual(['A', 'C']);
  expect(setup(info, draft).places).toEqual({ A: 'random', B: 'me' });
  open(draft, null);
  expect(draft.mine).toBe('A');
});

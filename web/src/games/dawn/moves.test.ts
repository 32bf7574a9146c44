import { expect, test } from 'vitest';
import { places } from '../../fixtures';
import { plan, towards } from './board';
import { readMoves } from './moves';

test('graves that may be opened become buttons, with or without an end of the turn', () => {
  const moves = readMoves(['open a1', 'open h8', 'stop']);
  expect([...moves.open]).toEqual(['a1', 'h8']);
});

test('ends of the row are asked with their word', () => {
  expect(readMoves(['give left', 'give right']).away).toEqual({ word: 'give', ends: ['left', 'right'] });
});

test('a gift has the ends where it may be put', () => {
  const moves = readMoves(['take red left', 'take red right', 'take blue left']);
  expect([...moves.take]).toEqual([
    ['red', ['left', 'right']],
    ['blue', ['left']],
  ]);
});

test('a move of a rulebook that the page was not drawn for is a plain button', () => {
  const moves = readMoves(['knock B taxi', 'accept']);
  expect(moves.other).toEqual(['knock B taxi', 'accept']);
});

test('a bat may be set where a grave may be opened, and is answered by believing or not', () => {
  const moves = readMoves(['open a1', 'open b1', 'bat a1', 'bat b1']);
  expect([...moves.bat]).toEqual(['a1', 'b1']);
});

test('a vampire that was found is given to a player, and the Count is put on a grave', () => {
  expect(readMoves(['present B', 'present D']).present).toEqual(['B', 'D']);
});

test('paths run between graves of different parts, and the middle is free', () => {
  const drawn = plan(places);
  expect(drawn.columns.match(/--path/g)).toHaveLength(1);
  expect(drawn.spots.get('a8')).toMatchObject({ column: 1, row: 1 });
  expect(drawn.spots.get('h1')).toMatchObject({ column: 9, row: 9 });
  expect(drawn.middle).toBe('4 / 4 / 7 / 7');
});

test('another board is drawn from its data alone', () => {
  const three = [0, 1, 2].map((file) => ({ at: `x${file}`, file, rank: 0, part: file < 1 ? 0 : 1 }));
  const drawn = plan(three);
  expect(drawn.spots.get('x2')!.column).toBe(4);
  expect(drawn.middle).toBe('');
});

test('arrow keys lead over the path and over the middle to the next grave', () => {
  expect(towards(places, 'a1', 1, 0)).toBe('b1');
  expect(towards(places, 'd1', 1, 0)).toBe('e1');
  expect(towards(places, 'c4', 1, 0)).toBe('f4');
  expect(towards(places, 'a1', -1, 0)).toBe('a1');
  expect(towards(places, 'd3', 0, 1)).toBe('d6');
});

import { expect, test } from 'vitest';
import { info, places } from '../fixtures';
import { blank, bots, ready, setup } from './draft';

test('a table is set up as it was drawn up, with a human time for bots unless somebody is in a hurry', () => {
  const draft = { ...blank(info), seats: 3, first: 'B', aid: 'marks' as const, moveTime: 30, listed: true };
  expect(setup(info, draft)).toEqual({ game: 'dawn-under', edition: '2004', seats: 3, first: 'B', aid: 'marks', moveTime: 30, awayTime: 120, listed: true, sit: true });
  expect(setup(info, { ...draft, quick: true }).botTime).toBeDefined();
});

test('only the new edition deals fewer vampires, and only where that was agreed', () => {
  const draft = { ...blank(info), most: 6 };
  expect(setup(info, draft)).not.toHaveProperty('options');
  expect(setup(info, { ...draft, edition: '2017' }).options).toEqual({ maxVampires: 6 });
  expect(setup(info, { ...draft, edition: '2017', most: 0 })).not.toHaveProperty('options');
});

test('bots sit where they were put, and only on seats that there are', () => {
  const draft = { ...blank(info), seats: 3, others: ['', 'remembering:keen', 'random', '', ''] };
  expect(bots(draft)).toEqual([{ seat: 'C', bot: 'remembering:keen' }]);
});

test('chosen bare graves are exactly twenty, and only two players have any', () => {
  const some = places.slice(0, 19).map((g) => g.at);
  const draft = { ...blank(info), seats: 2, bare: some };
  expect(ready(draft)).toBe(false);
  expect(ready({ ...draft, bare: [...some, 'h8'] })).toBe(true);
  expect(setup(info, draft).bare).toEqual(some);
  expect(setup(info, { ...draft, seats: 3 })).not.toHaveProperty('bare');
});

import { expect, test } from 'vitest';
import { info, places } from '../fixtures';
import { blank, bots, change, ready, setup } from './draft';

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

test('another game keeps what was drawn up, as far as it has such seats and editions', () => {
  const party = { name: 'toc-toc-toc', revision: 1, editions: [{ name: '', minSeats: 3, maxSeats: 5 }], board: null };
  const draft = { ...blank(info), edition: 'rucola', seats: 6, first: 'F', aid: 'marks' as const };
  change(draft, party);
  expect(setup(party, draft)).toMatchObject({ game: 'toc-toc-toc', edition: '', seats: 5, first: '', aid: 'marks' });
  change(draft, info);
  expect(setup(info, draft)).toMatchObject({ game: 'dawn-under', edition: '2004', seats: 5 });
});

import { expect, test } from 'vitest';
import { info, party, places } from '../fixtures';
import { blank, bots, change, ready, setup } from './draft';

test('a table is set up as it was drawn up, with a human time for bots unless somebody is in a hurry', () => {
  const draft = { ...blank(info), seats: 3, first: 'B', aid: 'marks' as const, moveTime: 30, listed: true };
  expect(setup(info, draft)).toEqual({
    game: 'dawn-under',
    edition: '2004',
    seats: 3,
    first: 'B',
    aid: 'marks',
    moveTime: 30,
    awayTime: 120,
    listed: true,
    sit: true,
  });
  expect(setup(info, { ...draft, quick: true }).botTime).toBeDefined();
});

test('a number is agreed on only by the rulebook that asks for it', () => {
  const draft = { ...blank(info), options: { maxVampires: 6 } };
  expect(setup(info, draft)).not.toHaveProperty('options');
  expect(setup(info, { ...draft, edition: '2017' }).options).toEqual({ maxVampires: 6 });
  expect(setup(info, { ...draft, edition: '2017', options: {} })).not.toHaveProperty('options');
});

test('bots sit where they were put, and only on seats that there are', () => {
  const draft = { ...blank(info), seats: 3, others: ['', 'remembering:keen', 'random', '', ''] };
  expect(bots(draft)).toEqual([{ seat: 'C', bot: 'remembering:keen' }]);
});

test('what is chosen is all chosen, and only by as many players as are asked', () => {
  const some = places.slice(0, 19).map((g) => g.at);
  const chosen = (bare: string[]) => ({ ...blank(info), seats: 2, choices: { bare } });
  expect(ready(info, { ...blank(info), seats: 2 })).toBe(true);
  expect(ready(info, chosen(some))).toBe(false);
  expect(ready(info, chosen([...some, 'h8']))).toBe(true);
  expect(ready(info, { ...chosen(some), seats: 3 })).toBe(true);
  expect(setup(info, chosen(some)).choices).toEqual({ bare: some });
  expect(setup(info, { ...chosen(some), seats: 3 })).not.toHaveProperty('choices');
});

test('another game keeps what was drawn up, as far as it has such seats and editions', () => {
  const draft = { ...blank(info), edition: 'rucola', seats: 6, first: 'F', aid: 'marks' as const };
  change(draft, party);
  expect(setup(party, draft)).toMatchObject({ game: 'toc-toc-toc', edition: '', seats: 5, first: '', aid: 'marks' });
  change(draft, info);
  expect(setup(info, draft)).toMatchObject({ game: 'dawn-under', edition: '2004', seats: 5 });
});

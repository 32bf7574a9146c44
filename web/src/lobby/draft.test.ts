import { beforeEach, expect, test } from 'vitest';
import { info, party, places } from '../fixtures';
import { again, alone, blank, change, keep, ready, setup, waits } from './draft';
import { usualBot } from '../parts/names';

const bots = ['random', 'keen', 'sharp'];

beforeEach(() => localStorage.clear());

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
    language: 'en',
    places: { A: 'me' },
  });
  expect(setup(info, { ...draft, slow: true }).botTime).toBeDefined();
});

test('a number is agreed on only by the rulebook that asks for it', () => {
  const draft = { ...blank(info), options: { maxVampires: 6 } };
  expect(setup(info, draft)).not.toHaveProperty('options');
  expect(setup(info, { ...draft, edition: '2017' }).options).toEqual({ maxVampires: 6 });
  expect(setup(info, { ...draft, edition: '2017', options: {} })).not.toHaveProperty('options');
});

test('bots sit where they were put, and only on seats that there are; somebody is waited for while a seat is free', () => {
  const draft = { ...blank(info), seats: 3, others: ['', 'keen', 'random', '', ''] };
  expect(setup(info, draft).places).toEqual({ A: 'me', C: 'keen' });
  expect(waits(draft)).toBe(true);
  expect(waits({ ...draft, seats: 2, others: ['keen', '', '', '', ''] })).toBe(false);
});

test('on a big screen the maker has no seat, and all others are as they were put', () => {
  const draft = { ...blank(info), seats: 3, mine: '', others: ['', '', 'keen', '', '', ''] };
  expect(setup(info, draft).places).toEqual({ C: 'keen' });
  expect(waits(draft)).toBe(true);
});

test('whoever comes for the first time plays the first game with three bots who remember well', () => {
  const draft = alone(again([info, party], bots), bots);
  expect(setup(info, draft)).toMatchObject({
    ...{ game: 'dawn-under', edition: '2004', seats: 4, first: 'A', listed: false, aid: '', moveTime: 0 },
    places: { A: 'me', B: 'keen', C: 'keen', D: 'keen' },
  });
  expect(setup(info, draft)).not.toHaveProperty('botTime');
  expect(waits(draft)).toBe(false);
  expect(usualBot(['random', 'remembering:dozy', 'remembering:keen', 'rules'])).toBe('remembering:keen');
});

test('the next table is like the one before, and whoever plays alone has bots in the places of people', () => {
  const chosen = { edition: '2017', seats: 5, mine: 'C', first: 'B', aid: 'all' as const, moveTime: 30, slow: true };
  keep({ ...blank(info), ...chosen, others: ['', 'sharp', '', '', ''], listed: true, options: { maxVampires: 2 } });
  const draft = again([party, info], bots);
  expect(draft).toEqual({
    ...blank(info),
    ...{ edition: '2017', seats: 5, others: ['', 'sharp', '', '', '', ''], aid: 'all', moveTime: 30, slow: true },
  });
  expect(setup(info, alone(draft, bots)).places).toEqual({ A: 'me', B: 'keen', C: 'sharp', D: 'keen', E: 'keen' });
});

test('what the house does not have any more, or never had, is as it is for whoever comes for the first time', () => {
  keep({ ...blank(info), edition: '1904', seats: 40, others: ['deep blue'], moveTime: 7 });
  expect(again([info], bots)).toEqual({ ...blank(info), seats: 6 });
  keep({ ...blank(info), game: 'chess' });
  expect(again([info], bots)).toEqual(blank(info));
  for (const nonsense of ['nonsense', 'null', '7', '[]', '{"game":"dawn-under","others":7}']) {
    localStorage.setItem('caveau.last', nonsense);
    expect(again([info], bots), nonsense).toEqual(blank(info));
  }
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

import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, expect, test, vi } from 'vitest';
import { cemetery, frame, said, shelf, shown } from '../../fixtures';
import { language } from '../../messages/language.svelte';
import { reader } from '../../rules/reader.svelte';
import type { Command, Frame, Refused } from '../../wire/protocol';
import type { Cemetery } from './types';

import type { AtCemetery } from './at.svelte';
import { comes } from '../../table/game';
import Play from '../../table/Play.svelte';
import { Show } from '../../table/show.svelte';

const stage = { look: () => 0, now: () => 0, wait: async () => {}, asleep: () => false, moving: () => false };

afterEach(() => {
  cleanup();
  language.speak('en');
});

async function sitDown(change: Partial<Frame>, answer: Refused | null = null) {
  const show = new Show<Cemetery>(stage, shelf);
  const said: Command[] = [];
  show.take(frame({ log: [], ...change }));
  await Promise.resolve();
  const at = comes(cemetery, 't', show as Show, async (command) => (said.push(command), answer)) as AtCemetery;
  render(Play, { at, game: cemetery.game });
  return { said, show, at };
}

const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));

test('a grave that the house lists can be opened, once', async () => {
  const { said } = await sitDown({ moves: ['open a1', 'open b1'] });
  await press('a1, closed');
  await press('b1, closed');
  expect(said).toEqual([{ do: 'play', table: 't', seat: 'A', seq: 10, move: 'open a1' }]);
});

test('a grave that cannot be opened says whose turn it is', async () => {
  const { said } = await sitDown({ moves: [], turn: 'B' });
  await press('a1, closed');
  await vi.waitFor(() => expect(screen.getByRole('alert').textContent).toBe('It is Ben’s turn.'));
  expect(said).toEqual([]);
});

test('a grave that is pressed while something else is asked says what', async () => {
  await sitDown({
    moves: ['give left', 'give right'],
    asked: 'give',
    shown: shown({ gifts: { to: 'C', have: [], from: ['A'] } }),
  });
  await press('a1, closed');
  await vi.waitFor(() =>
    expect(screen.getByRole('alert').textContent).toBe('Not now. A gift for Cleo: choose an end of your row.'),
  );
});

test('what the house refuses is told with the paragraph, in the reader’s language, and can be tried again', async () => {
  language.speak('fr');
  const { said } = await sitDown({ moves: ['open a1', 'stop'] }, { code: 'not_a_neighbour', rule: '2004 ch. 4' });
  await press('b1, fermé');
  await Promise.resolve();
  await vi.waitFor(() =>
    expect(screen.getByRole('alert').textContent).toMatch(/du même côté du chemin.*\(2004 chap\. 4\)/),
  );
  await press('a1, fermé');
  expect(said).toHaveLength(2);
});

test('a question, a line of the log and a refusal can each be asked why', async () => {
  const log = [said('pass', { rule: 'P3' }), said('sit', { rule: '' })];
  await sitDown({ moves: ['open a1', 'stop'], asked: 'more', log }, { code: 'not_a_neighbour', rule: 'P1' });
  await press('b1, closed');
  await screen.findByRole('button', { name: /^why\? Only graves beside the rat/ });
  expect(screen.getAllByRole('button', { name: /^why\?/ }).map((b) => b.getAttribute('aria-label')!.slice(5))).toEqual([
    'Well done! Open another grave, or end your turn.',
    'Ana passes.',
    expect.stringContaining('Only graves beside the rat'),
  ]);
  await press(/^why\? Only/);
  expect(reader.spot).toEqual({ rule: 'P1' });
  reader.spot = null;
});

test('both ends of the row are buttons when both vampires fit', async () => {
  const { said } = await sitDown({ moves: ['rest left', 'rest right'], asked: 'rest' });
  await press('Lay to rest, at the right end: a white vampire');
  expect(said[0]).toMatchObject({ move: 'rest right' });
});

test('a gift is picked first, and then its end', async () => {
  const moves = ['take red left', 'take red right', 'take blue left', 'take blue right'];
  const { said } = await sitDown({
    moves,
    asked: 'take',
    shown: shown({ gifts: { to: 'A', have: ['red', 'blue'], from: [] } }),
  });
  await press('Place this gift: a blue vampire');
  await press('Put at the left end: a blue vampire');
  expect(said[0]).toMatchObject({ move: 'take blue left' });
});

test('one gift needs no picking, and who waits reads for whom a gift is', async () => {
  await sitDown({
    moves: ['take red left', 'take red right'],
    asked: 'take',
    shown: shown({ gifts: { to: 'A', have: ['red'], from: [] } }),
  });
  screen.getByText('Put the gift at an end of your row.');
  cleanup();
  await sitDown({ moves: [], asked: 'give', turn: 'B', shown: shown({ gifts: { to: 'C', have: [], from: ['B'] } }) });
  screen.getByText('Ben chooses a gift for Cleo.');
});

test('a row that lies face up altogether has its two ends in front, a single vampire both at once', async () => {
  const rows = [
    { left: ['red', 'blue', 'white'], down: 0, right: [] },
    { left: ['green'], down: 0, right: [] },
    ...shown().rows.slice(2),
  ] satisfies Cemetery['rows'];
  await sitDown({ moves: [], shown: shown({ rows }) });
  const ends = (seat: string) =>
    [...document.querySelectorAll<HTMLElement>(`[data-spot*="end-${seat}-"]`)].map((e) => [
      e.dataset['spot'],
      e.classList.contains('outer'),
    ]);
  expect(ends('A')).toEqual([
    ['end-A-left', true],
    ['end-A-right', true],
  ]);
  expect(ends('B')).toEqual([['end-B-left end-B-right', true]]);
  expect(ends('C')).toEqual([
    ['end-C-left', true],
    ['end-C-right', true],
  ]);
  expect(document.querySelectorAll('.mine .one')).toHaveLength(3);
});

test('letters are moves, and a letter that means nothing now does nothing', async () => {
  const { said } = await sitDown({
    moves: ['garlic', 'leave'],
    asked: 'garlic',
    shown: shown({ at: 'd3' }, [{ at: 'd3', lid: 'open', under: 'red' }]),
  });
  await fireEvent.keyDown(window, { code: 'KeyL', key: 'l' });
  await fireEvent.keyDown(window, { code: 'KeyG', key: 'п' });
  expect(said.map((c) => 'move' in c && c.move)).toEqual(['garlic']);
});

test('a grave is opened, or a bat is set on it: one choice beside the question, by button or key', async () => {
  const change = {
    moves: ['open a1', 'open b1', 'bat a1', 'bat b1'],
    shown: shown({ bats: [2, 2, 2, 2], count: { holder: '', on: '' } }),
  };
  const { said } = await sitDown(change);
  await press('Set a bat, 2 left');
  await press('a1, closed');
  expect(said.at(-1)).toMatchObject({ move: 'bat a1' });
  cleanup();
  const again = await sitDown(change);
  await fireEvent.keyDown(window, { code: 'KeyT', key: 't' });
  await fireEvent.keyDown(window, { code: 'KeyT', key: 't' });
  await press('b1, closed');
  expect(again.said.at(-1)).toMatchObject({ move: 'open b1' });
});

test('who is asked by a bat believes or doubts, and sees who has answered', async () => {
  const bat = { on: 'c2', doubter: '', asks: ['A'] };
  const { said } = await sitDown({
    moves: ['believe', 'doubt'],
    asked: 'believe',
    shown: shown({ turn: 'C', bat, bats: [2, 2, 1, 2], count: { holder: '', on: '' } }),
  });
  screen.getByText('Cleo says that c2 is empty. Do you believe it?');
  screen.getByRole('button', { name: 'c2, closed. A bat of Cleo is on it' });
  expect(screen.getAllByText('believes it')).toHaveLength(2);
  await fireEvent.keyDown(window, { code: 'KeyN', key: 'n' });
  expect(said[0]).toMatchObject({ move: 'doubt' });
});

test('a vampire that was found goes to the player who is pressed', async () => {
  const { said } = await sitDown({ moves: ['present B', 'present C'], asked: 'present' });
  await press('Give the vampire to Cleo');
  expect(said[0]).toMatchObject({ move: 'present C' });
});

test('a reserved grave says for whom, and the Count is put where the house allows', async () => {
  const { said } = await sitDown({
    moves: ['count a1', 'count b1'],
    asked: 'count',
    shown: shown({ count: { holder: 'A', on: 'h8' } }),
  });
  screen.getByRole('button', { name: 'h8, closed. Count Rucola reserves it for Ana' });
  await press('b1, closed: the Count may stand here');
  expect(said[0]).toMatchObject({ move: 'count b1' });
});

test('a lifted lid shows what lies there, not its colour, and any vampire may be laid', async () => {
  await sitDown({
    moves: ['rest left', 'rest right', 'leave'],
    asked: 'lay.free',
    shown: shown({ at: 'd3' }, [{ at: 'd3', lid: 'lifted', holds: '' }]),
  });
  screen.getByText('You may lay one of your outermost vampires into d3, of any colour.');
  screen.getByRole('button', { name: 'd3, lid lifted: empty' });
  screen.getByRole('button', { name: 'Leave it empty' });
});

test('an open grave is named with its lid and what lies in it', async () => {
  await sitDown({
    shown: shown({}, [
      { at: 'd3', lid: 'open', under: 'red', holds: 'garlic B' },
      { at: 'e3', mark: true },
      { at: 'f3', lid: 'none' },
    ]),
  });
  for (const name of ['d3, open: red lid, garlic of Ben', 'e3, closed, opened before', 'f3, bare'])
    screen.getByRole('button', { name });
});

test('a closed lid keeps nothing in the page of what was under it, once it has turned back', async () => {
  let turned = () => {};
  const finished = new Promise<void>((done) => (turned = done));
  Element.prototype.getAnimations = () => [{ finished } as unknown as Animation];
  const { show } = await sitDown({
    moves: [],
    shown: shown({}, [{ at: 'd3', lid: 'open', under: 'green', holds: 'vampire green' }]),
  });
  const grave = () => document.querySelector('[data-at="d3"]')!.innerHTML;
  show.take(frame({ seq: 11, moves: [] }));
  await vi.waitFor(() => expect(grave()).not.toMatch(/vampire-green/));
  expect(grave()).toMatch(/sign-green/);
  turned();
  await vi.waitFor(() => expect(grave()).not.toMatch(/green/));
});

test('bots that play alike are told apart by their letter, which no long name pushes out', async () => {
  const seats = frame().seats!.map((sitter) => (sitter.seat === 'A' ? sitter : { ...sitter, name: '', bot: 'random' }));
  await sitDown({ moves: [], turn: 'B', seats });
  expect(
    [...document.querySelectorAll('.neighbour header')].map((h) => [
      h.querySelector('.name')!.textContent,
      h.querySelector('.letter')!.textContent,
    ]),
  ).toEqual([
    ['Random bot', 'B'],
    ['Random bot', 'C'],
    ['Random bot', 'D'],
  ]);
});

test('the winner is named, with what is left to the others', async () => {
  const empty = { left: [], down: 0, right: [] };
  const rows = [empty, ...shown().rows.slice(1)];
  await sitDown({
    state: 'over',
    moves: [],
    turn: '',
    outcome: { winners: ['A'], why: '', scores: [] },
    shown: shown({ rows }),
  });
  screen.getByRole('heading', { name: 'You win! All your vampires sleep.' });
  expect(screen.getAllByText('15 vampires').length).toBeGreaterThan(2);
});

test('what is told twice is said twice, each time in a fresh element of a region that was there before', async () => {
  await sitDown({ moves: [], turn: 'B' });
  const region = screen.getByRole('alert');
  await press('a1, closed');
  await vi.waitFor(() => expect(region.textContent).toBe('It is Ben’s turn.'));
  const first = region.firstElementChild;
  await press('a1, closed');
  expect(region.textContent).toBe('It is Ben’s turn.');
  expect(region.firstElementChild).not.toBe(first);
});

test('B leads to the cemetery, where Home and End lead to the ends of a rank', async () => {
  await sitDown({});
  await fireEvent.keyDown(window, { code: 'KeyB', key: 'b' });
  const at = () => document.activeElement?.getAttribute('data-at');
  await vi.waitFor(() => expect(at()).toBe('a1'));
  for (const [key, to] of [
    ['End', 'h1'],
    ['ArrowUp', 'h2'],
    ['Home', 'a2'],
  ] as const) {
    await fireEvent.keyDown(document.activeElement!, { key });
    expect(at(), key).toBe(to);
  }
});

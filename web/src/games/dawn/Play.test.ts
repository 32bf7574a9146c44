import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, expect, test, vi } from 'vitest';
import { asked, told, waits } from '../../../test/recorded';
import { cemetery, frame, shelf, shown } from '../../fixtures';
import { language } from '../../messages/language.svelte';
import { reader } from '../../rules/reader.svelte';
import type { Command, Frame, Refused } from '../../wire/protocol';
import { read } from './read';
import { end, size } from './scene';
import type { Cemetery, Grave, Row } from './types';

import type { AtCemetery } from './at.svelte';
import { comes } from '../../table/game';
import Play from '../../table/Play.svelte';
import { Show } from '../../table/show.svelte';

const stage = { look: () => 0, now: () => 0, wait: async () => {}, asleep: () => null, moving: () => false };

afterEach(() => {
  cleanup();
  language.speak('en');
});

const four = 'dawn-under-2004-4';
const bats = 'dawn-under-rucola-4';

/** Somebody sits down before a frame of a real game, or one that is like the others of this page but for this. */
async function sitDown(before: Partial<Frame>, answer: Refused | null = null) {
  const show = new Show<Cemetery>(stage, shelf);
  const said: Command[] = [];
  show.take({ ...frame(), log: [], ...before });
  await Promise.resolve();
  const at = comes(cemetery, 't', show as Show, async (command) => (said.push(command), answer)) as AtCemetery;
  render(Play, { at, game: cemetery.game });
  return { said, show, at };
}

/** What is asked; the name of a grave in it stands by itself. */
const question = () => document.querySelector('.prompt p')!.textContent!.trim();
const scene = (frame: Frame) => read(frame, cemetery.info);
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));

test('a grave that the house lists can be opened, once', async () => {
  const first = told(four, asked('open'));
  const { said } = await sitDown({ ...first, log: [] });
  await press('a1, closed');
  await press('b1, closed');
  expect(said).toEqual([{ do: 'play', table: 't', seat: 'A', seq: first.seq, move: 'open a1' }]);
});

test('when a grave is pressed the light goes out over the board, and no grave is drawn anew', async () => {
  await sitDown({ ...told(four, asked('open')), log: [] });
  const graves = () => [...document.querySelectorAll('.grave')].map(({ className }) => className);
  const glows = () => document.querySelector('.glow')!.classList.contains('lit');
  const before = graves();
  expect(before[0]).toMatch(/\blit\b/);
  expect(glows()).toBe(true);
  await press('a1, closed');
  expect(glows()).toBe(false);
  expect(graves()).toEqual(before);
});

test('a mouse lifts a lid that may be opened, and it stays so until what was said is answered; a finger lifts none', async () => {
  const { show } = await sitDown({ moves: ['open a1'], asked: 'open' });
  const over = (name: string) => screen.getByRole('button', { name }).classList.contains('over');
  const enter = (name: string, pointerType: string) =>
    fireEvent(screen.getByRole('button', { name }), new PointerEvent('pointerenter', { pointerType }));
  await enter('a1, closed', 'touch');
  await enter('b1, closed', 'mouse');
  expect([over('a1, closed'), over('b1, closed')]).toEqual([false, false]);
  await enter('a1, closed', 'mouse');
  expect(over('a1, closed')).toBe(true);
  await press('a1, closed');
  expect(over('a1, closed')).toBe(true);
  show.take({ ...frame(), seq: 11, log: [], moves: [], turn: 'B' });
  await vi.waitFor(() => expect(over('a1, closed')).toBe(false));
});

test('a grave that cannot be opened says whose turn it is', async () => {
  const { said } = await sitDown({ ...told(four, waits('open', 'B')), log: [] });
  await press(/^a1, closed/);
  await vi.waitFor(() => expect(screen.getByRole('alert').textContent).toBe('It is Ben’s turn.'));
  expect(said).toEqual([]);
});

test('a grave that is pressed while something else is asked says what', async () => {
  const give = told(four, (frame) => asked('give')(frame) && scene(frame).gifts!.to === 'C');
  await sitDown({ ...give, log: [] });
  await press(/^a1, closed/);
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
  const happened = (verb: string) =>
    told(four, ({ events }) => events.some((e) => e.verb === verb)).events.find((e) => e.verb === verb)!;
  const log = [happened('pass'), happened('sit')];
  await sitDown({ ...told(four, asked('more')), log }, { code: 'not_a_neighbour', rule: 'P1' });
  await press(/^b1, closed/);
  await vi.waitFor(() => screen.getByRole('button', { name: /^why\? Only graves beside the rat/ }));
  expect(screen.getAllByRole('button', { name: /^why\?/ }).map((b) => b.getAttribute('aria-label')!.slice(5))).toEqual([
    'Well done! Open another grave, or end your turn.',
    expect.stringMatching(/^\w+ passes\.$/),
    expect.stringContaining('Only graves beside the rat'),
  ]);
  await press(/^why\? Only/);
  expect(reader.spot).toEqual({ rule: 'P1' });
  reader.spot = null;
});

test('both ends of the row are buttons when both vampires fit', async () => {
  const rest = told('dawn-under-2017-4', asked('rest'));
  const { said } = await sitDown({ ...rest, log: [] });
  await press(`Lay to rest, at the right end: a ${end(scene(rest).rows[0]!, 'right')} vampire`);
  expect(said[0]).toMatchObject({ move: 'rest right' });
});

test('a gift is picked first, and then its end', async () => {
  const take = told(four, (frame) => asked('take')(frame) && new Set(scene(frame).gifts!.have).size > 1);
  const { said } = await sitDown({ ...take, log: [] });
  // The last one of another colour is not the one that is picked by itself.
  const gift = scene(take).gifts!.have.findLast((colour, _, all) => colour !== all[0])!;
  await press(`Place this gift: a ${gift} vampire`);
  await press(`Put at the left end: a ${gift} vampire`);
  expect(said[0]).toMatchObject({ move: `take ${gift} left` });
});

test('one gift needs no picking, and who waits reads for whom a gift is', async () => {
  const take = told(four, (frame) => asked('take')(frame) && scene(frame).gifts!.have.length === 1);
  const { said } = await sitDown({ ...take, log: [] });
  screen.getByText('Put the gift at an end of your row.');
  await press(/^Put at the left end/);
  expect(said[0]).toMatchObject({ move: take.moves.find((move) => move.endsWith('left')) });
  cleanup();
  const give = told(four, (frame) => waits('give', 'B')(frame) && scene(frame).gifts!.to === 'C');
  await sitDown({ ...give, log: [] });
  screen.getByText('Ben chooses a gift for Cleo.');
});

test('a row that lies face up altogether has its two ends in front, a single vampire both at once', async () => {
  const open = (row: Row) => row.down === 0 && row.right.length === 0;
  const late = told('dawn-under-2004-6', (frame) => {
    const [a, b, c] = frame.shown ? scene(frame).rows : [];
    return a !== undefined && open(a) && a.left.length === 3 && open(b!) && b!.left.length === 1 && !open(c!);
  });
  await sitDown({ ...late, log: [] });
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
  const { said } = await sitDown({ ...told(four, asked('garlic')), log: [] });
  await fireEvent.keyDown(window, { code: 'KeyL', key: 'l' });
  await fireEvent.keyDown(window, { code: 'KeyG', key: 'п' });
  expect(said.map((c) => 'move' in c && c.move)).toEqual(['garlic']);
});

test('a grave is opened, or a bat is set on it: one choice beside the question, by button or key', async () => {
  const change = { ...told(bats, (frame) => frame.moves.includes('bat a1')), log: [] };
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
  const last = told(bats, (frame) => asked('believe')(frame) && scene(frame).turn === 'B');
  const { on } = scene(last).bat!;
  const { said } = await sitDown({ ...last, log: [] });
  expect(question()).toBe(`Ben says that ${on} is empty. Do you believe it?`);
  screen.getByRole('button', { name: new RegExp(`^${on}, closed.*\\. A bat of Ben is on it$`) });
  // Cleo and Dora were asked before.
  expect(screen.getAllByText('believes it')).toHaveLength(2);
  await fireEvent.keyDown(window, { code: 'KeyN', key: 'n' });
  expect(said[0]).toMatchObject({ move: 'doubt' });
});

// No game of the recorded ones asks Ana who gets a vampire.
test('a vampire that was found goes to the player who is pressed', async () => {
  const { said } = await sitDown({ moves: ['present B', 'present C'], asked: 'present' });
  await press('Give the vampire to Cleo');
  expect(said[0]).toMatchObject({ move: 'present C' });
});

// Nor does the Count come in one of them.
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

// Nor does she find a grave empty below a bat that somebody doubted.
test('a lifted lid shows what lies there, not its colour, and any vampire may be laid', async () => {
  await sitDown({
    moves: ['rest left', 'rest right', 'leave'],
    asked: 'lay.free',
    shown: shown({ at: 'd3' }, [{ at: 'd3', lid: 'lifted', holds: '' }]),
  });
  expect(question()).toBe('You may lay one of your outermost vampires into d3, of any colour.');
  screen.getByRole('button', { name: 'd3, lid lifted: empty' });
  screen.getByRole('button', { name: 'Leave it empty' });
});

test('an open grave is named with its lid and what lies in it', async () => {
  const of = (frame: Frame, is: (grave: Grave) => boolean) => (frame.shown ? scene(frame).graves.find(is) : undefined);
  const garlic = (grave: Grave) => grave.lid === 'open' && grave.holds === 'garlic B';
  const smells = told(four, (frame) => of(frame, garlic) !== undefined);
  await sitDown({ ...smells, log: [] });
  const { at, under } = of(smells, garlic)!;
  screen.getByRole('button', { name: `${at}, open: ${under} lid, garlic of Ben` });
  cleanup();
  // Of two players; the next one at a table that marks what was opened before.
  const two = told('dawn-under-2004-2', asked('open'));
  await sitDown({ ...two, log: [] });
  screen.getByRole('button', { name: `${of(two, ({ lid }) => lid === 'none')!.at}, bare` });
  cleanup();
  const marked = told('dawn-under-2004-6', (frame) => of(frame, (g) => g.mark && g.lid === 'closed') !== undefined);
  await sitDown({ ...marked, log: [] });
  screen.getByRole('button', { name: `${of(marked, (g) => g.mark && g.lid === 'closed')!.at}, closed, opened before` });
});

test('a closed lid keeps nothing in the page of what was under it, once it has turned back', async () => {
  let turned = () => {};
  const finished = new Promise<void>((done) => (turned = done));
  Element.prototype.getAnimations = () => [{ finished } as unknown as Animation];
  const asleep = (frame: Frame) =>
    !frame.shown
      ? undefined
      : scene(frame).graves.find(({ lid, holds }) => lid === 'open' && holds.startsWith('vampire'));
  const open = told(four, (frame) => asleep(frame) !== undefined);
  const { at, holds } = asleep(open)!;
  const colour = holds.split(' ')[1]!;
  const { show } = await sitDown({ ...open, log: [] });
  const grave = () => document.querySelector(`[data-at="${at}"]`)!.innerHTML;
  expect(grave()).toContain(`vampire-${colour}`);
  const closed = (frame: Frame) =>
    frame.shown !== undefined && scene(frame).graves.some((g) => g.at === at && g.lid === 'closed');
  show.take({ ...told(four, (frame) => frame.seq > open.seq && closed(frame)), log: [] });
  await vi.waitFor(() => expect(grave()).not.toContain(`vampire-${colour}`));
  expect(grave()).toContain(`sign-${colour}`);
  turned();
  await vi.waitFor(() => expect(grave()).not.toContain(colour));
});

test('bots that play alike are told apart by their names and faces, and are heard to be bots', async () => {
  // People alone play the recorded games.
  const people = told(four, waits('open', 'B'));
  const seats = people.seats.map((sitter) => (sitter.seat === 'A' ? sitter : { ...sitter, name: '', bot: 'random' }));
  await sitDown({ ...people, log: [], seats: seats.map((sitter) => ({ ...sitter, table: 't' })) });
  const rows = [...document.querySelectorAll('.neighbour')];
  const names = rows.map((row) => row.querySelector('.name')!.textContent);
  expect(new Set(names).size).toBe(3);
  expect(rows.map((row) => row.getAttribute('aria-label'))).toEqual(
    names.map((name) => expect.stringContaining(`${name} (random bot)`)),
  );
  expect(new Set(rows.map((row) => row.querySelector('.face')!.innerHTML)).size).toBe(3);
});

test('the winner is named, with what is left to the others', async () => {
  const over = told('dawn-under-2004-6', ({ state }) => state === 'over');
  await sitDown({ ...over, log: [] });
  screen.getByRole('heading', { name: 'You win! All your vampires sleep.' });
  for (const row of scene(over).rows.slice(2))
    expect(screen.getAllByText(`${size(row)} vampires`).length).toBeGreaterThan(0);
});

test('what is told twice is said twice, each time in a fresh element of a region that was there before', async () => {
  await sitDown({ ...told(four, waits('open', 'B')), log: [] });
  const region = screen.getByRole('alert');
  await press(/^a1, closed/);
  await vi.waitFor(() => expect(region.textContent).toBe('It is Ben’s turn.'));
  const first = region.firstElementChild;
  await press(/^a1, closed/);
  expect(region.textContent).toBe('It is Ben’s turn.');
  expect(region.firstElementChild).not.toBe(first);
});

test('B leads to the cemetery, where Home and End lead to the ends of a rank', async () => {
  await sitDown({ ...told(four, asked('open')), log: [] });
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

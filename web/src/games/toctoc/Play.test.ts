import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { afterEach, expect, test, vi } from 'vitest';
import { asked, told, waits } from '../../../test/recorded';
import { partyFrame as frame, parties, said, shelf, shownParties as shown } from '../../fixtures';
import { language } from '../../messages/language.svelte';
import { reader } from '../../rules/reader.svelte';
import { comes } from '../../table/game';
import Play from '../../table/Play.svelte';
import { Show } from '../../table/show.svelte';
import type { Command, Frame, Refused } from '../../wire/protocol';
import type { AtParties } from './at.svelte';
import { read } from './read';
import type { Scene } from './scene';
import { cardName } from './sentence';

const stage = { look: () => 0, now: () => 0, wait: async () => {}, asleep: () => null, moving: () => false };

afterEach(() => {
  cleanup();
  reader.spot = null;
  language.speak('en');
});

const three = 'toc-toc-toc-3';
const knocks = told(three, asked('knock'));
const scene = (frame: Frame) => read(frame);

async function sitDown(change: Partial<Frame>, answer: Refused | null = null) {
  const show = new Show<Scene>(stage, shelf);
  const said: Command[] = [];
  show.take({ ...frame(), log: [], ...change });
  await Promise.resolve();
  const at = comes(parties, 't', show as Show, async (command) => (said.push(command), answer)) as AtParties;
  render(Play, { at, game: parties.game });
  return { said, show, at };
}

const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }), { detail: 1 });
const pressed = (key: string, code: string) => fireEvent.keyDown(window, { key, code });
const moves = (said: Command[]) => said.map((c) => 'move' in c && c.move);

test('a card is picked, then a door: only then somebody is knocked at', async () => {
  const { said } = await sitDown(knocks);
  await press('Cleo’s door: choose a card first');
  await vi.waitFor(() =>
    expect(screen.getByRole('alert').textContent).toBe('Your turn: choose a card from your hand.'),
  );
  await press(/^Monster vamp:/);
  await vi.waitFor(() =>
    expect(screen.getByRole('status').textContent).toMatch(/^Monster vamp: .* Before whose door\?$/),
  );
  await press('Knock at Cleo’s door: Monster vamp');
  expect(moves(said)).toEqual(['knock C monster-vamp']);
});

test('a card that is pressed again is laid back, and the last one needs no picking', async () => {
  const { at } = await sitDown(knocks);
  await press(/^Monster vamp:/);
  expect(at.card).toBe('monster-vamp');
  await press(/^Monster vamp:/);
  expect(at.card).toBe('');
  cleanup();
  const last = told(three, (frame) => asked('knock')(frame) && scene(frame).hand.length === 1);
  await sitDown(last);
  screen.getByRole('button', { name: `Knock at Ben’s door: ${cardName(scene(last).hand[0]!)}` });
});

test('out of turn a card says what everybody waits for', async () => {
  const { said } = await sitDown(told(three, waits('knock', 'B')));
  await fireEvent.click(document.querySelector('.fan button')!);
  await vi.waitFor(() => expect(screen.getByRole('alert').textContent).toBe('It is Ben’s turn.'));
  expect(screen.queryByRole('button', { name: /door/ })).toBeNull();
  expect(said).toEqual([]);
});

test('who is knocked at opens or refuses, knows what each means, and does not see the card', async () => {
  const { said } = await sitDown(told(three, (frame) => asked('accept')(frame) && scene(frame).knock!.from === 'B'));
  screen.getByText('Knock, knock, knock! It is Ben. Do you open?');
  // Nothing with a name lies there.
  expect(document.querySelectorAll('.between .card.back')).toHaveLength(1);
  expect(document.querySelector('.between .title')).toBeNull();
  await press('Refuse The card goes to Ben');
  expect(moves(said)).toEqual(['refuse']);
});

test('a rival chooses a guest for the vamp, and a whole kind for a child or a taxi', async () => {
  await sitDown(told(three, asked('choose')));
  screen.getByText('The vamp brings you a guest of Ben. Which one?');
  screen.getByRole('button', { name: 'Take: Monster musician' });
  cleanup();
  await sitDown(told('toc-toc-toc-5', (frame) => asked('choose')(frame) && scene(frame).knock!.card === 'child'));
  screen.getByRole('button', { name: 'To your party: 1 monster' });
  cleanup();
  // In no recorded game a taxi brings Ana a choice.
  const parties = [['ghost'], ['ghost', 'ghost-brute', 'monster', 'monster'], []];
  const knock = { from: 'A', to: 'B', card: 'taxi', host: 'B' };
  const { said } = await sitDown({
    moves: ['choose monster', 'choose vampire'],
    asked: 'choose',
    shown: shown({ parties, knock }),
  });
  await press('Out of the game: 2 monsters');
  expect(moves(said)).toEqual(['choose monster']);
});

test('keys do it all: digits pick, letters knock, O and R answer', async () => {
  const { said } = await sitDown(knocks);
  await pressed('2', 'Digit2');
  await pressed('a', 'KeyQ'); // one's own door, on a keyboard where A lies elsewhere
  await pressed('c', 'KeyC');
  cleanup();
  const { said: answered } = await sitDown(told(three, asked('accept')));
  await pressed('щ', 'KeyO');
  cleanup();
  const { said: refused } = await sitDown(told(three, asked('accept')));
  await pressed('r', 'KeyR');
  cleanup();
  const choose = told(three, asked('choose'));
  const { said: chosen } = await sitDown(choose);
  await pressed('2', 'Digit2');
  expect([said, answered, refused, chosen].map(moves)).toEqual([
    [`knock C ${scene(knocks).hand[1]}`],
    ['accept'],
    ['refuse'],
    [choose.moves[1]],
  ]);
});

test('what the house refuses is told with the paragraph, in the reader’s language', async () => {
  language.speak('fr');
  await sitDown(knocks, { code: 'not_in_hand', rule: 'Q5' });
  await press(/^Monstre vamp|^Vampire/);
  await press(/^Frapper chez Cleo/);
  await vi.waitFor(() => expect(screen.getByRole('alert').textContent).toMatch(/^Tu n’as pas cette carte.*\(Q5\)/));
});

test('a party says its points, and how many cards of a hand everybody has seen, as far as the table helps', async () => {
  const seen = told(three, (frame) => frame.shown !== undefined && scene(frame).hands[1]!.drawn === 2);
  await sitDown(seen);
  const ben = scene(seen).hands[1]!;
  const party = (name: string) => within(screen.getByRole('article', { name: `Party of ${name}` }));
  party('Ben').getByText(`${scene(seen).scores[1]} points`);
  party('Ben').getByText('2 of them were seen drawn');
  party('Ben').getByText(`Seen drawn: ${ben.recall.map(cardName).join(', ')}`);
  cleanup();
  const unseen = told(three, asked('knock'));
  await sitDown(unseen);
  expect(party('Cleo').queryByText(/seen/)).toBeNull();
});

test('what is out of the game can be looked at', async () => {
  const over = told(three, ({ state }) => state === 'over');
  const { gone } = scene(over);
  await sitDown(over);
  await press(`Out of the game: ${gone.length} cards`);
  within(screen.getByRole('dialog')).getByText(`Ghost: ${gone.filter((card) => card === 'ghost').length}`);
});

test('the log keeps who drew, and what, only at a table that remembers everything', async () => {
  const { show } = await sitDown({ moves: [] });
  show.take(frame({ seq: 11, moves: [], events: [said('draw', { seat: 'B', what: 'taxi', n: 30, rule: 'Q3' })] }));
  await new Promise((done) => setTimeout(done));
  expect(show.log.map((l) => l.said.what)).toEqual([undefined]);
  screen.getByText('Ben draws a card.');
  show.take(
    frame({
      seq: 12,
      moves: [],
      events: [said('draw', { seat: 'B', what: 'child', n: 29, rule: 'Q3' })],
      setup: { ...frame().setup, aid: 'all' },
    }),
  );
  await new Promise((done) => setTimeout(done));
  screen.getByText('Ben draws, for all to see: Child.');
});

test('the end says who has won, what every party is worth, and why', async () => {
  const over = told('toc-toc-toc-5', ({ state }) => state === 'over');
  await sitDown(over);
  screen.getByRole('heading', { name: `You win! The best party of the night: ${scene(over).scores[0]} points.` });
  cleanup();
  await sitDown(told(three, ({ state }) => state === 'over'));
  expect(screen.getAllByText('Ghost: 4, Ghost musician: 1: 10 points, doubled').length).toBeGreaterThan(1);
  await press('why? A musician doubles all of his kind, himself too.');
  expect(reader.spot).toEqual({ book: 'toc-toc-toc', number: '3.2' });
  expect(document.title).toBe('Caveau — Toc Toc Toc');
});

test('whoever plays by keyboard is led to the answers when somebody knocks, and back to his cards', async () => {
  const answer = told(three, asked('accept'));
  const before = told(three, ({ seq }) => seq === answer.seq - 1);
  const after = told(three, (frame) => frame.seq > answer.seq && !frame.moves.length);
  const { show } = await sitDown(before);
  const card = () => document.querySelector<HTMLElement>('.fan button[tabindex="0"]')!;
  card().focus();
  show.take(answer);
  await vi.waitFor(() => expect(document.activeElement?.textContent).toMatch(/^Open/));
  show.take(after);
  await vi.waitFor(() => expect(document.activeElement).toBe(card()));
});

test('arrows, Home and End go along the hand, which is one stop for the Tab key', async () => {
  await sitDown(knocks);
  const cards = within(screen.getByRole('toolbar')).getAllByRole('button');
  cards[0]!.focus();
  const at = async (key: string) => {
    await fireEvent.keyDown(document.activeElement!, { key });
    return cards.indexOf(document.activeElement as HTMLElement);
  };
  expect([
    await at('ArrowRight'),
    await at('End'),
    await at('ArrowRight'),
    await at('ArrowLeft'),
    await at('Home'),
  ]).toEqual([1, 4, 4, 3, 0]);
  await at('End');
  expect(cards.map((card) => card.tabIndex)).toEqual([-1, -1, -1, -1, 0]);
});

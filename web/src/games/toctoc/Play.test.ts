import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { afterEach, expect, test, vi } from 'vitest';
import { partyFrame as frame, parties, said, shelf, shownParties as shown } from '../../fixtures';
import { language } from '../../messages/language.svelte';
import { reader } from '../../rules/reader.svelte';
import { comes } from '../../table/game';
import Play from '../../table/Play.svelte';
import { Show } from '../../table/show.svelte';
import type { Command, Frame, Refused } from '../../wire/protocol';
import type { AtParties } from './at.svelte';
import type { Scene } from './scene';

const stage = { look: () => 0, now: () => 0, wait: async () => {}, asleep: () => false, moving: () => false };

afterEach(() => {
  cleanup();
  reader.spot = null;
  language.speak('en');
});

async function sitDown(change: Partial<Frame>, answer: Refused | null = null) {
  const show = new Show<Scene>(stage, shelf);
  const said: Command[] = [];
  show.take(frame({ log: [], ...change }));
  await Promise.resolve();
  const at = comes(parties, 't', show as Show, async (command) => (said.push(command), answer)) as AtParties;
  render(Play, { at, game: parties.game });
  return { said, show, at };
}

const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }), { detail: 1 });
const pressed = (key: string, code: string) => fireEvent.keyDown(window, { key, code });
const moves = (said: Command[]) => said.map((c) => 'move' in c && c.move);

test('a card is picked, then a door: only then somebody is knocked at', async () => {
  const { said } = await sitDown({});
  await press('Cleo’s door: choose a card first');
  await vi.waitFor(() =>
    expect(screen.getByRole('alert').textContent).toBe('Your turn: choose a card from your hand.'),
  );
  await press(/^Hearse-taxi:/);
  await vi.waitFor(() =>
    expect(screen.getByRole('status').textContent).toMatch(/^Hearse-taxi: .* Before whose door\?$/),
  );
  await press('Knock at Cleo’s door: Hearse-taxi');
  expect(moves(said)).toEqual(['knock C taxi']);
});

test('a card that is pressed again is laid back, and the last one needs no picking', async () => {
  const { at } = await sitDown({});
  await press(/^Hearse-taxi:/);
  await press(/^Hearse-taxi:/);
  expect(at.card).toBe('');
  cleanup();
  await sitDown({ moves: ['knock B taxi', 'knock C taxi'], shown: shown({ hand: ['taxi'] }) });
  screen.getByRole('button', { name: 'Knock at Ben’s door: Hearse-taxi' });
});

test('out of turn a card says what everybody waits for', async () => {
  const { said } = await sitDown({ moves: [], turn: 'B', asked: 'knock' });
  await press(/^Hearse-taxi:/);
  await vi.waitFor(() => expect(screen.getByRole('alert').textContent).toBe('It is Ben’s turn.'));
  expect(screen.queryByRole('button', { name: /door/ })).toBeNull();
  expect(said).toEqual([]);
});

test('who is knocked at opens or refuses, knows what each means, and does not see the card', async () => {
  const knock = { from: 'B', to: 'A', card: '', host: '' };
  const { said } = await sitDown({ moves: ['accept', 'refuse'], asked: 'accept', shown: shown({ turn: 'B', knock }) });
  screen.getByText('Knock, knock, knock! It is Ben. Do you open?');
  expect(within(screen.getByRole('region', { name: 'Between the doors' })).queryByText('Ghost vamp')).toBeNull();
  await press('Refuse The card goes to Ben');
  expect(moves(said)).toEqual(['refuse']);
});

test('a rival chooses a guest for the vamp, and a whole kind for a child or a taxi', async () => {
  const parties = [['ghost'], ['ghost', 'ghost-brute', 'monster', 'monster'], []];
  const knock = (card: string) => ({ from: 'A', to: 'B', card, host: 'B' });
  await sitDown({
    moves: ['choose ghost', 'choose ghost-brute'],
    asked: 'choose',
    shown: shown({ parties, knock: knock('ghost-vamp') }),
  });
  screen.getByText('The vamp brings you a guest of Ben. Which one?');
  screen.getByRole('button', { name: 'Take: Ghost brute' });
  cleanup();
  const { said } = await sitDown({
    moves: ['choose monster', 'choose vampire'],
    asked: 'choose',
    shown: shown({ parties, knock: knock('taxi') }),
  });
  await press('Out of the game: 2 monsters');
  expect(moves(said)).toEqual(['choose monster']);
});

test('keys do it all: digits pick, letters knock, O and R answer', async () => {
  const { said } = await sitDown({});
  await pressed('2', 'Digit2');
  await pressed('a', 'KeyQ'); // one's own door, on a keyboard where A lies elsewhere
  await pressed('c', 'KeyC');
  cleanup();
  const { said: answered } = await sitDown({
    moves: ['accept', 'refuse'],
    asked: 'accept',
    shown: shown({ knock: { from: 'B', to: 'A', card: '', host: '' } }),
  });
  await pressed('щ', 'KeyO');
  cleanup();
  const { said: refused } = await sitDown({
    moves: ['accept', 'refuse'],
    asked: 'accept',
    shown: shown({ knock: { from: 'B', to: 'A', card: '', host: '' } }),
  });
  await pressed('r', 'KeyR');
  cleanup();
  const { said: chosen } = await sitDown({
    moves: ['choose ghost', 'choose vampire'],
    asked: 'choose',
    shown: shown({ knock: { from: 'A', to: 'B', card: 'child', host: 'B' } }),
  });
  await pressed('2', 'Digit2');
  expect([said, answered, refused, chosen].map(moves)).toEqual([
    ['knock C ghost'],
    ['accept'],
    ['refuse'],
    ['choose vampire'],
  ]);
});

test('what the house refuses is told with the paragraph, in the reader’s language', async () => {
  language.speak('fr');
  await sitDown({}, { code: 'not_in_hand', rule: 'Q5' });
  await press(/^Taxi-corbillard/);
  await press(/^Frapper chez Cleo/);
  await vi.waitFor(() => expect(screen.getByRole('alert').textContent).toMatch(/^Tu n’as pas cette carte.*\(Q5\)/));
});

test('a party says its points, and how many cards of a hand everybody has seen, as far as the table helps', async () => {
  const hands = [
    { cards: 5, drawn: 0, recall: [] },
    { cards: 5, drawn: 2, recall: ['taxi', 'child'] },
    { cards: 5, drawn: 0, recall: [] },
  ];
  await sitDown({ shown: shown({ hands }) });
  const ben = within(screen.getByRole('article', { name: 'Party of Ben' }));
  ben.getByText('2 points');
  ben.getByText('2 of them were seen drawn');
  ben.getByText('Seen drawn: Hearse-taxi, Child');
  expect(within(screen.getByRole('article', { name: 'Party of Cleo' })).queryByText(/seen/)).toBeNull();
});

test('what is out of the game can be looked at', async () => {
  await sitDown({ shown: shown({ gone: ['taxi', 'ghost', 'ghost'] }) });
  await press('Out of the game: 3 cards');
  within(screen.getByRole('dialog')).getByText('Ghost: 2');
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
  const worth = [{ monster: 0, ghost: 6, vampire: 0, scarecrow: 3 }, ...shown().worth.slice(1)];
  const parties = [['scarecrow', 'ghost', 'ghost', 'ghost-musician'], ...shown().parties.slice(1)];
  await sitDown({
    state: 'over',
    moves: [],
    turn: '',
    outcome: { winners: ['A'], why: '', scores: [] },
    shown: shown({ hand: [], parties, worth, scores: [9, 2, 2] }),
  });
  screen.getByRole('heading', { name: 'You win! The best party of the night: 9 points.' });
  expect(screen.getAllByText('Ghost: 2, Ghost musician: 1: 6 points, doubled').length).toBeGreaterThan(1);
  await press('why? A musician doubles all of his kind, himself too.');
  expect(reader.spot).toEqual({ book: 'toc-toc-toc', number: '3.2' });
  expect(document.title).toBe('Caveau — Toc Toc Toc');
});

test('whoever plays by keyboard is led to the answers when somebody knocks, and back to his cards', async () => {
  const { show } = await sitDown({ moves: [], turn: 'B' });
  screen.getByRole('button', { name: /^Hearse-taxi:/ }).focus();
  const knock = { from: 'B', to: 'A', card: '', host: '' };
  show.take(frame({ seq: 11, moves: ['accept', 'refuse'], asked: 'accept', shown: shown({ turn: 'B', knock }) }));
  await vi.waitFor(() => expect(document.activeElement?.textContent).toMatch(/^Open/));
  show.take(frame({ seq: 12, moves: [], turn: 'B', asked: 'knock', shown: shown({ turn: 'B' }) }));
  await vi.waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^Hearse-taxi:/));
});

test('arrows, Home and End go along the hand, which is one stop for the Tab key', async () => {
  await sitDown({});
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

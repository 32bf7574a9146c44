import { expect, test } from 'vitest';
import { said, shownParties as shown } from '../../fixtures';
import { act, flight, groups, type Scene } from './scene';

const worth = { monster: 0, ghost: 0, vampire: 0, scarecrow: 0 };
const step = (now: Scene, verb: string, change: Parameters<typeof said>[1], after = shown()) =>
  act(now, [said(verb, change)], 0, after);

test('a card that is knocked with leaves the hand, and only its player sees what it is', () => {
  const mine = step(shown(), 'knock', { seat: 'A', to: 'B', what: 'taxi' });
  expect(mine.knock).toEqual({ from: 'A', to: 'B', card: 'taxi', host: '' });
  expect([mine.hand, mine.hands[0]!.cards]).toEqual([['ghost', 'child', 'child', 'ghost-vamp'], 4]);
  const other = step(shown(), 'knock', { seat: 'B', to: 'A' });
  expect([other.knock!.card, other.hand.length, other.hands[1]!.cards]).toEqual(['', 5, 4]);
});

test('who opens has the card, and where he refuses who knocked', () => {
  expect(step(shown(), 'accept', { seat: 'B', to: 'A', what: 'ghost' }).knock).toEqual({
    from: 'A',
    to: 'B',
    card: 'ghost',
    host: 'B',
  });
  expect(step(shown(), 'refuse', { seat: 'B', to: 'A', what: 'ghost' }).knock).toEqual({
    from: 'A',
    to: 'B',
    card: 'ghost',
    host: 'A',
  });
});

test('a guest comes from the doorstep to the party, and nothing lies before a door any more', () => {
  const open = shown({ knock: { from: 'A', to: 'B', card: 'vampire', host: 'B' } });
  expect(flight(open, said('join', { seat: 'B', what: 'vampire' }))).toEqual({
    piece: 'card vampire',
    from: 'doorstep',
    to: 'party-B',
  });
  const joined = step(open, 'join', { seat: 'B', what: 'vampire' }, shown({ scores: [2, 3, 2] }));
  expect([joined.parties[1], joined.knock, joined.scores]).toEqual([['ghost', 'ghost', 'vampire'], null, [2, 3, 2]]);
});

test('a vamp takes one guest over, a child a whole kind, and a taxi drives it away', () => {
  const before = shown({ parties: [['monster', 'ghost'], ['ghost', 'ghost', 'ghost-brute', 'vampire'], []] });
  const lured = step(before, 'lure', { seat: 'A', to: 'B', what: 'ghost' });
  expect(lured.parties.slice(0, 2)).toEqual([
    ['monster', 'ghost', 'ghost'],
    ['ghost', 'ghost-brute', 'vampire'],
  ]);
  const fled = step(before, 'flee', { seat: 'B', to: 'A', what: 'ghost', n: 3 });
  expect(fled.parties.slice(0, 2)).toEqual([['monster', 'ghost', 'ghost', 'ghost', 'ghost-brute'], ['vampire']]);
  const home = step(
    before,
    'ride',
    { seat: 'B', what: 'ghost', n: 3 },
    shown({ gone: ['ghost', 'ghost', 'ghost-brute', 'taxi'] }),
  );
  expect([home.parties[1], home.gone.length]).toEqual([['vampire'], 4]);
});

test('a drawn card is seen by all until the next turn, and the hand has one more', () => {
  const after = shown({ pile: { left: 30, top: 'child', cards: [] } });
  const drawn = step(shown(), 'draw', { seat: 'B', what: 'taxi', n: 30 }, after);
  expect([drawn.drawn, drawn.pile, drawn.hands[1]!.cards]).toEqual([{ seat: 'B', card: 'taxi' }, after.pile, 6]);
  expect(step(drawn, 'turn', { seat: 'C' })).toMatchObject({ drawn: null, turn: 'C' });
});

test('guests stand kind by kind, equal ones in a heap, with what the house says that they are worth', () => {
  const party = ['scarecrow', 'monster', 'ghost', 'ghost', 'ghost-musician'];
  expect(groups(party, { ...worth, monster: 1, ghost: 6, scarecrow: 3 })).toEqual([
    { kind: 'monster', heaps: [{ card: 'monster', n: 1 }], size: 1, points: 1 },
    {
      kind: 'ghost',
      heaps: [
        { card: 'ghost', n: 2 },
        { card: 'ghost-musician', n: 1 },
      ],
      size: 3,
      points: 6,
    },
    { kind: 'scarecrow', heaps: [{ card: 'scarecrow', n: 1 }], size: 1, points: 3 },
  ]);
});

test('a verb that this page does not know changes nothing', () => {
  expect(step(shown(), 'open', { at: 'd3' })).toEqual(shown());
});

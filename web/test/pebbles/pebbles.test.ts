import { expect, test } from 'vitest';
import { examine } from '../examine';
import { Frames, type Terse } from '../../src/wire/frames';
import { pebbles } from '.';

// The proof that a game is a folder and a line in a list: the smallest one is examined as the shipped ones are.

const info = { name: 'pebbles', revision: 1, editions: [{ name: '', minSeats: 2, maxSeats: 4 }] };
const about = {
  state: 'running' as const,
  setup: { game: 'pebbles', seats: 2 },
  seats: ['A', 'B'].map((seat) => ({ seat, name: seat, here: true })),
};
const said: Terse[] = [
  {
    seq: 1,
    about,
    log: [{ verb: 'start' }],
    shown: { held: [2, 2] },
    turn: 'A',
    asked: 'lay',
    cites: 'pebbles, Turn',
    you: 'A',
    own: { hand: ['4', '6'] },
    moves: ['show 4', 'hide 4', 'show 6', 'hide 6'],
  },
  {
    seq: 2,
    events: [{ seat: 'A', verb: 'hide', what: '6' }],
    shown: { down: [1], held: [1, 2] },
    turn: 'B',
    asked: 'lay',
    you: 'A',
    own: { hand: ['4'], down: ['6'] },
  },
  {
    seq: 3,
    events: [{ seat: 'B', verb: 'show', what: '1' }],
    shown: { up: [[], ['1']], down: [1], held: [1, 1] },
    turn: 'A',
    asked: 'lay',
    you: 'A',
    own: { hand: ['4'] },
    moves: ['show 4', 'hide 4'],
  },
  {
    seq: 4,
    about: { ...about, state: 'over' },
    events: [
      { seat: 'A', verb: 'reveal', what: '6', n: 12 },
      { seat: 'A', verb: 'win', n: 16 },
    ],
    shown: { up: [['4', '6'], ['1']] },
    outcome: { winners: ['A'], scores: [16, 1] },
    you: 'A',
  },
];

test('a game that is not shipped is drawn, pressed and told without a changed line of the page', async () => {
  const frames = new Frames();
  const report = await examine(
    pebbles,
    info,
    said.map((frame) => frames.whole('t', frame)!),
  );
  const { unsaid, untold, unasked, nowhere, keys } = report;
  expect({ unsaid, untold, unasked, nowhere }).toEqual({ unsaid: [], untold: [], unasked: [], nowhere: [] });
  expect([...keys]).toEqual(pebbles.keys.map(({ shows }) => shows));
  expect(report.seen.verbs).toEqual(new Set(['hide', 'show', 'reveal', 'win']));
});

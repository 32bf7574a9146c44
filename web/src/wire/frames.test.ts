import { expect, test } from 'vitest';
import { Frames } from './frames';

const setup = { game: 'dawn-under', edition: '2004', seats: 2, awayTime: 120 };
const about = {
  state: 'running' as const,
  setup,
  seats: [
    { seat: 'A', name: 'Ana', here: true },
    { seat: 'B', bot: 'random' },
  ],
};

test('what a message leaves out is as it mostly is', () => {
  expect(new Frames().whole('t', { seq: 3, about, events: [{ verb: 'turn', seat: 'B' }] })).toEqual({
    seq: 3,
    you: '',
    state: 'running',
    setup: { ...setup, first: '', options: {}, choices: {}, aid: '', moveTime: 0, listed: false },
    seats: [
      { seat: 'A', name: 'Ana', bot: '', nameless: false, here: true, host: false, standin: false },
      { seat: 'B', name: '', bot: 'random', nameless: false, here: false, host: false, standin: false },
    ],
    watchers: 0,
    waits: false,
    seal: null,
    next: '',
    hostName: '',
    host: false,
    proposal: null,
    events: [{ verb: 'turn', seat: 'B', to: '', rule: '' }],
    log: null,
    turn: '',
    moves: [],
    asked: '',
    cites: '',
    clock: null,
    outcome: null,
  });
});

test('what was said of a table holds until it is said anew, for each table by itself', () => {
  const frames = new Frames();
  frames.whole('t', { seq: 3, about });
  frames.whole('u', {
    seq: 1,
    about: {
      ...about,
      state: 'open',
      watchers: 2,
      seal: { seal: 'ff', numbers: [{ seat: 'A', seal: 'ee', number: null }] },
    },
  });
  expect(frames.whole('t', { seq: 4 })).toMatchObject({
    seq: 4,
    state: 'running',
    watchers: 0,
    waits: false,
    seal: null,
  });
  expect(frames.whole('u', { seq: 1 })).toMatchObject({
    state: 'open',
    watchers: 2,
    seal: { seal: 'ff', called: false, numbers: [{ seat: 'A', number: null }] },
  });
  expect(frames.whole('t', { seq: 5, about: { ...about, watchers: 1 } })?.watchers).toBe(1);
});

test('what one had of his own is gone with the first frame that has none: it may not be his any more', () => {
  const frames = new Frames();
  frames.whole('t', { seq: 3, about, you: 'A', own: { hand: ['ghost'] }, moves: ['knock B ghost'] });
  const next = frames.whole('t', { seq: 4, you: 'A' })!;
  expect(next.own).toBeUndefined();
  expect(next.moves).toEqual([]);
  expect(frames.whole('t', { seq: 5 })!.you).toBe('');
});

test('a table of which nobody has said yet what it is has no frame, nor has one that was forgotten', () => {
  const frames = new Frames();
  expect(frames.whole('t', { seq: 4 })).toBeNull();
  frames.whole('t', { seq: 5, about });
  frames.forget('t');
  expect(frames.whole('t', { seq: 6 })).toBeNull();
});

test('a game that is over has an outcome, whatever is left out of it', () => {
  const over = { ...about, state: 'over' as const };
  expect(new Frames().whole('t', { seq: 9, about: over, outcome: { winners: ['A'] } })?.outcome).toEqual({
    winners: ['A'],
    why: '',
    scores: [],
  });
  expect(new Frames().whole('t', { seq: 9, about: over })?.outcome).toEqual({ winners: [], why: '', scores: [] });
});

test('whom one could take for each other is marked', () => {
  const seats = ['Ana', 'Ben', 'аnа'].map((name, i) => ({ seat: 'ABC'[i]!, name }));
  const frame = new Frames().whole('t', { seq: 1, about: { ...about, seats } });
  expect(frame?.seats.map(({ alike }) => alike)).toEqual([true, undefined, true]);
});

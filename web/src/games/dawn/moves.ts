import type { Seat } from '../../wire/protocol';
import type { Side } from './types';

// The frame's moves become buttons. Nothing here knows when a move is allowed: what the house lists can be pressed.

/** What can be said of a grave: that it is opened, that a bat is set on it, that the Count is put there. */
export type OfGrave = 'open' | 'bat' | 'count';
/** What is said by itself. */
const bare = ['garlic', 'leave', 'stop', 'believe', 'doubt'] as const;

export interface Moves extends Record<(typeof bare)[number], boolean>, Record<OfGrave, Set<string>> {
  /** rest or give: the word, and the ends of one's own row that it can be said of. */
  away: { word: 'rest' | 'give'; ends: Side[] } | null;
  /** take: for each gift in hand, the ends where it may be put. */
  take: Map<string, Side[]>;
  /** Who can be given the vampire that a bat has found. */
  present: Seat[];
  /** Moves of a rulebook that this page was not drawn for: said by a plain button each. */
  other: string[];
}

export function readMoves(list: string[]): Moves {
  const moves: Moves = {
    open: new Set(),
    bat: new Set(),
    count: new Set(),
    away: null,
    take: new Map(),
    present: [],
    other: [],
    garlic: false,
    leave: false,
    stop: false,
    believe: false,
    doubt: false,
  };
  for (const move of list) read(move, moves);
  return moves;
}

function read(move: string, moves: Moves) {
  const [word, first, second] = move.split(' ');
  if ((word === 'open' || word === 'bat' || word === 'count') && first) moves[word].add(first);
  else if ((word === 'rest' || word === 'give') && isSide(first)) {
    moves.away = { word, ends: [...(moves.away?.ends ?? []), first] };
  } else if (word === 'take' && first && isSide(second))
    moves.take.set(first, [...(moves.take.get(first) ?? []), second]);
  else if (word === 'present' && first) moves.present.push(first);
  else if (isBare(move)) moves[move] = true;
  else moves.other.push(move);
}

const isSide = (word: string | undefined): word is Side => word === 'left' || word === 'right';
const isBare = (move: string): move is (typeof bare)[number] => (bare as readonly string[]).includes(move);

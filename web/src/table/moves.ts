import type { Side } from '../wire/protocol';

// The frame's moves become buttons. Nothing here knows when a move is allowed: what the house lists can be pressed.

export interface Moves {
  open: Set<string>;
  /** rest or give: the word, and the ends of one's own row that it can be said of. */
  away: { word: 'rest' | 'give'; ends: Side[] } | null;
  /** take: for each gift in hand, the ends where it may be put. */
  take: Map<string, Side[]>;
  garlic: boolean;
  leave: boolean;
  stop: boolean;
  /** Moves of a rulebook that this page was not drawn for: said by a plain button each. */
  other: string[];
}

export function readMoves(list: string[]): Moves {
  const moves: Moves = { open: new Set(), away: null, take: new Map(), garlic: false, leave: false, stop: false, other: [] };
  for (const move of list) read(move, moves);
  return moves;
}

function read(move: string, moves: Moves) {
  const [word, first, second] = move.split(' ');
  if (word === 'open' && first) moves.open.add(first);
  else if ((word === 'rest' || word === 'give') && isSide(first)) {
    moves.away = { word, ends: [...(moves.away?.ends ?? []), first] };
  } else if (word === 'take' && first && isSide(second)) moves.take.set(first, [...(moves.take.get(first) ?? []), second]);
  else if (move === 'garlic' || move === 'leave' || move === 'stop') moves[move] = true;
  else moves.other.push(move);
}

const isSide = (word: string | undefined): word is Side => word === 'left' || word === 'right';

/** What the moves ask for: one word for the sentence that tells a player what to do. */
export function question(moves: Moves): string {
  if (moves.away) return moves.away.word;
  if (moves.take.size) return 'take';
  if (moves.garlic) return 'garlic';
  if (moves.open.size) return moves.stop ? 'more' : 'open';
  return moves.stop || moves.other.length ? 'other' : '';
}

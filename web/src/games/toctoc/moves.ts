import type { Seat } from '../../wire/protocol';

// The frame's moves become buttons. Nothing here knows when a move is allowed: what the house lists can be pressed.

export interface Moves {
  /** knock: for each card in hand, before whose doors it may be put. */
  doors: Map<string, Seat[]>;
  /** Somebody has knocked, and it is opened or not. */
  answers: boolean;
  /** choose: who may be sent away, a guest or a whole kind. */
  choices: string[];
  /** Moves that this page was not drawn for: said by a plain button each. */
  other: string[];
}

export function readMoves(list: string[]): Moves {
  const moves: Moves = { doors: new Map(), answers: list.includes('accept'), choices: [], other: [] };
  for (const move of list) {
    const [word, first = '', card = ''] = move.split(' ');
    if (word === 'knock' && card) moves.doors.set(card, [...(moves.doors.get(card) ?? []), first]);
    else if (word === 'choose' && first) moves.choices.push(first);
    else if (move !== 'accept' && move !== 'refuse') moves.other.push(move);
  }
  return moves;
}

import type { Game } from '../../src/table/game';
import { AtPebbles, pebbleKeys, read, script, type Pebbles } from './at.svelte';
import Board from './Board.svelte';
import Help from './Help.svelte';
import Pictures from './Pictures.svelte';
import Piece from './Piece.svelte';
import Result from './Result.svelte';
import { here } from './words';

/** A game that nobody is served: the smallest one that has all that a game of this page can have. */
export const pebbles: Game<Pebbles> = {
  name: 'pebbles',
  words: here,
  books: [],
  read,
  script,
  At: AtPebbles,
  keys: pebbleKeys,
  Board,
  Result,
  deeds: [{ name: 'deed.hide', did: ['hide'] }],
  Help,
  Piece,
  Pictures,
};

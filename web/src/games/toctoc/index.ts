import type { Game } from '../../table/game';
import { AtParties } from './at.svelte';
import Board from './Board.svelte';
import Help from './Help.svelte';
import { partyKeys } from './keys';
import Pictures from './Pictures.svelte';
import Piece from './Piece.svelte';
import { read } from './read';
import Result from './Result.svelte';
import Screen from './Screen.svelte';
import type { Scene } from './scene';
import { script } from './script';
import { here } from './words';

/** Toc Toc Toc. */
export const toctoc: Game<Scene> = {
  name: 'toc-toc-toc',
  words: here,
  books: ['toc-toc-toc'],
  read,
  script,
  At: AtParties,
  keys: partyKeys,
  Board,
  Screen,
  Result,
  deeds: [
    { name: 'deed.knock', did: ['knock'] },
    { name: 'deed.accept', did: ['accept'] },
    { name: 'deed.refuse', did: ['refuse'] },
    { name: 'deed.lure', did: ['lure'] },
    { name: 'deed.lost', did: ['flee', 'ride'], had: ['lure'] },
  ],
  Help,
  Piece,
  Pictures,
  hands: true,
  dancers: ['monster', 'ghost', 'scarecrow', 'vampire'].map((kind) => `card ${kind}`),
  lessons: () => import('./lessons'),
};

import type { Game } from '../../table/game';
import { AtCemetery } from './at.svelte';
import BareBoard from './BareBoard.svelte';
import Board from './Board.svelte';
import Help from './Help.svelte';
import { cemeteryKeys } from './keys';
import LeavingColours from './LeavingColours.svelte';
import Pictures from './Pictures.svelte';
import Piece from './Piece.svelte';
import { read } from './read';
import Result from './Result.svelte';
import Screen from './Screen.svelte';
import { script } from './script';
import type { Cemetery } from './types';
import { here } from './words';

const vampires = ['white', 'red', 'blue', 'black', 'yellow', 'green'].map((colour) => `vampire ${colour}`);

/** Dawn Under, in its three rulebooks. */
export const dawn: Game<Cemetery> = {
  name: 'dawn-under',
  words: here,
  books: ['2004', 'rucola', '2017'],
  read,
  script,
  At: AtCemetery,
  keys: cemeteryKeys,
  Board,
  Screen,
  Result,
  deeds: [
    { name: 'deed.open', did: ['open'] },
    { name: 'deed.rest', did: ['rest'] },
    { name: 'deed.known', did: ['occupied', 'smell'] },
    { name: 'deed.plague', did: ['plague'] },
    { name: 'deed.gifts', had: ['give', 'present'] },
    { name: 'deed.bats', did: ['bat'] },
    { name: 'deed.doubts', did: ['doubt'] },
  ],
  Help,
  Piece,
  Pictures,
  choosing: { bare: BareBoard, colours: LeavingColours },
  greeters: vampires,
  dancers: vampires,
  lessons: () => import('./lessons'),
};

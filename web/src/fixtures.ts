// Small real things for tests: a board, a table in play, frames of it.

import { dawn } from './games/dawn';
import { closed as closedGrave } from './games/dawn/read';
import type { Cemetery, Grave, Place, Row } from './games/dawn/types';
import { toctoc } from './games/toctoc';
import type { Parties } from './games/toctoc/types';
import { staged, type Played } from './table/game';
import type { Staged } from './table/show.svelte';
import type { Frame, Info, Said } from './wire/protocol';

const part = (file: number, rank: number) => (rank > 3 ? (file < 4 ? 0 : 1) : file < 4 ? 3 : 2);
const centre = new Set(['d4', 'e4', 'd5', 'e5']);

export const places: Place[] = Array.from({ length: 64 }, (_, i) => ({ file: i % 8, rank: Math.floor(i / 8) }))
  .map(({ file, rank }) => ({ at: `${'abcdefgh'[file]}${rank + 1}`, file, rank, part: part(file, rank) }))
  .filter(({ at }) => !centre.has(at));

export const info: Info = {
  name: 'dawn-under',
  revision: 1,
  editions: [
    {
      name: '2004',
      minSeats: 2,
      maxSeats: 6,
      choices: [{ name: 'bare', of: places.map(({ at }) => at), count: 20, players: [2] }],
    },
    { name: '2017', minSeats: 2, maxSeats: 6, options: [{ name: 'maxVampires', least: 1, most: 12 }] },
  ],
  board: { graves: places },
};
export const party: Info = { name: 'toc-toc-toc', revision: 1, editions: [{ name: '', minSeats: 3, maxSeats: 5 }] };
export const cemetery: Played = { game: dawn, info };
export const parties: Played = { game: toctoc, info: party };
export const shelf = (game: string) => staged(game === party.name ? parties : cemetery) as Staged<never>;

export const row = (): Row => ({ left: ['red', 'blue'], down: 11, right: ['green', 'white'] });

export function shown(change: Partial<Cemetery> = {}, graves: Partial<Grave>[] = []): Cemetery {
  const changed = new Map(graves.map((g) => [g.at, g]));
  return {
    graves: places.map(({ at }) => ({ ...closedGrave(at), ...changed.get(at) })),
    rows: [row(), row(), row(), row()],
    stakes: [0, 1, 2, 0],
    garlic: [3, 3, 2, 0],
    stakesLeft: 10,
    reserve: 6,
    turn: 'A',
    at: '',
    plague: null,
    gifts: null,
    just: '',
    bats: [0, 0, 0, 0],
    bat: null,
    count: null,
    ...change,
  };
}

export function frame(change: Partial<Frame> = {}): Frame {
  return {
    seq: 10,
    you: 'A',
    state: 'running',
    setup: {
      game: 'dawn-under',
      edition: '2004',
      seats: 4,
      aid: '',
      moveTime: 0,
      awayTime: 120,
      listed: false,
      first: '',
      options: {},
      choices: {},
    },
    seats: ['Ana', 'Ben', 'Cleo', ''].map((name, i) => ({
      seat: 'ABCD'[i]!,
      name,
      bot: name ? '' : 'remembering:keen',
      nameless: false,
      here: name !== '',
      host: i === 0,
      standin: false,
    })),
    watchers: 0,
    waits: false,
    events: [],
    log: null,
    shown: shown(),
    turn: 'A',
    moves: places.map(({ at }) => `open ${at}`),
    asked: 'open',
    cites: 'O1',
    clock: null,
    outcome: null,
    next: '',
    seal: null,
    hostName: 'Ana',
    host: true,
    proposal: null,
    ...change,
  };
}

export const said = (verb: string, change: Partial<Said> = {}): Said => ({
  seat: 'A',
  verb,
  to: '',
  rule: '2004 ch. 1',
  ...change,
});

/** A table of Toc Toc Toc: three play, A is to knock. */
export function shownParties(change: Partial<Parties> = {}): Parties {
  const hand = { cards: 5, drawn: 0, recall: [] };
  const parties = [
    ['ghost', 'vampire'],
    ['ghost', 'ghost'],
    ['monster', 'vampire'],
  ];
  const of = (party: string[], kind: string) => party.filter((card) => card === kind).length;
  return {
    hand: ['taxi', 'ghost', 'child', 'child', 'ghost-vamp'],
    hands: [hand, hand, hand],
    parties,
    scores: [2, 2, 2],
    worth: parties.map((party) => ({
      monster: of(party, 'monster'),
      ghost: of(party, 'ghost'),
      vampire: of(party, 'vampire'),
      scarecrow: 0,
    })),
    pile: { left: 31, top: 'taxi' },
    gone: [],
    turn: 'A',
    knock: null,
    ...change,
  };
}

export function partyFrame(change: Partial<Frame> = {}): Frame {
  const base = frame();
  return {
    ...base,
    setup: { ...base.setup, game: 'toc-toc-toc', edition: '', seats: 3 },
    seats: base.seats.slice(0, 3),
    shown: shownParties(),
    own: { hand: ((change.shown ?? shownParties()) as Parties).hand },
    moves: ['B', 'C'].flatMap((seat) =>
      ['taxi', 'ghost', 'child', 'ghost-vamp'].map((card) => `knock ${seat} ${card}`),
    ),
    asked: 'knock',
    ...change,
  };
}

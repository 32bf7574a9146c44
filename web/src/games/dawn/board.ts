import type { Way } from '../../parts/walk';
import type { Place } from './types';

// Where the graves of any board stand in a grid: a track for each file and rank, and a narrow one for a path wherever
// two neighbours are of different parts.

export interface Spot {
  column: number;
  row: number;
  corners: string;
}
export interface Plan {
  columns: string;
  rows: string;
  spots: Map<string, Spot>;
  /** The free place in the middle, where the column stands: grid-area, or '' if the board has none. */
  middle: string;
  files: { name: string; column: number }[];
  ranks: { name: string; row: number }[];
}

export function plan(graves: Place[]): Plan {
  const at = new Map(graves.map((g) => [`${g.file} ${g.rank}`, g]));
  const part = (file: number, rank: number) => at.get(`${file} ${rank}`)?.part ?? -1;
  const files = 1 + Math.max(0, ...graves.map((g) => g.file));
  const ranks = 1 + Math.max(0, ...graves.map((g) => g.rank));
  const different = (a: number, b: number) => a >= 0 && b >= 0 && a !== b;
  const pathAfterFile = range(files).map((f) => range(ranks).some((r) => different(part(f, r), part(f + 1, r))));
  const pathAfterRank = range(ranks).map((r) => range(files).some((f) => different(part(f, r), part(f, r + 1))));

  const column = (file: number) => 1 + file + count(pathAfterFile.slice(0, file));
  const row = (rank: number) => 1 + (ranks - 1 - rank) + count(pathAfterRank.slice(rank));
  const spots = new Map(
    graves.map((g) => [g.at, { column: column(g.file), row: row(g.rank), corners: corners(g, part) }]),
  );
  return {
    columns: tracks(pathAfterFile),
    rows: tracks([...pathAfterRank.slice(0, -1).reverse(), false]),
    spots,
    middle: middle(range(files), range(ranks), part, column, row),
    files: range(files).map((f) => ({ name: String.fromCharCode(97 + f), column: column(f) })),
    ranks: range(ranks).map((r) => ({ name: String(r + 1), row: row(r) })),
  };
}

/** The grave that an arrow key leads to: the nearest in that direction, along the same line first. */
export function towards(graves: Place[], from: string, dx: number, dy: number): string {
  const here = graves.find((g) => g.at === from);
  if (!here) return graves[0]?.at ?? '';
  const ahead = graves
    .map((g) => ({
      at: g.at,
      along: (g.file - here.file) * dx + (g.rank - here.rank) * dy,
      aside: Math.abs((g.file - here.file) * dy) + Math.abs((g.rank - here.rank) * dx),
    }))
    .filter((g) => g.along > 0)
    .sort((a, b) => a.aside - b.aside || a.along - b.along);
  return ahead[0]?.at ?? from;
}

const steps: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** The way of the arrows over the elements of a board, each with its `data-at`; Home and End lead to the ends of a rank. */
export function overBoard(graves: Place[]): Way {
  return (key, here, all) => {
    const from = here.dataset['at'] ?? '';
    const to =
      key === 'Home' || key === 'End' ? edge(graves, from, key) : steps[key] && towards(graves, from, ...steps[key]);
    return all.find((grave) => grave.dataset['at'] === to);
  };
}

function edge(graves: Place[], from: string, key: 'Home' | 'End'): string {
  const rank = graves.find((g) => g.at === from)?.rank;
  const line = graves.filter((g) => g.rank === rank).sort((a, b) => a.file - b.file);
  return line.at(key === 'Home' ? 0 : -1)?.at ?? from;
}

type PartOf = (file: number, rank: number) => number;

/** A bed of graves is round where it ends in both directions. */
function corners({ file: f, rank: r, part: p }: Place, part: PartOf): string {
  const round = (dx: number, dy: number) => (part(f + dx, r) !== p && part(f, r + dy) !== p ? 'var(--round)' : '0');
  return [round(-1, 1), round(1, 1), round(1, -1), round(-1, -1)].join(' ');
}

function middle(
  files: number[],
  ranks: number[],
  part: PartOf,
  column: (f: number) => number,
  row: (r: number) => number,
): string {
  const free = files.flatMap((f) => ranks.filter((r) => part(f, r) < 0).map((r) => ({ f, r })));
  if (!free.length) return '';
  const [f1, f2] = [Math.min(...free.map((x) => x.f)), Math.max(...free.map((x) => x.f))];
  const [r1, r2] = [Math.min(...free.map((x) => x.r)), Math.max(...free.map((x) => x.r))];
  if (free.length !== (f2 - f1 + 1) * (r2 - r1 + 1)) return '';
  return `${row(r2)} / ${column(f1)} / ${row(r1) + 1} / ${column(f2) + 1}`;
}

const tracks = (pathAfter: boolean[]) =>
  pathAfter.map((path) => `minmax(0, 1fr)${path ? ' var(--path)' : ''}`).join(' ');
const count = (list: boolean[]) => list.filter(Boolean).length;
const range = (n: number) => Array.from({ length: n }, (_, i) => i);

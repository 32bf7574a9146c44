import { letter, type Seat, type Story } from '../wire/protocol';
import type { Deed } from './game';

// What there is to tell of a game that is over, from its story.

/** The way of a seat through the game, and the height at which its letter stands. */
export interface Way {
  seat: Seat;
  points: string;
  ends: number;
}

/** The ways of all seats, drawn from left to right into so much room, the furthest on top; none where nobody can say who is ahead. */
export function course({ turns }: Story, width: number, height: number): Way[] {
  const all = turns.flatMap(({ standing }) => standing);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  if (turns.length < 2 || least === most) return [];
  const x = (i: number) => (i / (turns.length - 1)) * width;
  const y = (stands: number) => ((most - stands) / (most - least)) * height;
  const seats = turns[0]!.standing.map((_, i) => i);
  const ends = apart(
    seats.map((i) => y(turns.at(-1)!.standing[i]!)),
    height,
  );
  return seats.map((i) => ({
    seat: letter(i),
    points: turns.map(({ standing }, n) => `${x(n).toFixed(1)},${y(standing[i]!).toFixed(1)}`).join(' '),
    ends: ends[i]!,
  }));
}

const badge = 19;

/** Letters that would lie one over another make room: from the top down, and back up from the bottom. */
function apart(heights: number[], height: number): number[] {
  const order = heights.map((_, i) => i).sort((a, b) => heights[a]! - heights[b]!);
  const at = [...heights];
  order.forEach((i, n) => n && (at[i] = Math.max(at[i]!, at[order[n - 1]!]! + badge)));
  let lowest = height;
  for (const i of order.reverse()) {
    at[i] = Math.min(at[i]!, lowest);
    lowest = at[i]! - badge;
  }
  return at;
}

/** Who was ahead of all others after most turns, after how many of how many, and how often another went ahead. */
export function leads({ turns }: Story): { longest: Seat; turns: number; of: number; changes: number } {
  const led = new Map<Seat, number>();
  let [last, changes] = ['', 0];
  for (const { standing } of turns.slice(1)) {
    const most = Math.max(...standing);
    if (standing.filter((stands) => stands === most).length > 1) continue;
    const first = letter(standing.indexOf(most));
    led.set(first, (led.get(first) ?? 0) + 1);
    if (last && first !== last) changes++;
    last = first;
  }
  const [longest, n] = [...led].sort(([, a], [, b]) => b - a)[0] ?? ['', 0];
  return { longest, turns: n, of: turns.length - 1, changes };
}

/** How often everyone did each of these deeds; those that nobody did are not told of. */
export function counts({ did, had }: Story, deeds: Deed[]): { name: string; numbers: number[] }[] {
  const sum = (of: Record<string, number> | undefined, verbs: string[] = []) =>
    verbs.reduce((n, verb) => n + (of?.[verb] ?? 0), 0);
  return deeds
    .map((deed) => ({ name: deed.name, numbers: did.map((of, i) => sum(of, deed.did) + sum(had[i], deed.had)) }))
    .filter(({ numbers }) => numbers.some((n) => n > 0));
}

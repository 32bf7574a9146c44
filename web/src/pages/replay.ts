import type { Frame, Setup, Story } from '../wire/protocol';

// The way through a game that is played again.

/** A game as the frames of one audience, with its story. */
export interface Recorded {
  frames: Frame[];
  story: Story;
}

/** A game that is not a house's: where it is seen, and who shows it. */
export interface Reel {
  at: string;
  read(): Promise<string>;
  replay(eyes: string): Promise<Recorded>;
  /** Goes on from a moment at a table of its own. */
  goOn(setup: Setup): Promise<void>;
}

/** After how many moves, and through whose eyes: a seat's, a watcher's (''), or those of somebody who sees all (`all`). */
interface Moment {
  ply: number;
  eyes: string;
}

/** What an address says of the moment: `#12` with all that was hidden, `#12-B` as B saw it, `#12-` as a watcher did. */
export function momentOf(hash: string): Moment {
  const [, ply = '0', eyes = 'all'] = /^#?(\d+)(?:-([A-F]?))?$/.exec(hash) ?? [];
  return { ply: Number(ply), eyes };
}

export const wayTo = (at: string, ply: number, eyes: string) => `${at}#${ply}${eyes === 'all' ? '' : `-${eyes}`}`;

/** The frame as somebody is told who comes there: with the log of all that has happened. */
export function asAt(frames: Frame[], ply: number): Frame {
  return { ...frames[ply]!, events: [], log: frames.slice(0, ply + 1).flatMap(({ events }) => events) };
}

/** Where the next turn is over, or the one before. */
export function turnFrom({ turns }: Story, ply: number, way: 1 | -1): number {
  const ends = turns.map((turn) => turn.ply);
  return way > 0 ? (ends.find((end) => end > ply) ?? ends.at(-1)!) : (ends.findLast((end) => end < ply) ?? 0);
}

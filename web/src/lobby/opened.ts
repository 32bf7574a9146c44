/** A record that somebody chose, as far as a page without rules can read it (docs/record.md). */
export interface Opened {
  record: object;
  game: string;
  edition: string;
  players: string[];
  moves: string[];
  /** After how many moves one can play on, for all that is known here: a game that came to its end is over after the last. */
  playable: number;
}

const words = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((word) => typeof word === 'string');

/** Reads a record; null where it is none. Whether the game can be played from it the house says. */
export function opened(text: string): Opened | null {
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof record !== 'object' || record === null) return null;
  const { format, game, edition = '', players, moves, table } = record as Record<string, unknown>;
  if (
    format !== 'caveau/1' ||
    typeof game !== 'string' ||
    typeof edition !== 'string' ||
    !words(players) ||
    !words(moves)
  )
    return null;
  const why = (table as { why?: unknown } | undefined)?.why;
  const ended = why === '' || why === 'stopped';
  return { record, game, edition, players, moves, playable: Math.max(0, moves.length - (ended ? 1 : 0)) };
}

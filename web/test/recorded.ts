import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Frames, type Terse } from '../src/wire/frames';
import type { Frame, Info } from '../src/wire/protocol';

// Frames of real games, which Go plays and writes (`make test-web`): a file an audience, a message a line. What is played is
// said in games.json.

const folder = 'frames';

export interface Recorded {
  file: string;
  info: Info;
  frames: Frame[];
  /** How long a bot takes for the move after each, in milliseconds, where that was recorded. */
  pauses: number[];
}

/** The recorded games of so many, as this audience was told of them: `4-A`, `4-watcher`. */
export function recorded(audience: string): Recorded[] {
  const infos = JSON.parse(readFileSync(join(folder, 'games.json'), 'utf8')) as Info[];
  const files = readdirSync(folder).filter((file) => file.endsWith(`-${audience}.jsonl`));
  return files.map((file) => {
    const frames = read(file);
    const info = infos.find(({ name }) => name === frames[0]!.setup.game)!;
    return {
      file,
      info,
      frames,
      pauses: lines(file).map((line) => (JSON.parse(line) as { pause?: number }).pause ?? 0),
    };
  });
}

/** The first frame of which this is so, as seat A of this game was told it: `dawn-under-2004-4`. */
export function told(game: string, is: (frame: Frame) => boolean): Frame {
  const frame = read(`${game}-A.jsonl`).find(is);
  if (!frame) throw new Error(`no frame of ${game} is so`);
  return frame;
}

/** What seat A is asked, in the game's word for it. */
export const asked = (word: string) => (frame: Frame) => frame.asked === word && frame.moves.length > 0;
/** What this other seat is asked, while A waits. */
export const waits = (word: string, turn: string) => (frame: Frame) => frame.asked === word && frame.turn === turn;

const readFiles = new Map<string, Frame[]>();

/** Games of which it is recorded, too, what a page is told that is loaded again after each of their frames. */
export const reloaded = (): (Recorded & { again: Frame[] })[] =>
  recorded('A-again').map((again) => {
    const live = again.file.replace('-again', '');
    return { ...again, file: live, frames: read(live), again: again.frames };
  });

function read(file: string): Frame[] {
  const frames = readFiles.get(file) ?? readAll(file);
  readFiles.set(file, frames);
  return frames;
}

function readAll(file: string): Frame[] {
  const tables = new Frames();
  return lines(file).map((line) => {
    const { table, frame } = JSON.parse(line) as { table: string; frame: Terse };
    return tables.whole(table, frame)!;
  });
}

const lines = (file: string) => readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean);

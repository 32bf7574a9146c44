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
}

/** The recorded games of so many, as this audience was told of them: `4-A`, `4-watcher`. */
export function recorded(audience: string): Recorded[] {
  const infos = JSON.parse(readFileSync(join(folder, 'games.json'), 'utf8')) as Info[];
  const files = readdirSync(folder).filter((file) => file.endsWith(`-${audience}.jsonl`));
  return files.map((file) => {
    const frames = read(file);
    return { file, info: infos.find(({ name }) => name === frames[0]!.setup.game)!, frames };
  });
}

/** Of a recorded game, what a page would be told that is loaded again after each of its frames. */
export const again = ({ file }: Recorded): Frame[] => read(file.replace('.jsonl', '-again.jsonl'));

function read(file: string): Frame[] {
  const tables = new Frames();
  const lines = readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => {
    const { table, frame } = JSON.parse(line) as { table: string; frame: Terse };
    return tables.whole(table, frame)!;
  });
}

// Floors: an import goes down, never sideways or up, and never in a circle. Components are held to it as the rest is, and
// an import of a type counts as any other. `npm run check` runs this; it prints what goes wrong, and fails.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** From the ground up. What stands on one floor does not know each other, games included. */
const floors = [
  ['messages', 'wire', 'route.svelte.ts', 'settings.svelte.ts'],
  ['parts'],
  ['rules', 'fair', 'pocket'],
  ['table'],
  ['games/*'],
  ['games/index.ts', 'house.svelte.ts'],
  ['lobby', 'owner'],
  ['pages'],
  ['learn'],
  ['App.svelte'],
  ['main.ts', 'early.ts'],
];

const source = resolve(import.meta.dirname, '../src');
const tests = /\.test\.ts$|^fixtures\.ts$/;

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.(svelte|ts)$/.test(file) && !tests.test(file));

/** Which part of the source a file belongs to: a folder, one game's folder, or the file itself. */
function partOf(file) {
  const [first, second, more] = file.split('/');
  if (first === 'games' && more) return `games/${second}`;
  return second && first !== 'games' ? first : file;
}

const floorOf = (part) =>
  floors.findIndex((floor) => floor.some((name) => name === part || (name === 'games/*' && /^games\/\w+$/.test(part))));

/** The files that a file imports, as far as they are ours. */
function imports(file) {
  const text = readFileSync(join(source, file), 'utf8');
  const named = [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g)].map((m) => m[1]);
  return named.flatMap((name) =>
    name === '#games' ? ['games/index.ts'] : name.startsWith('.') ? found(file, name) : [],
  );
}

function found(file, name) {
  const path = relative(source, resolve(source, dirname(file), name)).replaceAll('\\', '/');
  return [path, `${path}.ts`, `${path}/index.ts`].filter((one) => files.includes(one));
}

const graph = new Map(files.map((file) => [file, imports(file)]));
const faults = [];

for (const [file, others] of graph) {
  if (floorOf(partOf(file)) < 0) faults.push(`${file} stands on no floor: name its part in tools/floors.js`);
  for (const other of others) {
    const [from, to] = [partOf(file), partOf(other)];
    if (from !== to && floorOf(from) <= floorOf(to))
      faults.push(`${file} imports ${other}: ${from} does not stand above ${to}`);
  }
}

/** Every file that can be reached again from itself, once a circle. */
const done = new Set();
function walk(file, path) {
  if (path.includes(file)) return faults.push(`a circle: ${[...path.slice(path.indexOf(file)), file].join(' → ')}`);
  if (done.has(file)) return;
  for (const other of graph.get(file)) walk(other, [...path, file]);
  done.add(file);
}
for (const file of files) walk(file, []);

for (const fault of faults) console.error(fault);
console.log(`${files.length} files, ${[...graph.values()].flat().length} imports, ${faults.length} faults`);
process.exit(faults.length ? 1 : 0);

// Lays beside every text in dist what brotli makes of it, so that the house need not: the best that it can do takes seconds.
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

const texts = new Set(['.html', '.js', '.css', '.svg', '.json', '.webmanifest', '.txt', '.wasm']);
const dist = process.argv[2] ?? 'dist';

for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
  const file = join(entry.parentPath, entry.name);
  if (!entry.isFile() || !texts.has(extname(file)) || current(file)) continue;
  const plain = readFileSync(file);
  // The last tenth of the engine takes a quarter of a minute.
  const quality = plain.length > 1e6 ? 9 : 11;
  const squeezed = brotliCompressSync(plain, {
    params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
  });
  if (squeezed.length < plain.length * 0.9) writeFileSync(`${file}.br`, squeezed);
  else rmSync(`${file}.br`, { force: true });
}

function current(file) {
  return existsSync(`${file}.br`) && statSync(`${file}.br`).mtimeMs > statSync(file).mtimeMs;
}

import { svelte } from '@sveltejs/vite-plugin-svelte';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import type { Plugin } from 'vite';

const house = process.env['CAVEAU_URL'] ?? 'http://localhost:8080';

/** Building empties dist; the placeholder that a clean clone needs goes back. */
const keep: Plugin = {
  name: 'keep',
  apply: 'build',
  closeBundle: () => writeFileSync('dist/.keep', ''),
};

/** Which games are built in: a mode of its own may name other ones. */
const shelves: Record<string, string> = { pebbles: 'test/games.ts' };

export default defineConfig(({ mode }) => ({
  plugins: [svelte(), keep],
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  // The rulebooks stand outside of web, in docs.
  server: { fs: { allow: ['.', '../docs'] }, proxy: { '/api': house, '/ws': { target: house, ws: true } } },
  resolve: {
    alias: { '#games': resolve(import.meta.dirname, shelves[mode] ?? 'src/games/index.ts') },
    ...(process.env['VITEST'] ? { conditions: ['browser'] } : {}),
  },
  test: { environment: 'happy-dom', include: ['src/**/*.test.ts'] },
}));

import { svelte } from '@sveltejs/vite-plugin-svelte';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import type { Plugin } from 'vite';

const house = process.env['CAVEAU_URL'] ?? 'http://localhost:8080';

const testing = Boolean(process.env['VITEST']);
const here = (path: string) => resolve(import.meta.dirname, path);

/** Building empties dist; the placeholder that a clean clone needs goes back. */
const keep: Plugin = {
  name: 'keep',
  apply: 'build',
  closeBundle: () => writeFileSync('dist/.keep', ''),
};

/** Which games are built in: a mode of its own may name other ones. */
const shelves: Record<string, string> = { pebbles: 'test/games.ts' };

export default defineConfig(({ mode }) => ({
  plugins: [svelte(testing ? { compilerOptions: { dev: false } } : {}), keep],
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  // The rulebooks stand outside of web, in docs.
  server: { fs: { allow: ['.', '../docs'] }, proxy: { '/api': house, '/ws': { target: house, ws: true } } },
  resolve: {
    alias: {
      '#games': here(shelves[mode] ?? 'src/games/index.ts'),
      // The page is tested as it is shipped: without what Svelte does for whoever develops it, which takes ten times as long.
      ...(testing ? { 'esm-env': here('test/shipped.ts') } : {}),
    },
    ...(testing ? { conditions: ['browser'] } : {}),
  },
  // Both processors of a small machine: by itself Vitest leaves one to others.
  test: {
    environment: 'happy-dom',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    maxWorkers: '100%',
    testTimeout: 20_000,
  },
}));

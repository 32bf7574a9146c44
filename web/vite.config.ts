import { svelte } from '@sveltejs/vite-plugin-svelte';
import { writeFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import type { Plugin } from 'vite';

const house = process.env['CAVEAU_URL'] ?? 'http://localhost:8080';

/** Building empties dist; the placeholder that a clean clone needs goes back. */
const keep: Plugin = {
  name: 'keep',
  apply: 'build',
  closeBundle: () => writeFileSync('dist/.keep', ''),
};

export default defineConfig({
  plugins: [svelte(), keep],
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  // The rulebooks stand outside of web, in docs.
  server: { fs: { allow: ['.', '../docs'] }, proxy: { '/api': house, '/ws': { target: house, ws: true } } },
  resolve: process.env['VITEST'] ? { conditions: ['browser'] } : {},
  test: { environment: 'happy-dom', include: ['src/**/*.test.ts'] },
});

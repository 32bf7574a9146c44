import { svelte } from '@sveltejs/vite-plugin-svelte';
import { createHash } from 'node:crypto';
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

/** In each of these the sentences are a file of its own. */
const tongues = ['en', 'fr', 'ru'];

/** A script that asks before the others have come stands before them, needs none of them, and is told where the sentences are. */
const early: Plugin = {
  name: 'early',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(_, { bundle }) {
      const named = (name: string) => {
        const chunk = Object.values(bundle ?? {}).find((one) => one.type === 'chunk' && one.name === name);
        if (chunk?.type !== 'chunk' || chunk.imports.length > 0) throw new Error(`${name} is to be a script by itself`);
        return `/${chunk.fileName}`;
      };
      return [
        ...tongues.map((name) => ({ tag: 'meta', attrs: { name: `sentences-${name}`, content: named(name) } })),
        { tag: 'script', attrs: { type: 'module', async: true, src: named('early') }, injectTo: 'head' as const },
      ];
    },
  },
};

/** What the service worker keeps: what the page begins with, and the rest. What the Makefile adds is named here. */
const kept: Plugin = {
  name: 'kept',
  apply: 'build',
  generateBundle(_, bundle) {
    const all = Object.values(bundle);
    const begun = new Set<string>();
    const needs = (file: string) => {
      const chunk = bundle[file];
      if (begun.has(file) || chunk?.type !== 'chunk') return;
      begun.add(file);
      chunk.imports.forEach(needs);
      chunk.viteMetadata?.importedCss.forEach((css) => begun.add(css));
    };
    all.forEach(
      (one) => one.type === 'chunk' && ['early', 'index', ...tongues].includes(one.name) && needs(one.fileName),
    );
    const files = all.map(({ fileName }) => fileName).filter((file) => file.startsWith('assets/'));
    const shell = ['favicon.svg', 'icon.png', 'manifest.webmanifest', ...begun].map((file) => `/${file}`);
    const rest = [...files.filter((file) => !begun.has(file)), 'engine.js', 'engine.wasm', 'pocket.js'].map(
      (file) => `/${file}`,
    );
    // Of what is in them alone: where it was built is nobody's business.
    const pocket = bundle['pocket.js'];
    const sum = createHash('sha256')
      .update(JSON.stringify([files.sort(), pocket?.type === 'chunk' ? pocket.code : '']))
      .digest('hex');
    const worker = bundle['sw.js'];
    if (worker?.type !== 'chunk') return;
    worker.code = worker.code.replace(
      'FILES_OF_THIS_BUILD',
      JSON.stringify({ name: `caveau-${sum.slice(0, 12)}`, shell, rest }),
    );
  },
};

/** Two scripts that run beside the page have names that stay, and no hash. */
const beside: Record<string, string> = { pocket: 'pocket.js', sw: 'sw.js' };

/** Which games are built in: a mode of its own may name other ones. */
const shelves: Record<string, string> = { pebbles: 'test/games.ts' };

export default defineConfig(({ mode }) => ({
  plugins: [svelte(testing ? { compilerOptions: { dev: false } } : {}), early, kept, keep],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: { index: 'index.html', early: 'src/early.ts', pocket: 'src/pocket/worker.ts', sw: 'src/pocket/sw.ts' },
      output: {
        entryFileNames: ({ name }) => beside[name] ?? 'assets/[name]-[hash].js',
        // The ground floor is one file: else each of its parts that a page asks for by itself would be one more request of every table.
        codeSplitting: {
          groups: [
            {
              name: 'ground',
              test: /web\/src\/(messages(?!\/(tongues|en|fr|ru))|wire|parts|rules\/citation)|preload-helper/,
            },
          ],
        },
      },
    },
  },
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
    setupFiles: ['test/patience.ts', 'test/languages.ts'],
    testTimeout: 60_000,
  },
}));

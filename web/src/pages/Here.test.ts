import { cleanup, render } from '@testing-library/svelte';
import { afterEach, expect, test, vi } from 'vitest';
import { cemetery, info } from '../fixtures';
import Here from './Here.svelte';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('a house in the page that comes at the second try only is played in all the same', async () => {
  let tries = 0;
  vi.stubGlobal('isSecureContext', false); // nothing is kept
  vi.stubGlobal(
    'Worker',
    class {
      onmessage: ((message: { data: object }) => void) | null = null;
      onerror: ((broken: object) => void) | null = null;
      postMessage({ do: what, n }: { do: string; n: number }) {
        const shelf = { games: [info], bots: ['keen'] };
        if (what === 'open' && ++tries === 1) return queueMicrotask(() => this.onerror?.({}));
        const said = JSON.stringify(what === 'open' ? shelf : []);
        queueMicrotask(() => this.onmessage?.({ data: { n, said } }));
      }
      terminate() {}
    },
  );
  render(Here, { games: [cemetery.game], table: '', books: [] });
  await vi.waitFor(() => expect(tries).toBe(1));
  const form = () => document.querySelector('form');
  expect(form()).toBeNull();
  await vi.waitFor(() => expect(form()).not.toBeNull(), { timeout: 4000 });
});

import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, expect, test, vi } from 'vitest';
import { House } from '../house.svelte';
import Privacy from './Privacy.svelte';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('whoever is somebody else sees what is his, and nothing of who was there before', async () => {
  const house = new House([]);
  const programs: Record<string, object[]> = { a: [{ id: '0', name: 'Robbie' }], b: [{ id: '0', name: 'Hal' }] };
  vi.stubGlobal('fetch', async (path: string) => ({
    ok: true,
    json: async () => (path.includes('/programs') ? programs[house.guest!.id] : []),
  }));
  const hello = { protocol: 3, version: '', games: [], bots: [], origin: '', passkeys: '', keepPlayed: 0 };
  const is = (id: string) => {
    house.guest = { id, name: id };
    house.hello = { ...hello, guest: house.guest };
  };
  is('a');
  render(Privacy, { house });
  await screen.findByText('Robbie');
  is('b');
  await screen.findByText('Hal');
  expect(screen.queryByText('Robbie')).toBeNull();
});

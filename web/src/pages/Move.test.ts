import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, expect, test, vi } from 'vitest';
import { House } from '../house.svelte';
import Move from './Move.svelte';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('a link is good as long as nobody has said that it is not: what the line has is tried again', async () => {
  let answers: object | null = null;
  vi.stubGlobal('fetch', async () => {
    if (!answers) throw new Error('nobody there');
    return { ok: !('code' in answers), json: async () => answers };
  });
  render(Move, { house: new House([]), code: 'abc', table: 'k3x' });
  await screen.findByRole('heading', { name: 'This link cannot be looked at just now' });
  expect(screen.getByRole('alert').textContent).toMatch(/cannot be reached/);
  answers = { name: 'Ana' };
  await fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('heading', { name: 'Play as Ana on this device?' });
  expect(screen.queryByRole('alert')).toBeNull();
  answers = { code: 'busy' };
  await fireEvent.click(screen.getByRole('button', { name: /Ana/ }));
  expect((await screen.findByRole('alert')).textContent).toMatch(/busy/);
  answers = { code: 'wrong_passkey' };
  await fireEvent.click(screen.getByRole('button', { name: /Ana/ }));
  await screen.findByRole('heading', { name: 'This link is good no more' });
});

import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, expect, test } from 'vitest';
import { language } from '../messages/language.svelte';
import { read, route } from '../route.svelte';
import Nowhere from './Nowhere.svelte';

afterEach(() => {
  cleanup();
  language.speak('en');
});

test('an address at which there is nothing is none of the house’s', () => {
  expect(['/', '/index.html', '/no/such/page', '/t', '/tables/k3x'].map((path) => read(path, '').at)).toEqual([
    'hall',
    'hall',
    'nowhere',
    'nowhere',
    'nowhere',
  ]);
});

test.each([
  ['en', 'Nobody lies here', 'To the lobby'],
  ['fr', 'Personne ne repose ici', 'Vers l’accueil'],
  ['ru', 'Здесь никто не покоится', 'К списку столов'],
] as const)('there is nothing there, it says in %s, and leads home', async (spoken, heading, home) => {
  language.speak(spoken);
  history.replaceState(null, '', '/no/such/page');
  render(Nowhere);
  screen.getByRole('heading', { name: heading });
  await fireEvent.click(screen.getByRole('button', { name: home }));
  expect(route.now.at).toBe('hall');
});

import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, expect, test } from 'vitest';
import { language } from '../messages/language.svelte';
import type { TableCard } from '../wire/protocol';
import DoorSign from './DoorSign.svelte';

afterEach(() => {
  cleanup();
  language.speak('en');
});

const card = (seats: string[]): TableCard => ({
  table: 'k3x',
  game: 'dawn-under',
  edition: '2004',
  state: 'open',
  listed: true,
  host: 'Ana',
  watchers: 0,
  made: '2026-10-31T20:00:00Z',
  seats: seats.map((name, i) => ({ seat: 'ABC'[i]!, name, bot: '' })),
});

test.each([
  ['en', 'Waiting for players', 'Everybody is here'],
  ['fr', 'On attend des joueurs', 'Tout le monde est là'],
  ['ru', 'Ждём игроков', 'Все в сборе'],
] as const)('a table waits for players as long as a seat is free, it says in %s', (spoken, waiting, full) => {
  language.speak(spoken);
  const { unmount } = render(DoorSign, { card: card(['Ana', 'Ben', '']), words: undefined });
  screen.getByText(waiting);
  unmount();
  render(DoorSign, { card: card(['Ana', 'Ben', 'Cleo']), words: undefined });
  screen.getByText(full);
  expect(screen.queryByText(waiting)).toBeNull();
});

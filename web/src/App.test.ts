import { cleanup, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, expect, test } from 'vitest';
import App from './App.svelte';
import { cemetery, frame, info, shelf } from './fixtures';
import { House } from './house.svelte';
import { language } from './messages/language.svelte';
import { route } from './route.svelte';
import { Show } from './table/show.svelte';

afterEach(() => {
  cleanup();
  language.speak('en');
});

const stage = { look: () => 0, now: () => 0, wait: async () => {}, asleep: () => false, moving: () => false };

/** The house as it is for somebody who is asked at the table t; nothing goes over any line. */
class AtHome extends House {
  override async open() {
    const guest = { id: 'a', name: 'Ana' };
    this.guest = guest;
    this.hello = { protocol: 2, version: '', guest, games: [info], bots: [], origin: '' };
  }
  override watch(table: string) {
    const show = new Show(stage, shelf);
    show.take(frame({ log: [] }));
    [this.table, this.show] = [table, show];
  }
  override unwatch() {}
}

test('who is asked reads so in the title, in whatever language he turns to, and no more when he goes', async () => {
  route.go('/t/t');
  render(App, { house: new AtHome([cemetery.game]) });
  await screen.findByRole('button', { name: 'a1, closed' });
  expect(document.title).toBe('Your turn! — Caveau');
  language.speak('fr');
  await tick();
  expect(document.title).toBe('À toi de jouer ! — Caveau');
  expect(document.documentElement.lang).toBe('fr');
  route.go('/');
  await tick();
  expect(document.title).toBe('Caveau');
});

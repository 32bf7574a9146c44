import { cleanup, render } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import App from './App.svelte';
import { cemetery, frame, info, parties, shelf } from './fixtures';
import { House } from './house.svelte';
import { language } from './messages/language.svelte';
import { route } from './route.svelte';
import { Show } from './table/show.svelte';
import type { Frame } from './wire/protocol';

beforeEach(() => void vi.stubGlobal('fetch', async () => ({ ok: true, json: async () => [] })));
afterEach(() => {
  vi.unstubAllGlobals();
  cleanup();
  language.speak('en');
});

const stage = { look: () => 0, now: () => 0, wait: async () => {}, asleep: () => null, moving: () => false };

/** The house as it is for somebody who is asked at the table t; nothing goes over any line. */
class AtHome extends House {
  override async open() {
    const guest = { id: 'a', name: 'Ana' };
    this.guest = guest;
    this.hello = { protocol: 3, version: '', guest, games: [info], bots: [], origin: '', passkeys: '', keepPlayed: 0 };
  }
  override watch(table: string) {
    const show = new Show(stage, shelf);
    show.take(frame({ log: [] }));
    [this.table, this.show] = [table, show];
  }
  override unwatch() {}
}

const text = (css: string) => document.querySelector(css)?.textContent?.trim();
const seen = (css: string) => vi.waitFor(() => expect(document.querySelector(css)).not.toBeNull());

test('who is asked reads so in the title, in whatever language he turns to, and no more when he goes', async () => {
  route.go('/t/t');
  render(App, { house: new AtHome([cemetery.game]) });
  await seen('.grave');
  expect(document.title).toBe('Your turn! — Caveau');
  language.speak('fr');
  await tick();
  expect(document.title).toBe('À toi de jouer ! — Caveau');
  expect(document.documentElement.lang).toBe('fr');
  route.go('/');
  await tick();
  expect(document.title).toBe('Caveau');
});

test('a table has the pictures of its own game, and every other page those of all', async () => {
  route.go('/t/t');
  render(App, { house: new AtHome([cemetery.game, parties.game]) });
  await seen('.grave');
  const drawn = () => ['#coffin', '#card-monster'].map((figure) => document.querySelector(`symbol${figure}`) !== null);
  expect(drawn()).toEqual([true, false]);
  route.go('/');
  await tick();
  expect(drawn()).toEqual([true, true]);
});

test('an attempt at the deal that fails is said beside the table, though the next one has succeeded by then', async () => {
  route.go('/t/t');
  const house = new AtHome([cemetery.game]);
  render(App, { house });
  await seen('.grave');
  const seal = { version: 'caveau-deal/2', seal: 'ff', called: true, failed: [] };
  const open = { state: 'open' as const, shown: undefined, moves: [], turn: '' } satisfies Partial<Frame>;
  const failed = [{ seal: 'ff', shut: ['B'] }];
  house.show!.take(frame({ seq: 11, ...open, seal }));
  await seen('.start button:disabled');
  expect(text('.start [role=status]')).toBe('The numbers are being opened …');
  expect(text('.notice p')).toBeUndefined();
  house.show!.take(frame({ seq: 12, ...open, seal: { ...seal, seal: 'ee', called: false, failed } }));
  await vi.waitFor(() => expect(text('.start [role=status]')).toBe('Other numbers are being sealed …'));
  house.show!.take(frame({ seq: 13, seal: { ...seal, seal: 'ee', failed } }));
  await seen('.grave');
  expect(text('.notice p')).toMatch(/^The number of Ben was not opened in time\. All begins/);

  // Whoever comes when all is over is not told of it as if it were new.
  cleanup();
  house.show!.take(frame({ seq: 14, log: [], seal: { ...seal, seal: 'ee', failed } }));
  render(App, {
    house: new (class extends AtHome {
      override watch(table: string) {
        [this.table, this.show] = [table, house.show];
      }
    })([cemetery.game]),
  });
  await seen('.grave');
  expect(text('.notice p')).toBeUndefined();
});

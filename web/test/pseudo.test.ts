import { cleanup, render } from '@testing-library/svelte';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { games } from '#games';
import App from '../src/App.svelte';
import { cemetery, frame, info, shelf } from '../src/fixtures';
import { House } from '../src/house.svelte';
import type { Message, Values } from '../src/messages/format';
import { fetchLanguage, ownNames } from '../src/messages/language.svelte';
import { dialogs } from '../src/parts/dialogs.svelte';
import { route } from '../src/route.svelte';
import { Show } from '../src/table/show.svelte';
import { examine } from './examine';
import { recorded } from './recorded';

// A language that nobody speaks: each sentence stands between two signs. What is read or heard outside of them no translator has seen.

// What was there before this test speaks as people do.
vi.hoisted(() => vi.resetModules());
beforeAll(() => fetchLanguage('en'));

vi.mock(import('../src/messages/format'), async (original) => {
  const { format } = await original();
  return { format: (message: Message, language: string, values?: Values) => `⟦${format(message, language, values)}⟧` };
});

// The rulebooks are texts of their own in each language.
vi.mock(import('../src/rules/search'), async (original) => {
  const search = await original();
  const pieces = (...of: Parameters<typeof search.pieces>) =>
    search.pieces(...of).map((piece) => ({ ...piece, text: `⟦${piece.text}⟧` }));
  return { ...search, pieces };
});

/** What is the same in every language: what people and the house are called, what is printed on keys and beside boards, the signs of languages. */
const languages = Object.values(ownNames);
const names = /^(Caveau|Enter|abcdefgh|enfrru|[A-F]?(Ana|Ben|Cleo|Dora))$/;

/** Texts without what stands between the signs, one within another or not. */
function outside(text: string): string {
  for (let before = ''; before !== text;) text = (before = text).replace(/⟦[^⟦⟧]*⟧/g, ' ');
  return text;
}

/** All that somebody reads or hears on the page that is no sentence: words of three letters and more. */
function strange(): string[] {
  const spoken = ['aria-label', 'aria-description', 'title', 'alt', 'placeholder'];
  const heard = [...document.querySelectorAll('body *')].flatMap((one) => spoken.map((name) => one.getAttribute(name)));
  return [document.body.textContent, document.title, ...heard]
    .flatMap((text) => outside(text ?? '').match(/\p{L}{3,}/gu) ?? [])
    .filter((word) => !names.test(word) && !languages.includes(word));
}

beforeEach(() => void vi.stubGlobal('fetch', async () => ({ ok: true, json: async () => [] })));
afterEach(() => {
  vi.unstubAllGlobals();
  cleanup();
});

class AtHome extends House {
  override async open() {
    const guest = { id: 'a', name: 'Ana' };
    this.guest = guest;
    this.hello = {
      protocol: 3,
      version: '',
      guest,
      games: [info],
      bots: ['keen'],
      origin: '',
      passkeys: '',
      keepPlayed: 60,
    };
  }
  override watch(table: string) {
    const stage = { look: () => 0, now: () => 0, wait: async () => {}, asleep: () => null, moving: () => false };
    const show = new Show(stage, shelf);
    show.take(frame({}));
    [this.table, this.show] = [table, show];
  }
  override unwatch() {}
}

test.each(['/', '/games', '/privacy', '/nowhere', '/i/1-x', '/t/t'])(
  'nothing on %s is said past the translators',
  async (path) => {
    route.go(path);
    render(App, { house: new AtHome([cemetery.game]) });
    await vi.waitFor(() => expect(document.body.textContent).toContain('⟦')); // pages are fetched
    for (const open of ['', 'help', 'settings'] as const) {
      dialogs.open = open;
      await vi.dynamicImportSettled(); // pages and books are fetched
      expect(strange(), open).toEqual([]);
    }
    dialogs.open = '';
  },
);

test.each(games.map((game) => [game.name, game] as const))(
  'nothing at a table of %s is said past the translators',
  { timeout: 900_000 },
  async (name, game) => {
    const found = new Set<string>();
    const tried = new Set<string>();
    for (const { info, frames } of recorded('4-A').filter(({ info }) => info.name === name))
      await examine(game, info, frames, tried, () => strange().forEach((word) => found.add(word)));
    expect([...found]).toEqual([]);
  },
);

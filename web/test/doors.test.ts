import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

// By these a page draws chance, keeps something, tells somebody something, or shows it outside of itself. Beside each stands where it may be
// used; whoever adds a place says here why nothing leaves by it that its reader alone may know, or that he has to remember himself.
const doors: Record<string, string[]> = {
  // Seals are drawn from what nobody can guess, and by what one comes back whose answer gets lost; the rest is where a proposal of a name begins, what a command is called, and how long one waits.
  getRandomValues: ['fair/number.ts', 'house.svelte.ts'],
  'Math.random': ['lobby/Welcome.svelte', 'wire/line.ts'],
  randomUUID: [],
  // The numbers of running deals, and what was chosen in the settings.
  localStorage: ['early.ts', 'fair/number.ts', 'messages/language.svelte.ts', 'settings.svelte.ts'],
  sessionStorage: ['house.svelte.ts'],
  // The log of games that are played on this device alone, by the house in the page; it tells each hand what a server would.
  indexedDB: ['pocket/worker.ts'],
  // The files of the page.
  'caches.': ['pocket/sw.ts'],
  'document.cookie': [],
  // The house, and nobody else.
  'fetch(': ['early.ts', 'fair/Verify.svelte', 'fair/engine.ts', 'pocket/sw.ts', 'pocket/worker.ts', 'wire/http.ts'],
  'new WebSocket': ['early.ts', 'house.svelte.ts'],
  XMLHttpRequest: [],
  EventSource: [],
  sendBeacon: [],
  // Between the page, the house in it and its service worker.
  postMessage: ['pocket/device.ts', 'pocket/install.ts', 'pocket/sw.ts', 'pocket/worker.ts'],
  BroadcastChannel: [],
  serviceWorker: ['pocket/install.ts'],
  'window.open': [],
  'console.': [],
  // Where one is, never what one sees; of a game that is over, which move is looked at.
  'document.title': ['pages/Replay.svelte', 'table/Caller.svelte'],
  'history.': ['pages/Replay.svelte', 'route.svelte.ts'],
  'location.hash': ['route.svelte.ts', 'table/Before.svelte', 'table/ScreenBefore.svelte'],
  // That it is his turn, for whoever asked to be told so; and where his browser is told when the page is closed.
  Notification: ['pocket/install.ts', 'pocket/sw.ts', 'table/notify.ts'],
  pushManager: ['pocket/install.ts'],
  'navigator.share': ['table/Invite.svelte', 'table/Picture.svelte'],
  clipboard: ['owner/Doors.svelte', 'pages/Replay.svelte', 'table/Invite.svelte'],
  '{@html': [],
  innerHTML: [],
};

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.(ts|svelte)$/.test(file) && !file.endsWith('.test.ts') && file !== 'fixtures.ts',
);
const sources = files.map((file) => ({ file, text: readFileSync(join('src', file), 'utf8') }));

// And what goes through those by which something stays, or is seen by whoever does not look at the page, as it is written: settings, the numbers of
// deals that run, that a page was loaded again; the files of the page; that it is somebody's turn; and where one is.
const goesBy =
  /(?:local|session)Storage(?!\.(?:get|remove)Item\()|document\.title =|history\.\w+\(|\bnotify\(|new Notification\(|showNotification\(|caches\.open\(|\baddAll\(|\bcache\.put\(|\.respondWith\(|\blog\.(?:add|put)\(/;
const goes: Record<string, string[]> = {
  'fair/number.ts': ['localStorage.setItem(key, JSON.stringify(last));'],
  'house.svelte.ts': ["sessionStorage.setItem(reloadedKey, 'once');"],
  'messages/language.svelte.ts': ['localStorage.setItem(kept, word);'],
  'pages/Replay.svelte': [
    "const settled = setTimeout(() => film && history.replaceState(null, '', now), 300);",
    "document.title = setup ? t('title.table', { game: rulebook(played?.game.words, setup) }) : t('title');",
    "return () => (document.title = t('title'));",
  ],
  'pocket/install.ts': ['await (await worker())?.showNotification(text, how);'],
  'pocket/sw.ts': [
    'const cache = await caches.open(name);',
    'await cache.addAll(missing.flat());',
    'const filled = caches.open(all).then(() => fill(rest));',
    'e.respondWith(fetched(e.request, file).catch(() => ours(file)));',
    'e.waitUntil(registration.showNotification(title, how));',
  ],
  'pocket/worker.ts': ['lines.forEach((line) => log.add(line));'],
  'route.svelte.ts': ["history.pushState(null, '', path);", "history.replaceState(null, '', path);"],
  'settings.svelte.ts': [
    'localStorage.setItem(lookKey, String(ms));',
    "localStorage.setItem(lettersKey, on ? 'on' : 'off');",
    "localStorage.setItem(listensKey, on ? 'on' : 'off');",
    "localStorage.setItem(soundKey, on ? 'on' : 'off');",
    "localStorage.setItem(callsKey, on ? 'on' : 'off');",
    "localStorage.setItem(phrasesKey, on ? 'on' : 'off');",
    "localStorage.setItem(learnedKey, this.#learned.join(' '));",
    'localStorage.setItem(lastKey, JSON.stringify(chosen));',
  ],
  'table/Caller.svelte': [
    "document.title = called ? t('title.turn') : t('title.table', { game: rulebook(game.words, frame.setup) });",
    "return () => (document.title = t('title'));",
    "return hidden && !at.lesson ? notify(t('title.turn'), at.table, location.pathname) : undefined;",
  ],
  'table/notify.ts': [
    'export function notify(text: string, table: string, path: string): () => void {',
    'const call = new Notification(text, how);',
  ],
};

test.each(Object.entries(doors))('%s is used where it is listed, and nowhere else', (word, listed) => {
  const users = sources.filter(({ text }) => text.includes(word)).map(({ file }) => file);
  expect(users.sort()).toEqual(listed);
});

test('nothing goes through them but what is listed', () => {
  const lines = (text: string) => text.split('\n').flatMap((line) => (goesBy.test(line) ? [line.trim()] : []));
  const found = sources.map(({ file, text }) => [file, lines(text)] as const).filter(([, list]) => list.length);
  expect(Object.fromEntries(found)).toEqual(goes);
});

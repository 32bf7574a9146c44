import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

// By these a page draws chance, keeps something, tells somebody something, or shows it outside of itself. Beside each stands where it may be
// used; whoever adds a place says here why nothing leaves by it that its reader alone may know, or that he has to remember himself.
const doors: Record<string, string[]> = {
  // Seals are drawn from what nobody can guess; the rest is where a proposal of a name begins, what a command is called, and how long one waits.
  getRandomValues: ['fair/number.ts'],
  'Math.random': ['lobby/Welcome.svelte', 'wire/line.ts'],
  randomUUID: [],
  // The numbers of running deals, and what was chosen in the settings.
  localStorage: ['fair/number.ts', 'messages/language.svelte.ts', 'settings.svelte.ts'],
  sessionStorage: ['house.svelte.ts'],
  // The log of games that are played on this device alone, by the house in the page; it tells each hand what a server would.
  indexedDB: ['pocket/worker.ts'],
  // The files of the page.
  'caches.': ['pocket/sw.ts'],
  'document.cookie': [],
  // The house, and nobody else.
  'fetch(': ['fair/Verify.svelte', 'fair/engine.ts', 'pocket/sw.ts', 'pocket/worker.ts', 'wire/http.ts'],
  'new WebSocket': ['house.svelte.ts'],
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

test.each(Object.entries(doors))('%s is used where it is listed, and nowhere else', (word, listed) => {
  const users = sources.filter(({ text }) => text.includes(word)).map(({ file }) => file);
  expect(users.sort()).toEqual(listed);
});

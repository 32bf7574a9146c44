// The service worker: it keeps the files of the page, so that it opens without a network, and nothing that a house has said of anybody or of
// any table. All is asked of the network first. The files of one build are kept together, and go together when those of the next one are
// there and no page is open that came with them.

import { words, type Called } from './notice';

interface Waits extends Event {
  waitUntil(what: Promise<unknown>): void;
}
interface Asked extends Event {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface Told extends Waits {
  data: { json(): Called } | null;
}
interface Pressed extends Waits {
  notification: Notification;
}
interface Page {
  url: string;
  focus(): Promise<Page>;
}
declare const registration: ServiceWorkerRegistration;
declare const clients: {
  matchAll(which: { type: 'window'; includeUncontrolled: boolean }): Promise<Page[]>;
  openWindow(path: string): Promise<Page | null>;
};
/** Written in by the build: its name, what every page needs, and what is needed to play without a network. */
declare const FILES_OF_THIS_BUILD: { name: string; shell: string[]; rest: string[] };

const { name, shell, rest } = FILES_OF_THIS_BUILD;
/** The page as it comes where it may run the engine itself, and where it may not. */
const pages = ['/', '/verify'];
/** That somebody has asked for all of it. */
const all = 'caveau-all';

const on = <E extends Event>(event: string, act: (e: E) => void) => self.addEventListener(event, act as EventListener);

async function fill(files: string[]) {
  const cache = await caches.open(name);
  const same = async (file: string) => file.startsWith('/assets/') && (await cache.match(file)); // by its name
  const missing = await Promise.all(files.map(async (file) => ((await same(file)) ? [] : [file])));
  await cache.addAll(missing.flat());
}

const there = async (files: string[]) =>
  (await Promise.all(files.map((file) => caches.match(file, { ignoreVary: true })))).every(Boolean);

on<Waits>('install', (e) =>
  e.waitUntil(caches.has(all).then((wanted) => fill([...pages, ...shell, ...(wanted ? rest : [])]))),
);

on<Waits>('activate', (e) =>
  e.waitUntil(
    caches
      .keys()
      .then((kept) => Promise.all(kept.filter((one) => one !== name && one !== all).map((one) => caches.delete(one)))),
  ),
);

on<Waits & MessageEvent>('message', (e) => {
  if (e.data !== 'keep all') return;
  const filled = caches.open(all).then(() => fill(rest));
  const answer = (kept: boolean) => e.ports[0]?.postMessage(kept);
  e.waitUntil(
    filled.then(
      () => answer(true),
      async () => answer(await there(rest)), // without a network nothing is asked for again
    ),
  );
});

/** A house that has become newer has not the files of this build any more: a page that is open fetches what it lacks of them from here. */
async function fetched(asked: Request, file: string): Promise<Response> {
  const answer = await fetch(asked);
  if (answer.status !== 404 || !file.startsWith('/assets/')) return answer;
  return (await caches.match(file, { ignoreVary: true })) ?? answer;
}

on<Asked>('fetch', (e) => {
  const { pathname, origin } = new URL(e.request.url);
  if (e.request.method !== 'GET' || origin !== location.origin) return;
  const page = e.request.mode === 'navigate' && !pathname.startsWith('/api/');
  const file = page ? pages[/^\/(verify|replay)/.test(pathname) ? 1 : 0]! : pathname;
  if (page || shell.includes(file) || rest.includes(file))
    e.respondWith(fetched(e.request, file).catch(() => ours(file)));
});

// Its reader is waited for, and the page is closed: the house says at which table, and nothing of the game.
on<Told>('push', (e) => {
  const said = e.data?.json();
  if (!said) return;
  const { title, body } = words(said);
  const how = {
    body,
    lang: said.language,
    tag: said.table,
    renotify: true,
    icon: '/icon.png',
    data: `/t/${encodeURIComponent(said.table)}`,
  };
  e.waitUntil(registration.showNotification(title, how));
});

on<Pressed>('notificationclick', (e) => {
  e.notification.close();
  e.waitUntil(lead(String(e.notification.data)));
});

/** Leads to a page that is open there already, or to a new one. */
async function lead(path: string) {
  const open = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const there = open.find(({ url }) => new URL(url).pathname === path);
  return there ? there.focus() : clients.openWindow(path);
}

async function ours(file: string): Promise<Response> {
  return (await caches.match(file, { ignoreVary: true })) ?? Response.error();
}

export {}; // it has names of its own

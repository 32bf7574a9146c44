import { afterAll, beforeAll, expect, test, vi } from 'vitest';

// What the worker answers when a page asks for a file. What it keeps, and that the page opens without a network, is tried in a browser
// (e2e/offline.test.ts).

const words = '/assets/fr-1.js';
const picture = '/icon.png';
const kept = new Map([words, picture].map((file) => [file, `kept ${file}`]));
const stored: string[] = [];
let answer: (e: { request: Request; respondWith(answer: Promise<Response>): void }) => void;
let pressed: (e: { notification: { data: string; close(): void }; waitUntil(led: Promise<unknown>): void }) => void;

beforeAll(async () => {
  vi.stubGlobal('FILES_OF_THIS_BUILD', { name: 'caveau-1', shell: [picture], rest: [words, '/assets/other-1.js'] });
  vi.stubGlobal('caches', {
    match: async (file: string) => (kept.has(file) ? new Response(kept.get(file)) : undefined),
    open: async () => ({ put: async (file: string) => void stored.push(file) }),
  });
  vi.spyOn(self, 'addEventListener').mockImplementation((event: string, act: unknown) => {
    if (event === 'fetch') answer = act as typeof answer;
    if (event === 'notificationclick') pressed = act as typeof pressed;
  });
  await import('./sw');
});
afterAll(() => vi.unstubAllGlobals());

/** What a page gets that asks for a file, where the house answers so, or cannot be reached. */
async function asked(file: string, house: Response | null, mode = 'cors') {
  vi.stubGlobal('fetch', async () => house ?? Promise.reject(new TypeError('no network')));
  const response = await new Promise<Response>((respondWith) =>
    answer({
      request: { url: location.origin + file, method: 'GET', mode } as Request,
      respondWith: (answer) => respondWith(answer),
    }),
  );
  return `${response.status} ${await response.text()}`;
}

const gone = () => new Response('not found', { status: 404 });

test('the house is asked first', async () => {
  expect(await asked(words, new Response('new'))).toBe('200 new');
});

test('a page that is open while the house becomes newer gets what it lacks of its own build from what is kept', async () => {
  expect(await asked(words, gone())).toBe(`200 kept ${words}`);
});

test('what is kept nowhere is answered as the house does, and so is what has no build in its name', async () => {
  expect(await asked('/assets/other-1.js', gone())).toBe('404 not found');
  expect(await asked(picture, gone())).toBe('404 not found');
});

test('without a network all comes from what is kept', async () => {
  expect(await asked(picture, null)).toBe(`200 kept ${picture}`);
});

test('of what the house answers nothing is kept: in the page of a table stands its link', async () => {
  expect(await asked('/t/k3x', new Response('a page'), 'navigate')).toBe('200 a page');
  expect(await asked(words, new Response('new'))).toBe('200 new');
  await new Promise((done) => setTimeout(done, 10));
  expect(stored).toEqual([]);
});

test('a notice leads to the page that it is of, one in this page too', async () => {
  const opened: string[] = [];
  vi.stubGlobal('clients', {
    matchAll: async () => [{ url: `${location.origin}/here/k3x`, focus: () => opened.push('there') }],
    openWindow: (path: string) => opened.push(path),
  });
  for (const data of ['/here/k3x', '/t/k4x'])
    await new Promise((done) => {
      pressed({ notification: { data, close() {} }, waitUntil: (led) => void led.then(done) });
    });
  expect(opened).toEqual(['there', '/t/k4x']);
});

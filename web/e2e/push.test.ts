import type { BrowserContext, Page, Worker } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { at, desktop, enter, everySize, look, phone, someone, table, unfold, with_ } from './support';

/** On a busy machine a browser takes its time. */
const soon = (so: () => unknown) => vi.waitFor(so, { timeout: 20_000 });

// Whoever is waited for and does not look is called: what the page asks for and the house keeps, and what comes when its page is closed. No
// service passes anything on here: the browser's word that it may be told is put into its mouth, and the push event comes over its
// debugging line. The sending half is in the packages push and crier.

/** A browser gives this where its service is asked for. */
const given = (key: string, endpoint: string) => {
  const bytes = (text: string) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
  let now: PushSubscription | null = null;
  PushManager.prototype.getSubscription = async () => now;
  PushManager.prototype.subscribe = async (how) => {
    const keys = { p256dh: key, auth: 'BTBZMqHH6r4Tts7J_aSIgg' };
    const gone = async () => ((now = null), true);
    const options = { applicationServerKey: (how!.applicationServerKey as Uint8Array).buffer, userVisibleOnly: true };
    return (now = {
      ...{ endpoint, options, unsubscribe: gone, expirationTime: null, getKey: () => bytes(key).buffer },
      toJSON: () => ({ endpoint, expirationTime: null, keys }),
    } as unknown as PushSubscription);
  };
};
const key = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4';
const endpoint = 'https://push.example.org/wake/ana';

/** Ana, whose browser may show notices. */
async function ana(language: 'en' | 'fr' | 'ru' = 'en') {
  const person = await someone(with_, { language, motion: false, keeps: true });
  await person.context.grantPermissions(['notifications'], { origin: at.url });
  await person.page.addInitScript(`(${given.toString()})(${JSON.stringify(key)}, ${JSON.stringify(endpoint)})`);
  await enter(person.page, at.url, 'Ana');
  return person;
}

/** Where the house knows that she is called. */
const known = (page: Page) =>
  page.evaluate(async () => {
    const all = (await (await fetch('/api/notices')).json()) as { endpoint: string; language: string }[];
    return all.map(({ endpoint, language }) => `${endpoint} ${language}`);
  });

/** What the browser has kept of what the house has told, beside the files of the page, which are the same for everybody. */
const kept = (page: Page) =>
  page.evaluate(async () => {
    const files = await (await fetch('/sw.js')).text();
    const all = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
    const paths = all.flat().map(({ url }) => new URL(url).pathname);
    if (!paths.includes('/')) return ['not even the page'];
    return paths.filter((path) => !['/', '/verify'].includes(path) && !files.includes(`"${path}"`));
  });

async function running(page: Page): Promise<string> {
  const id = await table(page, { seats: 2, bots: ['random'], first: 'A' });
  await page.goto(`${at.url}/t/${id}`);
  await page.locator('.start button').click();
  await page.locator('.asked .grave.lit').first().waitFor();
  return id;
}

const asking = {
  en: ['Call me when it is my turn, even when this page is closed', 'You are called, even when this page is closed.'],
  fr: ['M’appeler quand c’est à moi, même si cette page est fermée', 'On t’appelle, même si cette page est fermée.'],
  ru: ['Позвать меня, когда мой ход, даже если эта страница закрыта', 'Вас позовут, даже если эта страница закрыта.'],
} as const;

test.each(['en', 'fr', 'ru'] as const)(
  'in %s she says that she wants to be called, and is until she does not',
  async (tongue) => {
    const { page, errors } = await ana(tongue);
    const [call, is] = asking[tongue];
    await running(page);
    await page.getByText('☰').click();
    await page.getByRole('checkbox', { name: call }).focus();
    await page.keyboard.press('Space');
    await page.getByText(is).waitFor();
    expect(await known(page)).toEqual([`${endpoint} ${tongue}`]);
    for (const [tag, size] of Object.entries({ phone, wide: { width: 1440, height: 900 } })) {
      await page.setViewportSize(size);
      await look(page, `push-${tongue}-${tag}`);
    }
    await page.reload(); // and the house has forgotten it
    await page.evaluate(
      (endpoint) => fetch('/api/notices', { method: 'DELETE', body: JSON.stringify({ endpoint }) }),
      endpoint,
    );
    await page.evaluate(() =>
      navigator.serviceWorker.ready.then((r) => r.pushManager.subscribe({ applicationServerKey: new Uint8Array(1) })),
    );
    await page.goto(`${at.url}/privacy`);
    await soon(async () => expect(await known(page)).toEqual([`${endpoint} ${tongue}`]));
    await page.reload();
    await page.getByText('push.example.org', { exact: false }).waitFor();
    await everySize(page, `push-privacy-${tongue}`, [desktop]);
    await page.goto(at.url);
    await page.getByRole('button', { name: { en: 'Settings', fr: 'Réglages', ru: 'Настройки' }[tongue] }).click();
    await look(page, `push-settings-${tongue}`);
    await page.getByRole('checkbox', { name: call }).uncheck();
    await soon(async () => expect(await known(page)).toEqual([]));
    expect(await kept(page)).toEqual([]);
    expect(errors).toEqual([]);
  },
  120_000,
);

/**
 * The line by which the browser is told what its push service passes on. Whoever tells waits until the worker has shown it: a browser that is asked
 * for its notices while one is coming takes that one for gone.
 */
async function service(context: BrowserContext, page: Page) {
  const line = await context.newCDPSession(page);
  let registrationId = '';
  line.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    registrationId = registrations.find(({ isDeleted }) => !isDeleted)?.registrationId ?? registrationId;
  });
  await line.send('ServiceWorker.enable');
  await soon(() => expect(registrationId).not.toBe(''));
  const worker = context.serviceWorkers()[0]!;
  await worker.evaluate(() => {
    const scope = self as unknown as { registration: ServiceWorkerRegistration; shown: number };
    const show = scope.registration.showNotification.bind(scope.registration);
    scope.shown = 0;
    scope.registration.showNotification = (...what) => show(...what).then(() => void scope.shown++);
  });
  const count = () => worker.evaluate(() => (self as unknown as { shown: number }).shown);
  return async (said: object) => {
    const before = await count();
    await line.send('ServiceWorker.deliverPushMessage', { origin: at.url, registrationId, data: JSON.stringify(said) });
    await soon(async () => expect(await count()).toBe(before + 1));
  };
}

const shown = (page: Page) =>
  page.evaluate(async () => {
    const all = await (await navigator.serviceWorker.ready).getNotifications();
    return all.map(({ title, body, tag, lang }) => ({ title, body, tag, lang }));
  });

/** Presses the notice, as far as the worker sees it; only a finger may open a window, so it is asked for where to. */
const press = (worker: Worker) =>
  worker.evaluate(async () => {
    const scope = self as unknown as {
      registration: ServiceWorkerRegistration;
      clients: { openWindow: (path: string) => Promise<null>; matchAll: (how: object) => Promise<object[]> };
      dispatchEvent(e: Event): void;
    };
    const led: string[] = [];
    const pages = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true });
    for (const page of pages)
      Object.getPrototypeOf(page).focus = function (this: { url: string }) {
        led.push(`focus ${new URL(this.url).pathname}`);
        return Promise.resolve(this);
      };
    scope.clients.openWindow = (path) => (led.push(`open ${path}`), Promise.resolve(null));
    const [notification] = await scope.registration.getNotifications();
    const pressed = new (
      globalThis as unknown as { NotificationEvent: new (n: string, how: object) => Event }
    ).NotificationEvent('notificationclick', { notification });
    scope.dispatchEvent(pressed);
    for (let i = 0; i < 100 && !led.length; i++) await new Promise((done) => setTimeout(done, 20));
    return led;
  });

test('a push event shows a notice while the page is closed, and the notice leads to the table', async () => {
  const { page, context } = await ana();
  await page.evaluate(() => navigator.serviceWorker.ready);
  const tell = await service(context, page);
  const said = { table: 'k3x', game: 'dawn-under', title: 'Dawn Under', why: 'turn', until: '2026-11-24T17:00:00Z' };
  await tell({ ...said, language: 'fr' });
  await soon(async () => expect(await shown(page)).toHaveLength(1));
  const [notice] = await shown(page);
  expect(notice).toMatchObject({ title: 'C’est à toi', tag: 'k3x', lang: 'fr' });
  expect(notice!.body).toMatch(/^Dawn Under\. Tu as jusqu’à \S+ à \d\d:00\.$/);
  await tell({ ...said, why: 'late', language: 'en' }); // the newest of a table stands alone
  await soon(async () => expect((await shown(page)).map(({ title }) => title)).toEqual(['Your time is nearly over']));
  const worker = context.serviceWorkers()[0]!;
  expect(await press(worker)).toEqual(['open /t/k3x']);
  expect(await shown(page)).toEqual([]);
  const id = await running(page);
  await tell({ ...said, table: id, language: 'en' });
  await soon(async () => expect(await shown(page)).toHaveLength(1));
  expect(await press(worker)).toEqual([`focus /t/${id}`]);
}, 120_000);

const days = {
  en: ['New table', 'Time for a move', '3 days'],
  fr: ['Nouvelle table', 'Temps par coup', '3 jours'],
  ru: ['Новый стол', 'Время на ход', '3 дня'],
} as const;

test.each(['en', 'fr', 'ru'] as const)(
  'in %s a game is set up over days, and its clock says so',
  async (tongue) => {
    const { page, errors } = await someone(with_, { language: tongue, motion: false });
    await enter(page, at.url, 'Ana');
    const [make, time, three] = days[tongue];
    await page.getByRole('button', { name: make }).click();
    await unfold(page);
    await page.getByLabel(time).selectOption({ label: three });
    for (const [tag, size] of Object.entries({ phone, desktop })) {
      await page.setViewportSize(size);
      await page.getByLabel(time).evaluate((choice) => choice.scrollIntoView({ block: 'center' }));
      await look(page, `days-setup-${tongue}-${tag}`);
    }
    const id = await table(page, { seats: 2, bots: ['random'], first: 'A', moveTime: 3 * 86_400 });
    await page.goto(`${at.url}/t/${id}`);
    await page.getByText(three).first().waitFor();
    await page.locator('.start button').click();
    await page.getByRole('timer').first().waitFor();
    await everySize(page, `days-clock-${tongue}`, [desktop]);
    const clock = async () => (await page.getByRole('timer').first().innerText()).replace(/\s/g, ' ');
    const full = { en: '3d 0h', fr: '3j 0h', ru: '3 д. 0 ч' }[tongue]; // for as long as the first second
    await expect.poll(clock, { timeout: 10_000 }).not.toBe(full);
    expect(await clock()).toBe({ en: '2d 23h', fr: '2j 23h', ru: '2 д. 23 ч' }[tongue]);
    expect(errors).toEqual([]);
  },
  120_000,
);

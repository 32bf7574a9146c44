import AxeBuilder from '@axe-core/playwright';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished } from 'vitest';
import { house, type House } from './house';
import { screens } from './keep';
import { presses, type Played } from './records';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const phone = { width: 360, height: 640 };
export const tall = { width: 390, height: 844 };
export const desktop = { width: 1280, height: 800 };

/** The next answer at this path gets lost, with the cookie that comes with it. */
export const loses = ({ page, context }: Person, path: string) =>
  page.route(
    path,
    async (route) => {
      const before = await context.cookies();
      await route.fetch();
      await context.clearCookies();
      await context.addCookies(before);
      await route.abort();
    },
    { times: 1 },
  );

/** Every file of tests has a house and a browser of its own. */
export let at: House;
export let with_: Browser;
beforeAll(async () => {
  [at, with_] = await Promise.all([house(), browser()]);
});
afterAll(async () => {
  await with_?.close();
  await at?.close();
});

/** Whoever comes during a test leaves at its end: a page that is left open is drawn on and on, and slows the next one down. */
let during = false;
beforeEach(() => void (during = true));

const browser = (): Promise<Browser> =>
  chromium.launch({ executablePath: process.env['CHROMIUM'] || '/usr/bin/chromium', args: flags });

export interface Person {
  page: Page;
  context: BrowserContext;
  errors: string[];
}
export interface Taste {
  language?: 'en' | 'fr' | 'ru';
  look?: number;
  viewport?: { width: number; height: number };
  /** Whether pieces may fly. */
  motion?: boolean;
  /** Whether the page may be kept on the device: then its service worker stands between it and the house. */
  keeps?: boolean;
}

/** Somebody at a browser of his own, who has not given a name yet. */
export async function someone(
  at: Browser,
  { language = 'en', look = 150, viewport = desktop, motion = true, keeps = false }: Taste = {},
): Promise<Person> {
  const context = await at.newContext({
    viewport,
    locale: language,
    reducedMotion: motion ? null : 'reduce',
    serviceWorkers: keeps ? 'allow' : 'block',
  });
  if (during) onTestFinished(() => context.close());
  await context.addInitScript((ms) => localStorage.setItem('caveau.look', String(ms)), look);
  const errors: string[] = [];
  const page = await tab(context, errors);
  return { context, page, errors };
}

/** One more tab of the same browser; everything that goes wrong in it is written down. */
export async function tab(context: BrowserContext, errors: string[]): Promise<Page> {
  const page = await context.newPage();
  page.on('console', (said) => said.type() === 'error' && errors.push(said.text()));
  page.on('pageerror', (error) => errors.push(String(error)));
  return page;
}

export async function enter(page: Page, url: string, name: string) {
  await page.goto(url);
  await page.locator('form input').fill(name);
  await page.locator('form button.save').click();
  await page.locator('form').waitFor({ state: 'detached' });
}

/** Unfolds what the set-up page has folded away. */
export const unfold = (page: Page) => page.locator('form summary').click();

export interface Plan {
  seats: number;
  bots: string[];
  aid?: string;
  [more: string]: unknown;
}

/** Makes a table over HTTP, for tests that are not about the set-up page. */
export async function table(page: Page, plan: Plan): Promise<string> {
  const made = await page.evaluate(
    async (body) => {
      const answer = await fetch('/api/tables', { method: 'POST', body: JSON.stringify(body) });
      return (await answer.json()) as { table: string };
    },
    { game: 'dawn-under', edition: '2004', sit: true, botTime: [20, 60], ...plan },
  );
  expect(made.table).toBeTruthy();
  return made.table;
}

/**
 * These people sit down, from seat A on, where the game had come to after so many moves, and begin. Nobody moves but they: the
 * bots on the other seats take a minute for what they are asked.
 */
export async function sitDown(people: Person[], played: Played, ply: number, plan = {}): Promise<string> {
  const seats = played.players.length;
  const bots = Array<string>(seats - people.length).fill('random');
  const as = { game: undefined, edition: undefined, record: played, ply, botTime: [60_000, 60_000] };
  const link = `${at.url}/t/${await table(people[0]!.page, { seats, bots, ...as, ...plan })}`;
  for (const [i, { page }] of people.entries()) {
    await page.goto(link);
    if (i) await page.locator('li.free button').first().click();
  }
  await people[0]!.page.locator('.start button').click();
  return link;
}

/** Each makes his own of these moves by pressing the buttons that say it. */
export async function play(people: Person[], moves: string[]) {
  for (const move of moves) {
    const { page } = people['ABCDEF'.indexOf(move[0]!)]!;
    for (const button of presses(move.slice(2))) await page.locator(button).first().click();
  }
}

/** The record that the page offers when all is over. */
export const written = (page: Page) =>
  page.evaluate(async () => (await fetch(document.querySelector<HTMLAnchorElement>('a[download]')!.href)).json());

export const over = 'section.end';

export async function look(page: Page, name: string) {
  const wide = await page.evaluate(() => {
    // What can be pressed is cut off by a page that does not scroll sideways as well.
    const what = document.documentElement.scrollWidth > innerWidth ? '*' : ':is(a, button, input, select, summary)';
    const off = [...document.querySelectorAll(`body ${what}`)].filter(
      (e) => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 0.5,
    );
    // And a panel that scrolls, which it should do downwards alone.
    const within = [...document.querySelectorAll('body *')].filter(
      (e) =>
        e.scrollWidth > e.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(e).overflowX) && e.checkVisibility(),
    );
    return [...off, ...within].map((e) => e.outerHTML.slice(0, 120));
  });
  mkdirSync(screens, { recursive: true });
  await page.screenshot({ path: join(screens, `${name}.png`), animations: 'disabled' });
  expect(wide, `${name} is wider than the screen`).toEqual([]);
}

export async function accessible(page: Page, name: string) {
  // There are no frames in the page, and what is well need not be described: so it takes a second instead of six.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .analyze();
  expect(
    violations.map(
      (v) =>
        `${name}: ${v.id} ${v.nodes
          .map((n) => n.target.join(' '))
          .slice(0, 3)
          .join(', ')}`,
    ),
  ).toEqual([]);
}

/** Looks at the page in every size; in some of them it is asked, too, whether anybody can use it. */
export async function everySize(page: Page, name: string, used = [desktop]) {
  for (const [tag, size] of Object.entries({ phone, tall, desktop })) {
    await page.setViewportSize(size);
    await look(page, `${name}-${tag}`);
    if (used.includes(size)) await accessible(page, `${name}-${tag}`);
  }
}

/** Presses Tab until something of this kind has the focus, as somebody without a mouse does. */
export async function tabTo(page: Page, kind: string, key = 'Tab') {
  for (let i = 0; i < 80; i++) {
    if (await page.evaluate((css) => document.activeElement?.matches(css) ?? false, kind)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`no way to ${kind} by the Tab key`);
}

import AxeBuilder from '@axe-core/playwright';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { chance, house, type House } from './house';

const screens = resolve(import.meta.dirname, '../test-results/screens');
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
export const desktop = { width: 1280, height: 800 };

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
}

/** Somebody at a browser of his own, who has not given a name yet. */
export async function someone(
  at: Browser,
  { language = 'en', look = 150, viewport = desktop }: Taste = {},
): Promise<Person> {
  const context = await at.newContext({ viewport, locale: language });
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
  await page.locator('form button.main').click();
  await page.locator('form').waitFor({ state: 'detached' });
}

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

const offers =
  '.grave.lit, button.end, button.receives, .choice button, .hand button:not([aria-pressed="true"]), .prompt button.main';
export const over = 'section.end';

/** Waits until the page's player is asked, or all is over; tells which. */
export async function asked(page: Page): Promise<boolean> {
  await page.locator(`${offers}, ${over}`).first().waitFor();
  return (await page.locator(over).count()) === 0;
}

/** Makes one move, any; a real press of a real button. */
export async function move(page: Page) {
  const all = page.locator(offers);
  const n = await all.count();
  if (!n) return;
  // The button may be gone by the time it is reached for: somebody else has won, or the time is up.
  await all
    .nth(chance(n))
    .click({ timeout: 2000 })
    .catch(() => undefined);
}

export async function playToTheEnd(page: Page, each: () => Promise<void> = async () => {}) {
  while (await asked(page)) {
    await each();
    await move(page);
  }
}

export async function look(page: Page, name: string) {
  const wide = await page.evaluate(() => {
    if (document.documentElement.scrollWidth <= innerWidth) return [];
    return [...document.querySelectorAll('body *')]
      .filter((e) => e.getBoundingClientRect().right > innerWidth)
      .map((e) => e.outerHTML.slice(0, 120));
  });
  mkdirSync(screens, { recursive: true });
  await page.screenshot({ path: join(screens, `${name}.png`), animations: 'disabled' });
  expect(wide, `${name} is wider than the screen`).toEqual([]);
}

export async function accessible(page: Page, name: string) {
  const { violations } = await new AxeBuilder({ page }).analyze();
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

/** Presses Tab until something of this kind has the focus, as somebody without a mouse does. */
export async function tabTo(page: Page, kind: string, key = 'Tab') {
  for (let i = 0; i < 80; i++) {
    if (await page.evaluate((css) => document.activeElement?.matches(css) ?? false, kind)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`no way to ${kind} by the Tab key`);
}

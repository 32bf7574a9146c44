import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { house, type House } from './house';
import { archived, presses } from './records';

// The other browser. Playwright drives a Firefox of its own making alone; the one that people have speaks WebDriver BiDi, and
// Puppeteer does.

let at: House;
let firefox: Browser;
beforeAll(async () => {
  at = await house();
  const executablePath = process.env['FIREFOX'] || '/usr/bin/firefox-esr';
  firefox = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    defaultViewport: { width: 1280, height: 800 },
  });
}, 120_000);
afterAll(async () => {
  await firefox?.close();
  await at?.close();
});

/** A page of somebody's own, who has given his name; what goes wrong in it is written down. */
async function guest(name: string, errors: string[]): Promise<Page> {
  const page = await (await firefox.createBrowserContext()).newPage();
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (said) => said.type() === 'error' && errors.push(said.text()));
  // What is there runs no script: a page that is left again would lose its line to the house.
  await page.goto(`${at.url}/readyz`);
  await page.evaluate(async (name) => {
    localStorage.setItem('caveau.look', '60');
    await fetch('/api/guest', { method: 'POST', body: JSON.stringify({ name }) });
  }, name);
  return page;
}

/** Everybody's page is a tab of one window, and a tab that is not in front is not drawn. */
async function press(page: Page, css: string) {
  await page.bringToFront();
  await (await page.waitForSelector(css, { visible: true }))!.click();
}

test.each([
  ['2017-2b', 0, 'the whole of a short game of Dawn Under'],
  ['toc-toc-toc-3', 86, 'the end of a party, where guests are chosen'],
])('%s from move %i in Firefox: %s', async (name, ply) => {
  const record = archived(name);
  const errors: string[] = [];
  const people: Page[] = [];
  for (const player of record.players) people.push(await guest(player, errors));
  const table = await people[0]!.evaluate(
    async (plan) => {
      const made = await fetch('/api/tables', { method: 'POST', body: JSON.stringify(plan) });
      return ((await made.json()) as { table: string }).table;
    },
    { record, ply, sit: true },
  );
  for (const [i, page] of people.entries()) {
    await page.bringToFront();
    await page.goto(`${at.url}/t/${table}`);
    if (i) await press(page, 'li.free button');
  }
  await press(people[0]!, '.start button:not([disabled])');
  for (const move of record.moves.slice(ply)) {
    for (const button of presses(move.slice(2))) await press(people['ABCDEF'.indexOf(move[0]!)]!, button);
  }
  // Whoever was not looking sees first what he has missed.
  for (const page of people) {
    await page.bringToFront();
    await page.waitForSelector('section.end', { timeout: 120_000 });
  }
  const written = await people[0]!.evaluate(async () =>
    (await fetch(document.querySelector<HTMLAnchorElement>('a[download]')!.href)).json(),
  );
  expect(written.moves).toEqual(record.moves);
  expect(errors).toEqual([]);
});

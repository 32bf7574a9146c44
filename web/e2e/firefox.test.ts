import puppeteer, { type Browser } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chance, house, type House } from './house';

// The other browser. Playwright drives a Firefox of its own making alone; the one that people have speaks WebDriver BiDi, and
// Puppeteer does.

let at: House;
let firefox: Browser;
beforeAll(async () => {
  at = await house();
  const executablePath = process.env['FIREFOX'] || '/usr/bin/firefox-esr';
  firefox = await puppeteer.launch({ browser: 'firefox', executablePath, headless: true });
}, 120_000);
afterAll(async () => {
  await firefox?.close();
  await at?.close();
});

const offers =
  '.grave.lit, button.end, button.receives, .choice button, .hand button:not([aria-pressed="true"]), .prompt button.main';
const over = 'section.end';

test('a whole game of Dawn Under in Firefox', async () => {
  const page = await firefox.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (said) => said.type() === 'error' && errors.push(said.text()));
  await page.goto(at.url);
  const table = await page.evaluate(async () => {
    const post = (path: string, body: object) => fetch(path, { method: 'POST', body: JSON.stringify(body) });
    localStorage.setItem('caveau.look', '60');
    await post('/api/guest', { name: 'Ana' });
    const plan = { game: 'dawn-under', edition: '2017', options: { maxVampires: 2 }, seats: 3 };
    const made = await post('/api/tables', {
      ...plan,
      bots: ['random', 'random'],
      sit: true,
      first: 'A',
      botTime: [0, 5],
    });
    return ((await made.json()) as { table: string }).table;
  });
  await page.goto(`${at.url}/t/${table}`);
  await (await page.waitForSelector('.start button'))!.click();
  for (;;) {
    await page.waitForSelector(`${offers}, ${over}`, { timeout: 60_000 });
    if (await page.$(over)) break;
    const all = await page.$$(offers);
    // The button may be gone by the time it is reached for.
    await all[chance(all.length)]?.click().catch(() => undefined);
  }
  expect(await page.$('a[download]')).toBeTruthy();
  expect(errors).toEqual([]);
});

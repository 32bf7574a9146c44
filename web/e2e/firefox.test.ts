import puppeteer, { type Browser } from 'puppeteer-core';
import { afterAll, beforeAll } from 'vitest';
import { gamesIn } from './elsewhere';

// Playwright drives a Firefox of its own making alone; the one that people have speaks WebDriver BiDi, and Puppeteer does.

let firefox: Browser;
beforeAll(async () => {
  const executablePath = process.env['FIREFOX'] || '/usr/bin/firefox-esr';
  firefox = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    defaultViewport: { width: 1280, height: 800 },
  });
}, 120_000);
afterAll(async () => firefox?.close());

gamesIn('Firefox', async (errors) => {
  const page = await (await firefox.createBrowserContext()).newPage();
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (said) => said.type() === 'error' && errors.push(said.text()));
  // Everybody's page is a tab of one window, and a tab that is not in front is not drawn.
  const visible = async (css: string, timeout: number) => {
    await page.bringToFront();
    return (await page.waitForSelector(css, { visible: true, timeout }))!;
  };
  return {
    go: async (url) => {
      await page.bringToFront();
      await page.goto(url);
    },
    press: async (css) => (await visible(css, 30_000)).click(),
    there: async (css) => void (await visible(css, 120_000)),
    ask: (f, about) => page.evaluate(f as never, about),
  };
});

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { asked, decision, games } from './asked';

// How soon a table is there on a slow line and a slow processor, and how soon a click is answered: figures for `make bench`, which are
// the machine's as much as ours.

/** As on a slow 4G (1.6 Mbit/s, 150 ms there and back), with a processor that is four times as slow. */
async function slow(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.clearBrowserCache');
  const line = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 0.75e6 / 8 };
  await session.send('Network.emulateNetworkConditions', line);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
}

/** Comes back once what is on the page now has been painted, and is when anything was first, in milliseconds since one went there. */
const painted = (page: Page) =>
  page.evaluate(async () => {
    const next = () => new Promise((frame) => requestAnimationFrame(() => setTimeout(frame)));
    const first = () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
    do await next();
    while (!first());
    return first()!;
  });

/** What the browser calls an answer: the paint that follows a click. */
async function answered(page: Page, button: string): Promise<number> {
  await page.evaluate(() => {
    const clicks = ((window as unknown as { clicks: number[] }).clicks = [] as number[]);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (entry.name === 'click') clicks.push(entry.duration);
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  });
  await page.locator(button).first().click({ force: true, delay: 80 }); // as long as a finger rests
  await page.waitForFunction(() => (window as unknown as { clicks: number[] }).clicks.length > 0);
  return page.evaluate(() => (window as unknown as { clicks: number[] }).clicks[0]!);
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;

test.each(games)('$game $edition', async ({ game, edition, ...plan }) => {
  const { page, link } = await asked({ game, edition, ...plan });
  await slow(page);
  const began = Date.now();
  await page.goto(link, { waitUntil: 'commit' });
  await page.locator(decision).first().waitFor();
  const first = await painted(page);
  const playable = Date.now() - began;
  await page.waitForTimeout(1000); // nobody knows sooner what he wants to click
  const soon = `${game} ${edition ?? ''}: first paint after ${seconds(first)}, playable after ${seconds(playable)}`;
  const button = '.asked .grave.lit, .fan.lit button';
  if (!(await page.locator(button).count())) return console.info(`${soon}, asked for something else`);
  const click = await answered(page, button);
  expect(click).toBeGreaterThan(0);
  console.info(`${soon}, a click answered in ${click} ms`);
});

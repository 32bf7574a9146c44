import type { Response } from 'playwright-core';
import { expect, test } from 'vitest';
import { asked, decision, games } from './asked';

// A table is light, whatever is played: so much script, and so many requests. How soon it is there is measured by `make bench`.

test.each(games)('a table of $game $edition takes at most 150 kB of script, in a dozen requests', async (plan) => {
  const { page, link } = await asked(plan);
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.clearBrowserCache');
  const sent: Response[] = [];
  page.on('response', (answer) => sent.push(answer));
  await page.goto(link);
  await page.locator(decision).first().waitFor();
  const path = (answer: Response) => new URL(answer.url()).pathname;
  const scripts = sent.filter((answer) => answer.request().resourceType() === 'script');
  // Asked now and of these alone: the page does not close before they are answered.
  const bytes = await Promise.all(scripts.map(async (one) => (await one.request().sizes()).responseBodySize));
  // What is small enough comes as it is.
  const plain = scripts.filter((one, i) => one.headers()['content-encoding'] !== 'br' && bytes[i]! > 1000);
  expect(plain.map(path)).toEqual([]);
  expect(Math.min(...bytes)).toBeGreaterThan(0);
  expect(bytes.reduce((a, b) => a + b)).toBeLessThan(150_000);
  expect(sent.length, sent.map(path).join(' ')).toBeLessThan(13);
});

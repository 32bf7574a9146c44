import type { Response } from 'playwright-core';
import { expect, test } from 'vitest';
import { asked, decision, games } from './asked';
import { at, phone, someone, with_ } from './support';

// A table is light, whatever is played: so much script, and so many requests. How soon it is there is measured by `make bench`.

test.each(games)('a table of $game $edition takes at most 150 kB of script, in a dozen requests', async (plan) => {
  const { page, link } = await asked(plan);
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.clearBrowserCache');
  const sent: Response[] = [];
  page.on('response', (answer) => sent.push(answer));
  let lines = 0;
  page.on('websocket', () => lines++);
  await page.goto(link);
  await page.locator(decision).first().waitFor();
  expect(lines).toBe(1);
  const path = (answer: Response) => new URL(answer.url()).pathname;
  const scripts = sent.filter((answer) => answer.request().resourceType() === 'script');
  // Asked now and of these alone: the page does not close before they are answered.
  const bytes = await Promise.all(scripts.map(async (one) => (await one.request().sizes()).responseBodySize));
  // What is small enough comes as it is.
  const plain = scripts.filter((one, i) => one.headers()['content-encoding'] !== 'br' && bytes[i]! > 1000);
  expect(plain.map(path)).toEqual([]);
  expect(Math.min(...bytes)).toBeGreaterThan(0);
  expect(bytes.reduce((a, b) => a + b)).toBeLessThan(150_000);
  expect(sent.map(path).filter((one) => one === '/api/hello')).toHaveLength(1);
  expect(sent.length, sent.map(path).join(' ')).toBeLessThan(13);
});

test('only the language that is read comes; where another one does not, one reads on, and reads that when the page is loaded again', async () => {
  const { page } = await someone(with_, { viewport: phone });
  const fetched: string[] = [];
  page.on('request', (asked) =>
    fetched.push(
      ...(asked
        .url()
        .match(/\/(en|fr|ru)-[^/]*\.js$/)
        ?.slice(1) ?? []),
    ),
  );
  const press = (name: string) => page.getByRole('button', { name }).first().click();
  const read = (title: string) => page.getByRole('heading', { name: title }).first().waitFor();
  await page.goto(`${at.url}/privacy`);
  await read('What this house knows of you');
  expect([...new Set(fetched)]).toEqual(['en']);
  await press('Français');
  await read('Ce que cette maison sait de toi');
  expect([...new Set(fetched)]).toEqual(['en', 'fr']);

  await page.route('**/ru-*.js', (route) => route.abort());
  await press('Русский');
  await expect.poll(() => fetched).toContain('ru');
  await read('Ce que cette maison sait de toi');
  await page.unroute('**/ru-*.js');
  await page.reload();
  await read('Что этот дом о вас знает');
});

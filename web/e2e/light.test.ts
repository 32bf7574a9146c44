import { expect, test } from 'vitest';
import { asked, decision, games } from './asked';

// A table is light, whatever is played: so much script, and so many requests. How soon it is there is measured by `make bench`.

test.each(games)('a table of $game $edition takes at most 150 kB of script, in a dozen requests', async (plan) => {
  const { page, link } = await asked(plan);
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.clearBrowserCache');
  const sent: { path: string; script: boolean; coding: string; bytes: Promise<number> }[] = [];
  page.on('response', (answer) =>
    sent.push({
      path: new URL(answer.url()).pathname,
      script: answer.request().resourceType() === 'script',
      coding: answer.headers()['content-encoding'] ?? '',
      bytes: answer
        .request()
        .sizes()
        .then(({ responseBodySize }) => responseBodySize),
    }),
  );
  await page.goto(link);
  await page.locator(decision).first().waitFor();
  const scripts = sent.filter(({ script }) => script);
  const bytes = await Promise.all(scripts.map((one) => one.bytes));
  // What is small enough comes as it is.
  const plain = scripts.filter(({ coding }, i) => coding !== 'br' && bytes[i]! > 1000);
  expect(plain.map(({ path }) => path)).toEqual([]);
  expect(Math.min(...bytes)).toBeGreaterThan(0);
  expect(bytes.reduce((a, b) => a + b)).toBeLessThan(150_000);
  expect(sent.length, sent.map(({ path }) => path).join(' ')).toBeLessThan(13);
});

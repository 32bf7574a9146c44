import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { asked, games } from './asked';
import { with_ } from './support';

// What a click on a board costs the browser, in counts: how many layers there are to be handed to the screen, and of how many elements the
// style is made anew. What that takes in milliseconds is the machine's as much as ours (`make bench`).

/** The layers of the page, as it stands, and one more: they are told when there is another. */
async function layers(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  const told = new Promise<number>((done) =>
    session.on('LayerTree.layerTreeDidChange', ({ layers }) => layers && done(layers.length)),
  );
  await session.send('LayerTree.enable');
  await page.evaluate(() => {
    const one = document.body.appendChild(document.createElement('p'));
    one.textContent = '.';
    one.style.willChange = 'transform';
  });
  return told;
}

interface Event {
  name: string;
  ts: number;
  args: { elementCount?: number; data?: { type?: string } };
}

/** Of how many elements the style is made anew by what the page itself does at a click. */
async function restyled(page: Page, button: string): Promise<number> {
  const browser = await with_.newBrowserCDPSession();
  const events: Event[] = [];
  browser.on('Tracing.dataCollected', ({ value }) => void events.push(...(value as unknown as Event[])));
  await browser.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['devtools.timeline'] },
  });
  await page.locator(button).first().click({ force: true });
  await page.waitForTimeout(500);
  const all = new Promise((done) => browser.once('Tracing.tracingComplete', done));
  await browser.send('Tracing.end');
  await all;
  const click = events.find(({ name, args }) => name === 'EventDispatch' && args.data?.type === 'click')!;
  const styles = events.filter(({ name, ts }) => name === 'UpdateLayoutTree' && ts > click.ts);
  return styles.sort((a, b) => a.ts - b.ts)[0]!.args.elementCount!;
}

test('sixty lids are few layers, and at a click most of what is on them keeps its style', async () => {
  const { page } = await asked(games[0]!);
  await page.waitForFunction(() => document.getAnimations().length === 0); // what still moves has layers of its own
  expect(await layers(page)).toBeLessThan(40); // 86, where the side of a lid that lies still may be turned away; 250, where every lid has two
  expect(await restyled(page, '.asked .grave.lit')).toBeLessThan(30); // 245, where each lid grows dark by itself; 1,150, where it hands that down
});

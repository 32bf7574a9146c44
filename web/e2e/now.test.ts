import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { at, desktop, enter, everySize, look, phone, someone, with_ } from './support';

// From the first page to one's own first move.

const games = [
  { game: 'Dawn Under', button: 'Play now', decision: '.asked .grave.lit' },
  { game: 'Toc Toc Toc', button: 'Or play Toc Toc Toc now', decision: '.prompt.mine' },
];

/** How many milliseconds go by from the click until there is something to decide. */
async function decides(page: Page, button: string, decision: string): Promise<number> {
  const before = Date.now();
  await page.getByRole('button', { name: button }).click();
  await page.locator(decision).first().waitFor();
  return Date.now() - before;
}

test.each(games)('a stranger decides in $game after one click, and is told what he is called', async (one) => {
  const ana = await someone(with_, { viewport: phone });
  await ana.page.goto(at.url);
  const name = await ana.page.getByLabel('What is your name?').inputValue();
  await ana.page.getByText(`You come in as ${name}.`).waitFor();
  const ms = await decides(ana.page, one.button, one.decision);
  console.info(`${one.game}: 1 click and ${(ms / 1000).toFixed(1)} s from the first page to the first decision`);
  await look(ana.page, `now-${one.game}`);
  await ana.page.getByRole('button', { name: 'Settings' }).click();
  expect(await ana.page.getByLabel('Your name').inputValue()).toBe(name);
  expect(ana.errors).toEqual([]);
});

test('whoever has written a name comes in by it, and one that is no name is refused where he stands', async () => {
  const ana = await someone(with_);
  await ana.page.goto(at.url);
  await ana.page.getByLabel('What is your name?').fill('Keen bot');
  await ana.page.getByRole('button', { name: 'Play now' }).click();
  await ana.page.getByRole('alert').waitFor();
  await ana.page.getByLabel('What is your name?').fill('Anastasia');
  await decides(ana.page, 'Play now', '.asked .grave.lit');
  await ana.page.getByRole('button', { name: 'Table, seats and log' }).click();
  await ana.page.getByRole('dialog').getByText('Anastasia').first().waitFor();
});

test('the next game is like the last one, which is found again by a tap on the logo and one more', async () => {
  const ana = await someone(with_);
  await enter(ana.page, at.url, 'Ana');
  await decides(ana.page, 'Or play Toc Toc Toc now', '.prompt.mine');
  await ana.page.getByRole('link', { name: 'To the lobby' }).click();
  await ana.page.getByRole('button', { name: /^Play now Toc Toc Toc/ }).waitFor();
  await ana.page.getByRole('link', { name: /^Your turn since/ }).waitFor();
  await everySize(ana.page, 'now-hall', [phone, desktop]);
  await ana.page.getByRole('link', { name: /^Your turn since/ }).click();
  await ana.page.locator('.prompt.mine').waitFor();
});

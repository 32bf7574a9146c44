import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { archived } from './records';
import {
  at,
  desktop,
  enter,
  everySize,
  look,
  over,
  phone,
  play,
  sitDown,
  someone,
  tab,
  table,
  unfold,
  with_,
} from './support';

test('every page fits every size, and anybody can use it', async () => {
  const ana = await someone(with_, { viewport: phone, look: 60 });
  const { page } = ana;
  await page.goto(at.url);
  await page.locator('form input').waitFor();
  await everySize(page, 'welcome', [phone, desktop]);
  await enter(page, at.url, 'Ana');
  await page.getByRole('button', { name: 'New table' }).waitFor();
  await table(page, { seats: 3, bots: ['random'], listed: true });
  await table(page, { seats: 6, bots: ['remembering:keen', 'remembering:keen'], listed: true });
  await page.locator('article').nth(1).waitFor();
  await everySize(page, 'lobby', [phone, desktop]);
  await page.getByRole('button', { name: 'New table' }).click();
  for (const size of [phone, desktop]) {
    await page.setViewportSize(size);
    // All that one has to say is on one screen, whatever the number of players.
    await page.getByLabel('6', { exact: true }).check();
    await look(page, `setup-folded-${size.width}`);
    const lowest = (await page.locator('form').boundingBox())!;
    expect(lowest.y + lowest.height).toBeLessThanOrEqual(size.height);
  }
  await page.getByLabel('2', { exact: true }).check();
  await unfold(page);
  await page.getByRole('group', { name: 'Which 20 graves' }).getByLabel('We choose').check();
  await page.locator('.board button').nth(7).click();
  await everySize(page, 'setup', [phone, desktop]);

  const name = await table(page, { seats: 4, bots: ['remembering:sharp', 'remembering:keen'], listed: false });
  await page.goto(`${at.url}/t/${name}`);
  await page.getByRole('button', { name: 'Start the game' }).waitFor();
  await everySize(page, 'before', [phone, desktop]);
  expect(ana.errors).toEqual([]);
});

test('two tabs of one player show the same game to its end, whichever of them makes the move', async () => {
  const ana = await someone(with_, { viewport: phone, look: 60 });
  const ben = await someone(with_, { viewport: phone, look: 60, motion: false });
  await enter(ana.page, at.url, 'Ana');
  await enter(ben.page, at.url, 'Ben');
  const played = archived('2017-2b');
  const link = await sitDown([ana, ben], played, 0);
  const wide = await tab(ana.context, ana.errors);
  await wide.setViewportSize(desktop);
  await wide.goto(link);

  // All that is said of the graves, and of what has happened.
  const told = (page: Page) =>
    page
      .locator('.grave, .side li')
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? one.textContent).join('\n'));
  for (const [n, move] of played.moves.entries()) {
    const [here, there] = n % 2 ? [wide, ana.page] : [ana.page, wide];
    const before = await told(there);
    await play([{ ...ana, page: here }, ben], [move]);
    await expect.poll(() => told(there), { timeout: 20_000 }).not.toBe(before);
    await expect.poll(async () => (await told(here)) === (await told(there)), { timeout: 20_000 }).toBe(true);
  }
  for (const page of [ana.page, wide]) {
    await page.locator(over).waitFor();
    await everySize(page, 'end');
  }
  expect([...ana.errors, ...ben.errors]).toEqual([]);
});

test('six fit a phone, in Russian too, and every grave can be hit with a thumb', async () => {
  const ana = await someone(with_, { viewport: phone, language: 'ru' });
  const { page } = ana;
  await enter(page, at.url, 'Анастасия-Елизавета фон Ш');
  await sitDown([ana], archived('2004-6'), 129);
  await page.locator('.asked .grave.lit').first().waitFor();
  await everySize(page, 'six-russian');
  await page.setViewportSize(phone);
  const graves = await page.locator('.grave').evaluateAll((all) => all.map((g) => g.getBoundingClientRect().width));
  expect(Math.min(...graves)).toBeGreaterThanOrEqual(40);
  expect(ana.errors).toEqual([]);
});

test('the dialogs of a table fit every size, in Russian too, and are for anybody', async () => {
  const ana = await someone(with_, { viewport: phone, language: 'ru' });
  const { page } = ana;
  await enter(page, at.url, 'Анастасия-Елизавета фон Ш');
  await sitDown([ana], archived('2004-6'), 129);
  for (const [button, dialog] of [
    ['Правила и клавиши', 'help'],
    ['Настройки', 'settings'],
    ['Стол, места и журнал', 'menu'],
  ] as const) {
    await page.getByRole('button', { name: button }).click();
    await everySize(page, dialog, [phone, desktop]);
    await page.keyboard.press('Escape');
  }
  expect(ana.errors).toEqual([]);
});

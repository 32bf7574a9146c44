import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { asked, at, enter, move, someone, table, tabTo, with_ } from './support';

const steps = ['ArrowRight', 'ArrowUp', 'ArrowLeft', 'ArrowDown'];

/** One move with the letters and the arrows that the help page names. */
async function moveByKeys(page: Page, n: number) {
  const offered = async (css: string) => (await page.locator(css).count()) > 0;
  if (await offered('.choice button')) return page.keyboard.press(n % 2 ? 'KeyG' : 'KeyE');
  if (await offered('button.end')) return page.keyboard.press((await offered('button.end.left')) ? 'KeyL' : 'KeyR');
  if (!(await offered('.grave.lit')) || (await offered('.cemetery.plague'))) return page.keyboard.press('KeyS');
  await page.keyboard.press('KeyB');
  for (let i = 0; i < 1 + n; i++) await page.keyboard.press(steps[Math.floor(i / 3) % 4]!);
  for (let i = 0; !(await page.evaluate(() => document.activeElement?.matches('.grave.lit'))); i++)
    await page.keyboard.press(steps[i % 2]!);
  await page.keyboard.press('Enter');
}

test('a table is made and ten moves are played with the keyboard alone', async () => {
  const ana = await someone(with_, { look: 100 });
  const { page } = ana;
  await page.goto(at.url);
  await page.locator('form input').waitFor();
  await tabTo(page, 'form input');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Ana');
  await page.keyboard.press('Enter');
  await page.locator('button.new').waitFor();
  await tabTo(page, 'button.new');
  await page.keyboard.press('Enter');
  for (const seat of ['Seat B', 'Seat C', 'Seat D']) {
    await tabTo(page, `select[aria-label="${seat}"]`);
    // The last of the list is the strongest.
    await page.keyboard.press('End');
  }
  await tabTo(page, 'input[name="quick"]');
  await page.keyboard.press('ArrowRight');
  await tabTo(page, 'form button.main');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/t/*');
  await page.locator('.start button').waitFor();
  await tabTo(page, '.start button');
  await page.keyboard.press('Enter');

  for (let n = 0; n < 10; n++) {
    if (!(await asked(page))) break;
    const told = await page.locator('.side li').count();
    await moveByKeys(page, n);
    await expect.poll(() => page.locator('.side li').count(), { timeout: 10_000 }).toBeGreaterThan(told);
  }
  await page.keyboard.press('Shift+Slash');
  await page.locator('dialog[open]').waitFor();
  await page.keyboard.press('Escape');
  expect(ana.errors).toEqual([]);
});

test('a network that goes away and comes back costs nothing: no reload, no lost move', async () => {
  const ana = await someone(with_, { look: 100 });
  const { page, context } = ana;
  await enter(page, at.url, 'Ana');
  await page.locator('button.new').waitFor();
  const name = await table(page, { seats: 3, bots: ['remembering:keen', 'remembering:keen'] });
  await page.goto(`${at.url}/t/${name}`);
  await page.locator('.start button').click();
  await page.evaluate(() => Object.assign(window, { sameAsEver: true }));

  await asked(page);
  await move(page);
  await context.setOffline(true);
  await page.locator('.trouble.shown').waitFor();
  await context.setOffline(false);
  await page.locator('.trouble:not(.shown)').waitFor({ state: 'attached' });

  // A move that is said while the line is down is made when it is up again.
  await asked(page);
  await context.setOffline(true);
  await page.locator('.trouble.shown').waitFor();
  await move(page);
  await page.locator('.prompt:not(.mine)').waitFor();
  const before = await page.locator('.side li').count();
  await context.setOffline(false);
  await expect.poll(() => page.locator('.side li').count(), { timeout: 10_000 }).toBeGreaterThan(before);

  for (let n = 0; n < 3 && (await asked(page)); n++) await move(page);
  expect(await page.evaluate(() => 'sameAsEver' in window)).toBe(true);
  expect(ana.errors.filter((e) => !e.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
});

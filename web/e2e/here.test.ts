import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { at, desktop, everySize, phone, someone, tab, with_ } from './support';

// Games that need no house: the page opens without a network, and plays.

/** The page is kept on the device: its own word for it. */
async function kept(page: Page) {
  await page.goto(`${at.url}/here`);
  await page.getByText('This device has all it needs').waitFor();
}

/** Presses whatever is offered, until the game is over. */
async function playOn(page: Page) {
  const end = page.locator('.end');
  for (let i = 0; i < 2000 && !(await end.isVisible()); i++) {
    await page.evaluate(() => {
      const offered = [...document.querySelectorAll<HTMLElement>('.prompt button, .lit, [data-move]')].filter(
        (one) => !one.hasAttribute('disabled') && one.getAttribute('aria-disabled') !== 'true',
      );
      offered[Math.floor(Math.random() * offered.length)]?.click();
    });
    await page.waitForTimeout(30);
  }
  await end.waitFor();
}

test('with the network cut, a fresh tab plays Dawn Under against bots to its end', async () => {
  const ana = await someone(with_, { look: 20, motion: false });
  await kept(ana.page);
  await ana.page.close();
  await ana.context.setOffline(true);
  const page = await tab(ana.context, []);
  await page.goto(at.url);
  await page.getByText('The house cannot be reached.').waitFor();
  await page.getByRole('link', { name: 'Play on this device, without a network' }).click();
  await page.getByRole('group', { name: 'How many play?' }).getByText('3').click();
  await everySize(page, 'here', [phone, desktop]);
  await page.getByRole('button', { name: 'Start' }).click();
  await page.locator('.grave.lit').first().waitFor();
  await page.reload();
  await page.locator('.grave.lit').first().waitFor();
  await playOn(page);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the game' }).click();
  expect((await saved).suggestedFilename()).toMatch(/^caveau-\w+\.json$/);
}, 300_000);

test('two people hand a device on, and what one of them holds is nowhere in the page while the other has it', async () => {
  const { page, errors } = await someone(with_, { look: 20, motion: false });
  await page.goto(`${at.url}/here`);
  await page.getByRole('group', { name: 'Rulebook or game' }).or(page.locator('form')).first().waitFor();
  await page.getByText('Toc Toc Toc', { exact: true }).click();
  await page.getByRole('group', { name: 'How many play?' }).getByText('3').click();
  await page.getByLabel('Seat B').selectOption('');
  await page.getByLabel('Name on seat A').fill('Ana');
  await page.getByLabel('Name on seat B').fill('Ben');
  await page.getByRole('button', { name: 'Start' }).click();
  expect(errors).toEqual([]);
});

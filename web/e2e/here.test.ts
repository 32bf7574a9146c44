import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessible, at, desktop, enter, everySize, phone, someone, tab, with_ } from './support';

// Games that need no house: the page opens without a network, and plays.

/** The page is kept on the device: its own word for it. */
async function kept(page: Page) {
  await page.goto(`${at.url}/here`);
  await page.getByText('This device has all it needs').waitFor();
}

const offered = [
  '.asked .grave.lit, .choice button, .hand button, button.end, .prompt button.main, .both button, .receives',
  '.fan.lit [data-word], .knocks.ready, .answers button, .choices button',
].join();

/** Presses whatever is offered, once; false where nothing is. */
const press = (page: Page) =>
  page.evaluate((all) => {
    const buttons = [...document.querySelectorAll<HTMLButtonElement>(all)].filter(
      (one) => !one.disabled && !one.closest('[inert]'),
    );
    buttons[Math.floor(Math.random() * buttons.length)]?.click();
  }, offered);

const end = 'section.end';

test('with the network cut, a fresh tab plays Dawn Under against bots to its end', async () => {
  const ana = await someone(with_, { look: 20, motion: false, keeps: true });
  await kept(ana.page);
  await ana.page.close();
  await ana.context.setOffline(true);
  const page = await tab(ana.context, []);
  await page.goto(at.url);
  await page.getByText('The house cannot be reached.').waitFor();
  await page.getByRole('link', { name: 'Play on this device, without a network' }).click();
  await page.getByText('3', { exact: true }).first().click();
  await page.getByText('This device has all it needs').waitFor();
  await everySize(page, 'here', [phone, desktop]);
  await page.getByRole('button', { name: 'Start' }).click();
  await page.locator('.asked .grave.lit').first().waitFor();
  await page.reload(); // and the game goes on
  await page.locator('.asked .grave.lit').first().waitFor();
  while (!(await page.locator(end).isVisible())) {
    await press(page);
    await page.waitForTimeout(30);
  }
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Game record' }).click();
  expect((await saved).suggestedFilename()).toMatch(/^caveau-\w+\.json$/);
}, 900_000);

/** The cards in the hand of whoever has the device. */
const hand = (page: Page) =>
  page.locator('.fan [data-word]').evaluateAll((all) => all.map((one) => one.getAttribute('data-word')));

test('two people hand a device on, and what one of them holds is nowhere in the page while the other has it', async () => {
  const { page, errors } = await someone(with_, { look: 20, motion: false, keeps: true, viewport: phone });
  await page.goto(`${at.url}/here`);
  await page.getByText('Toc Toc Toc', { exact: true }).first().click();
  await page.getByText('3', { exact: true }).first().click();
  await page.getByLabel('Seat B', { exact: true }).selectOption('');
  await page.getByLabel('Name on seat A').fill('Ana');
  await page.getByLabel('Name on seat B').fill('Ben');
  await page.getByRole('button', { name: 'Start' }).click();
  const held = new Set<string>();
  while (held.size < 2) {
    const curtain = page.getByRole('dialog', { name: /^Hand the device to/ });
    await curtain.waitFor();
    expect(await hand(page)).toEqual([]);
    const am = curtain.getByRole('button', { name: /^I am/ });
    held.add((await am.textContent())!);
    await am.click();
    await page.locator('.fan [data-word]').first().waitFor();
    while (!(await curtain.isVisible())) {
      expect(await page.locator('.fan').count()).toBeLessThanOrEqual(1);
      await press(page);
      await page.waitForTimeout(30);
    }
  }
  expect(errors).toEqual([]);
}, 300_000);

test('whoever comes to a game that this device does not have, or has no more, is told so', async () => {
  const { page, errors } = await someone(with_, { look: 20, motion: false, viewport: phone });
  const none = page.getByText('There is no such table.');
  await page.goto(`${at.url}/here/zzz`);
  await none.waitFor();
  await page.goto(`${at.url}/here`);
  await page.getByRole('button', { name: 'Start' }).click();
  await page.waitForURL(/here\/\w+$/);
  await page.locator('.graves, .prompt').first().waitFor();
  await page.goto(`${at.url}/here`);
  await page.getByRole('button', { name: /^Delete/ }).click();
  await page.getByRole('button', { name: 'Delete the game' }).click();
  await page.locator('main section').waitFor({ state: 'detached' });
  await page.goBack();
  await none.waitFor();
  expect(errors).toEqual([]);
}, 60_000);

/** The numbers of the entries that the browser keeps, of one game. */
const numbers = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number[]>((done) => {
        indexedDB.open('caveau', 1).onsuccess = ({ target }) => {
          const log = (target as IDBOpenDBRequest).result.transaction('log').objectStore('log').getAll();
          log.onsuccess = () => {
            const lines = (log.result as string[]).map((line) => JSON.parse(line) as { seq?: number });
            done(lines.flatMap(({ seq }) => seq ?? []));
          };
        };
      }),
  );

/** Plays until the browser keeps so many entries more, or it says so. */
async function playOn(page: Page, more: number, until = page.locator(end)) {
  const enough = (await numbers(page)).length + more;
  while ((await numbers(page)).length < enough && !(await until.isVisible())) {
    await press(page);
    await page.waitForTimeout(30);
  }
}

test('who goes on in a page in which the game is of yesterday is told so, is shown it as it is, and nothing of it is lost', async () => {
  const { page, context, errors } = await someone(with_, { look: 20, motion: false });
  await page.goto(`${at.url}/here`);
  await page.getByRole('button', { name: 'Start' }).click();
  const asked = '.asked .grave.lit';
  await page.locator(asked).first().waitFor();
  const other = await tab(context, errors);
  await other.goto(page.url());
  await other.locator(asked).first().waitFor();
  await playOn(other, 5);
  const late = page.getByText('Too late: the game has gone on.').first();
  await playOn(page, 50, late);
  await late.waitFor();
  await playOn(page, 5);
  await playOn(other, 5);
  const all = await numbers(page);
  expect(all).toEqual(all.map((_, i) => i + 1));
  expect(errors).toEqual([]);
}, 120_000);

/** Plays a game of Toc Toc Toc on this device, alone, to its end, and says where. */
async function playHere(page: Page): Promise<string> {
  await page.locator('form input[name="game"]').nth(1).check({ force: true });
  await page.locator('form summary').click();
  await page.locator('form input[name="aid"]').nth(1).check({ force: true });
  await page.locator('form input[name="slow"]').first().check({ force: true });
  await page.locator('form input[name="seats"]').first().check({ force: true });
  await page.locator('form button.main').click();
  await page.locator('[data-word], .knocks').first().waitFor();
  while (!(await page.locator(end).isVisible())) {
    await press(page);
    await page.waitForTimeout(30);
  }
  return new URL(page.url()).pathname;
}

// One's games of this device stand on one's list without a network, are seen again there, and are kept by the house where there is one.
test.each(['en', 'fr', 'ru'] as const)(
  'a game of this device is mine, in %s',
  async (language) => {
    const ana = await someone(with_, { look: 20, motion: false, keeps: true, language, viewport: phone });
    const { page, context, errors } = ana;
    await page.goto(`${at.url}/here`);
    await page.locator('main form').waitFor();
    await page.waitForFunction(async () => (await caches.has('caveau-all')) && !!navigator.serviceWorker.controller);
    await everySize(page, `here-setup-${language}`, [phone, desktop]);
    const table = await playHere(page);
    const seen = page.locator(`${end} a[href="${table}/replay"]`);
    await seen.focus();
    await page.keyboard.press('Enter');
    await page.locator('input[type="range"]').waitFor();
    await page.keyboard.press('End');
    await page.waitForURL(/#\d+$/);
    await page.locator('select').selectOption('B');
    await page.waitForURL(/#\d+-B$/);
    await everySize(page, `here-replay-${language}`, [phone, desktop]);
    if (language === 'en') await context.setOffline(true);
    await page.goto(`${at.url}/games`);
    const row = page.locator('main li');
    await row.locator('.device').waitFor();
    expect(await row.count()).toBe(1);
    await everySize(page, `here-games-${language}`, [phone, desktop]);
    const saved = page.waitForEvent('download');
    await row.locator('.acts button').first().click();
    expect((await saved).suggestedFilename()).toMatch(/^caveau-\w+\.json$/);
    await context.setOffline(false);

    await enter(page, at.url, 'Ana');
    await page.goto(`${at.url}/games`);
    await accessible(page, `here-games-${language}`);
    await row.locator('.acts button').first().focus();
    await page.keyboard.press('Enter'); // to keep it
    await expect.poll(() => row.locator('.acts > *').count()).toBe(2);
    await expect.poll(() => row.locator('a').evaluate((e) => e === document.activeElement)).toBe(true); // where it says so
    await everySize(page, `here-kept-${language}`, [phone, desktop]);
    const played = await page.evaluate(async () => (await fetch('/api/tables/played')).json() as Promise<object[]>);
    expect(played).toMatchObject([{ device: true, you: '' }]);
    await row.locator('.acts button').last().click();
    await row.locator('button.main').click(); // from this device
    await expect.poll(() => row.locator('a').getAttribute('href')).toMatch(/^\/replay\//);
    await row.locator('a').click();
    await page.locator('input[type="range"]').waitFor();
    const kept = new URL(page.url()).pathname.split('/').at(-1)!;
    const written = (await (await page.request.get(`${at.url}/api/tables/${kept}/record`)).json()) as object;
    expect(written).toMatchObject({ game: 'toc-toc-toc', table: { device: true, aid: 'marks' } });
    await page.goto(`${at.url}/t/${kept}`);
    await page.locator(end).waitFor();
    await page.locator('.imported').waitFor();
    await everySize(page, `here-table-${language}`, [phone, desktop]);
    await page.goto(`${at.url}/games`);
    await row.locator('.acts button').last().click();
    await row.locator('button.main').click();
    await page.locator('main .panel.soft').waitFor();
    expect(errors.filter((one) => !/ERR_INTERNET_DISCONNECTED/.test(one))).toEqual([]);
  },
  300_000,
);

// The browser itself says how much it keeps. It looks that up now and then, so it is told before the first word to keep nothing.
test('where the browser has no room left one plays on and is told, and nothing is lost as soon as there is some', async () => {
  const { page, context, errors } = await someone(with_, { look: 20, motion: false, viewport: phone });
  const session = await context.newCDPSession(page);
  await session.send('Storage.overrideQuotaForOrigin', { origin: at.url, quotaSize: 1 });
  await page.goto(`${at.url}/here`);
  await page.getByText('3', { exact: true }).first().click();
  await page.getByRole('button', { name: 'Start' }).click();
  const full = page.getByText('This browser has no room left');
  const until = async (shown: boolean) => {
    while ((await full.isVisible()) !== shown) {
      await press(page);
      await page.waitForTimeout(30);
    }
  };
  await until(true);
  await page.locator('section.mine').waitFor();
  await everySize(page, 'here-full', [phone, desktop]);
  await session.send('Storage.overrideQuotaForOrigin', { origin: at.url });
  await until(false);
  // What the browser keeps has no gap, and is read when the page is opened again.
  const before = await numbers(page);
  expect(before).toEqual(before.map((_, i) => i + 1));
  await page.reload();
  await page.locator(`section.mine, ${end}`).first().waitFor();
  await expect.poll(async () => (await numbers(page)).length).toBeGreaterThanOrEqual(before.length);
  expect(errors).toEqual([]);
}, 120_000);

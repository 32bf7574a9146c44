import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { presses, taught } from './records';
import { accessible, at, everySize, look, phone, someone, tabTo, with_ } from './support';

// Lessons, each to its end. Once one has begun nothing is asked of the house any more.

const on = '.prompt [data-home="on"]';
const asked = '.prompt.mine';
const over = 'h1:text-is("Well done!")';

/** What the lesson says when the table rests, and no longer this; '' at its end. */
async function says(page: Page, before = ''): Promise<string> {
  const rests = page.locator(`${on}, ${asked}, ${over}`).first();
  for (;;) {
    await rests.waitFor();
    if (await page.locator(over).isVisible()) return '';
    const said = await spoken(page);
    if (said && said !== before) return said;
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
}

/** What is read aloud just now. */
const spoken = (page: Page) => page.evaluate(() => document.querySelector('.unseen[role="status"]')?.textContent ?? '');

/** The keys that make a move, wherever on the board one is. */
async function types(page: Page, move: string) {
  const [word, to = ''] = move.split(' ');
  if (word !== 'open') return page.keyboard.press(word === 'leave' ? 'KeyE' : 'KeyS');
  await page.keyboard.press('KeyB');
  await page.locator('.grave:focus').waitFor();
  await page.keyboard.press('Home');
  for (let i = 0; i < 40; i++) {
    const at = await page.evaluate(() => (document.activeElement as HTMLElement).dataset['at'] ?? '');
    if (at === to) break;
    const across = to < at ? 'ArrowLeft' : 'ArrowRight';
    await page.keyboard.press(at[1]! === to[1] ? across : at[1]! < to[1]! ? 'ArrowUp' : 'ArrowDown');
  }
  await page.keyboard.press('Enter');
}

test('Dawn Under is learned by keyboard and by ear, with the network cut', async () => {
  const { page, context, errors } = await someone(with_, { look: 20, motion: false });
  await page.goto(`${at.url}/learn`);
  await tabTo(page, 'a[href="/learn/2004"]');
  await page.keyboard.press('Enter');
  let said = await says(page);
  expect(said).toContain('Your vampires want to be in bed');
  await context.setOffline(true);
  await tabTo(page, on);
  const own = taught('dawn', '2004').moves.filter((move) => move.startsWith('A '));
  while (said) {
    // Whoever is at what goes away is led on: nobody has to look for the button again.
    if (await page.locator(on).isVisible()) {
      await page.locator(`${on}:focus`).waitFor();
      await page.keyboard.press('Enter');
    } else {
      if (said.includes('Where was it?')) await misses(page);
      await types(page, own.shift()!.slice(2));
    }
    said = await says(page, said);
  }
  expect(own).toEqual([]);
  await page.locator('h1:focus').waitFor();
  await context.setOffline(false);
  await tabTo(page, 'a[href="/learn"]');
  await page.keyboard.press('Enter');
  await page.getByText('done').waitFor();
  await page.reload();
  await page.getByText('done').waitFor();
  expect(errors.filter((error) => !error.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
});

/** Whoever does not remember is told so, and sees it. */
async function misses(page: Page) {
  expect(await page.locator('.grave.pointed').count()).toBe(0);
  await types(page, 'open a8');
  await page.getByText('Not quite! Look, now it glows.').first().waitFor();
  await page.locator('.grave.pointed[data-at="f2"]').waitFor();
}

test('Toc Toc Toc is learned by clicks on a phone, there and back, and then played', async () => {
  const { page, context, errors } = await someone(with_, { look: 20, motion: false, viewport: phone });
  await page.goto(`${at.url}/learn/toc-toc-toc`);
  let said = await says(page);
  await context.setOffline(true);
  const own = taught('toctoc', 'toc-toc-toc').moves.filter((move) => move.startsWith('A '));
  let back = false;
  while (said) {
    if (await page.locator(on).isVisible()) await page.locator(on).click();
    else for (const button of presses(own.shift()!.slice(2))) await page.locator(button).first().click();
    const before = said;
    said = await says(page, before);
    if (back || !said.startsWith('A scarecrow')) continue;
    back = true;
    await page.getByRole('button', { name: 'One step back' }).click();
    expect(await says(page, said)).toBe(before);
    await page.getByRole('button', { name: 'Skip this step' }).click();
    expect(await says(page, before)).toBe(said);
  }
  expect(own).toEqual([]);
  await context.setOffline(false);
  await page.getByRole('button', { name: /^Play now Toc Toc Toc/ }).click();
  await page.locator('.fan').waitFor();
  expect(errors.filter((error) => !error.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
});

test('what else is pressed is answered kindly, and nothing happens', async () => {
  const { page } = await someone(with_, { look: 20, motion: false });
  await page.goto(`${at.url}/learn/2004`);
  const first = await says(page);
  await page.locator('.grave[data-at="a1"]').click();
  await page.getByText('First press “Go on”.').first().waitFor();
  await page.locator(on).click();
  await page.locator(on).click();
  const said = await says(page, first);
  await page.locator('.grave[data-at="a1"]').click();
  await page.getByText('Not now. First: Open c3.').first().waitFor();
  expect(await spoken(page)).toBe(said);
  expect(await page.locator('.grave.open').count()).toBe(0);
  // Nothing is kept of a lesson among the games of this device.
  await page.goto(`${at.url}/here`);
  await page.getByRole('button', { name: 'Start' }).waitFor();
  expect(await page.getByText('Games on this device').count()).toBe(0);
});

const skip = { en: 'Skip this step', fr: 'Passer cette étape', ru: 'Пропустить шаг' };

test.each(['en', 'fr', 'ru'] as const)('whatever is said in a lesson fits a phone: %s', async (language) => {
  const { page } = await someone(with_, { language, look: 20, motion: false });
  await page.goto(`${at.url}/learn`);
  await page.locator('a[href="/learn/2004"]').waitFor();
  await everySize(page, `learn-${language}`);
  for (const name of ['2004', 'rucola', '2017', 'toc-toc-toc']) {
    await page.setViewportSize(phone);
    await page.goto(`${at.url}/learn/${name}`);
    for (let step = 1; ; step++) {
      await page.locator(`${on}, ${asked}, .brief h1`).first().waitFor();
      if (await page.locator('.brief h1').isVisible()) break;
      await look(page, `learn-${name}-${step}-${language}`);
      if (step === 1) await accessible(page, `learn-${name}-${language}`);
      // Skipped, a step is another table: what is there now goes first.
      const table = await page.locator('main.table').elementHandle();
      await page.getByRole('button', { name: skip[language] }).click();
      await page.waitForFunction((old) => !old!.isConnected, table);
    }
  }
  await everySize(page, `learned-${language}`);
});

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { archived, grave } from './records';
import { accessible, at, desktop, enter, look, phone, play, sitDown, someone, with_, type Taste } from './support';

const why = { en: 'why?', fr: 'pourquoi ?', ru: 'почему?' };
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('data-number'));
const current = (page: Page) =>
  page.locator('[aria-current]').evaluateAll((all) => all.map((p) => p.getAttribute('data-number')));

/** Ana sits before a position of a record, and is asked; nobody else moves. */
async function playing(taste: Taste, record: string, ply: number) {
  const ana = await someone(with_, taste);
  await enter(ana.page, at.url, 'Ana');
  await sitDown([ana], archived(record), ply);
  await ana.page.locator('.prompt .text button').first().waitFor();
  return ana;
}

test.each(['en', 'fr', 'ru'] as const)(
  'beside a table the rulebook says why something is forbidden, or happened, in %s',
  async (language) => {
    const ana = await playing({ language, look: 60 }, '2004-2', 32);
    const { page } = ana;
    await page.locator('.grave.none, .grave.bare, .grave:not(.lit)').first().click();
    const refusal = page.locator('.notice button');
    await refusal.waitFor();
    expect(await refusal.textContent()).toContain(why[language]);
    await refusal.click();
    await expect.poll(() => focused(page)).toBe('7.2');
    expect(await current(page)).toEqual(['7.2']);
    await look(page, `why-refused-${language}`);
    await accessible(page, 'why-refused');

    // The game goes on beside it, and its letters are no commands in the book.
    await page.keyboard.press('KeyS');
    const told = page.locator('.side li');
    const before = await told.count();
    await play([ana], archived('2004-2').moves.slice(32, 33));
    await expect.poll(() => told.count()).toBeGreaterThan(before);
    await page.locator('aside .paragraph').first().waitFor();
    await page.locator('aside header button').click();
    await page.locator('aside .reader').waitFor({ state: 'detached' });

    await play([ana], archived('2004-2').moves.slice(33, 34));
    await page.locator(grave('g8')).waitFor();
    const line = page.locator('.side li button').last();
    expect(await line.getAttribute('aria-label')).toMatch(/\? .*Ana/);
    await line.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toMatch(/^\d\.\d$/);
    await page.keyboard.press('Escape');
    await page.locator('aside .reader').waitFor({ state: 'detached' });
    expect(await line.evaluate((button) => button === document.activeElement)).toBe(true);

    // However long the log is, the Tab key stops there once; arrows go from line to line.
    expect(await page.locator('.side li button:not([tabindex="-1"])').count()).toBe(1);
    await page.keyboard.press('ArrowUp');
    expect(
      await page
        .locator('.side li button')
        .evaluateAll((all) => all.indexOf(document.activeElement as HTMLElement) - all.length),
    ).toBe(-2);
    expect(ana.errors).toEqual([]);
  },
);

test('on a phone the rulebook is a sheet over the table, also over its menu', async () => {
  const ana = await playing({ viewport: phone, look: 60 }, 'rucola-4a', 16);
  const { page } = ana;
  await look(page, 'asked-phone');
  await page.locator('.prompt .text button').first().click();
  await page.locator('dialog .reader').waitFor();
  await expect.poll(() => focused(page)).toMatch(/^\d\.\d$/);
  await look(page, 'why-phone');
  await accessible(page, 'why-phone');
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Table, seats and log' }).click();
  const line = page.locator('dialog li button', { hasText: 'why?' }).first();
  await look(page, 'log-phone');
  await line.click();
  await page.locator('dialog .reader').waitFor();
  await expect.poll(() => focused(page)).toMatch(/^\d\.\d$/);
  await page.keyboard.press('Escape');
  await page.locator('dialog .reader').waitFor({ state: 'detached' });
  expect(await line.evaluate((button) => button === document.activeElement)).toBe(true);
  expect(ana.errors).toEqual([]);
});

test('at a party the book is that of Toc Toc Toc, in French as well', async () => {
  const ana = await playing({ language: 'fr', look: 60 }, 'toc-toc-toc-3', 71);
  const { page } = ana;
  await page.locator('.prompt .text button').first().click();
  await expect.poll(() => focused(page)).toBe('1.1');
  expect(await page.locator('aside select optgroup').first().locator('option').allTextContents()).toEqual([
    'Toc Toc Toc',
  ]);
  await look(page, 'party-fr');
  await accessible(page, 'party-fr');
  await page.keyboard.press('Escape');
  await page.locator('aside .reader').waitFor({ state: 'detached' });
  await page.locator('.fan button').first().click();
  await page.locator('.knocks.ready').first().click();
  await page.locator('.side li button').last().click();
  await expect.poll(() => focused(page)).toMatch(/^\d\.\d$/);
  expect(ana.errors).toEqual([]);
});

test('the rulebooks are searched as one types, with the keyboard alone', async () => {
  const ana = await playing({ look: 60 }, '2004-2', 32);
  const { page } = ana;
  await page.keyboard.press('KeyB');
  await page.keyboard.press('Shift+Slash');
  await page.locator('dialog[open]').waitFor();
  await page.getByRole('button', { name: 'Read the rulebook' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('aside .title').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toContain('title');
  await look(page, 'book-desktop');
  await accessible(page, 'book-desktop');

  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search');
  await page.keyboard.type('NEIGHBOURS rat PLAGUE');
  await expect.poll(() => page.locator('aside [role="status"]').textContent()).toMatch(/^\d+ paragraphs found$/);
  expect(await page.locator('aside .title').allTextContents()).toEqual(['Dawn Under', 'La Danse des Vampires']);
  expect(await page.locator('aside mark').count()).toBeGreaterThan(5);
  await look(page, 'search-desktop');
  await accessible(page, 'search-desktop');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('P3');
  await expect
    .poll(() =>
      page.locator('aside [data-number].paragraph').evaluateAll((all) => all.map((p) => p.getAttribute('data-number'))),
    )
    .toEqual(['4.4', '6.3']);
  await page.keyboard.press('Enter');
  expect(await focused(page)).toBe('4.4');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => current(page)).toEqual(['4.4']);
  expect(await focused(page)).toBe('4.4');
  expect(await page.locator('aside .paragraph').count()).toBeGreaterThan(30);
  await page.keyboard.press('Escape');
  await page.locator('aside .reader').waitFor({ state: 'detached' });
  expect(await page.evaluate(() => document.activeElement?.matches('button.grave'))).toBe(true);
  expect(ana.errors).toEqual([]);
});

test.each([
  ['en', 'plague', /found/],
  ['fr', 'ecarte', /trouvé/],
  ['ru', 'её', /Найден/],
] as const)('a paragraph has a link of its own, for anybody, in %s', async (language, word, found) => {
  const somebody = await someone(with_, { language });
  const { page } = somebody;
  await page.goto(`${at.url}/rules/rucola#3.7`);
  await expect.poll(() => focused(page)).toBe('3.7');
  for (const [size, tag] of [
    [desktop, 'desktop'],
    [phone, 'phone'],
  ] as const) {
    await page.setViewportSize(size);
    await look(page, `rules-${language}-${tag}`);
    await accessible(page, `rules-${language}-${tag}`);
  }
  // The ruling may be read there too; it is in English.
  await page.locator('[aria-current] summary').first().click();
  expect(await page.locator('[aria-current] details p[lang="en"]').textContent()).toContain('believed: empty');
  await page.locator('select').selectOption('2017');
  await page.waitForURL('**/rules/2017');
  await page.locator('input[type="search"]').fill(word);
  await expect.poll(() => page.locator('[role="status"].small').textContent()).toMatch(found);
  await look(page, `rules-search-${language}-phone`);
  await page.goBack();
  await expect.poll(() => focused(page)).toBe('3.7');
  expect(somebody.errors).toEqual([]);
});

import { expect, test } from 'vitest';
import { archived } from './records';
import { at, desktop, enter, look, over, phone, play, sitDown, someone, with_, written } from './support';

// A game of the archive is played again, from its deal to its end, by people who press what its record says.

test.each([
  ['Dawn Under', '2017-3b'],
  ['Toc Toc Toc', 'toc-toc-toc-3'],
])('a whole game of %s, by three people in three languages, while a fourth looks on', async (_, name) => {
  const [ana, ben, cleo, eva] = await Promise.all([
    someone(with_, { look: 60, viewport: desktop, motion: false }),
    someone(with_, { look: 60, viewport: phone, motion: false, language: 'fr' }),
    someone(with_, { look: 60, viewport: phone, motion: false, language: 'ru' }),
    someone(with_, { look: 60, viewport: phone, motion: false, language: 'ru' }),
  ]);
  const people = [ana, ben, cleo];
  await enter(ana.page, at.url, 'Ana');
  await enter(ben.page, at.url, 'Benoît-Alexandre de la T');
  await enter(cleo.page, at.url, 'Клеопатра');
  const played = archived(name);
  const link = await sitDown(people, played, 0);
  await eva.page.goto(link);
  await eva.page.getByRole('button', { name: 'Только смотреть' }).click();
  await eva.page.locator('.play main').waitFor();

  await play(people, played.moves);

  for (const [who, { page }] of Object.entries({ en: ana, fr: ben, ru: cleo, watch: eva })) {
    await page.locator(over).waitFor();
    await look(page, `end-${name}-${who}`);
  }
  expect(await eva.page.locator(`${over} h2`).textContent()).toMatch(/Побед|побед/);
  expect(await written(ana.page)).toMatchObject({ format: 'caveau/1', moves: played.moves });

  // Another game is a click for each, whoever is first; with the last click it begins.
  const everybody = [...people, eva];
  await ben.page.getByRole('button', { name: 'Encore' }).click();
  await ben.page.getByText('dès qu’Ana').waitFor();
  await ana.page.getByText('wants to play again').waitFor();
  await ana.page.getByRole('button', { name: 'Again' }).click();
  await eva.page.getByRole('button', { name: 'К следующей игре' }).click();
  expect(await ben.page.locator('.play main').count()).toBe(0);
  await cleo.page.getByRole('button', { name: 'Ещё раз' }).click();
  await Promise.all(everybody.map(({ page }) => page.locator('.play main').waitFor()));
  expect(new Set(everybody.map(({ page }) => page.url().replace(/#.*/, ''))).size).toBe(1);
  expect(new URL(ben.page.url()).pathname).not.toBe(new URL(link).pathname);
  expect(everybody.flatMap(({ errors }) => errors)).toEqual([]);
});

import { expect, test } from 'vitest';
import { asked, at, enter, move, over, playToTheEnd, someone, with_ } from './support';

test('two players choose the bare graves, and those are out of play', async () => {
  const ana = await someone(with_);
  const { page } = ana;
  await enter(page, at.url, 'Ana');
  await page.getByRole('button', { name: 'New table' }).click();
  await page.getByLabel('2', { exact: true }).check();
  await page.getByLabel('Seat B', { exact: true }).selectOption('remembering:dozy');
  await page.getByLabel('Who begins?').selectOption('A');
  await page.getByRole('group', { name: 'Which 20 graves' }).getByLabel('We choose').check();
  for (let i = 0; i < 20; i++)
    await page
      .locator('.board button')
      .nth(i * 2)
      .click();
  await page.getByRole('button', { name: 'Set up the table' }).click();
  await page.getByRole('button', { name: 'Start the game' }).click();
  await asked(page);
  expect(await page.locator('.grave.bare').count()).toBe(20);
  await page.locator('.grave.bare').first().click();
  await page.getByRole('alert').filter({ hasText: 'not in play' }).waitFor();
  for (let n = 0; n < 6 && (await asked(page)); n++) await move(page);
  expect(ana.errors).toEqual([]);
});

test('two people in two browsers and two bots finish a game, a third browser watches, in three languages', async () => {
  const [ana, ben, cleo] = await Promise.all([
    someone(with_, { language: 'en' }),
    someone(with_, { language: 'fr' }),
    someone(with_, { language: 'ru' }),
  ]);

  await enter(ana.page, at.url, 'Ana');
  await ana.page.getByRole('button', { name: 'New table' }).click();
  await ana.page.getByLabel('Seat D', { exact: true }).selectOption('remembering:sharp');
  await ana.page.getByLabel('Seat C', { exact: true }).selectOption('remembering:sharp');
  await ana.page.getByLabel('Quickly').check();
  await ana.page.getByRole('button', { name: 'Set up the table' }).click();
  await ana.page.waitForURL('**/t/*');
  const link = ana.page.url();

  await enter(ben.page, link, 'Бен-Вениамин');
  await ben.page.getByRole('button', { name: /^S’asseoir ici/ }).click();
  await cleo.page.goto(link);
  await cleo.page.getByRole('button', { name: 'Только смотреть' }).click();
  await ana.page.getByRole('button', { name: 'Start the game' }).click();
  await cleo.page.locator('.grave').first().waitFor();

  await Promise.all([playToTheEnd(ana.page), playToTheEnd(ben.page)]);
  await cleo.page.locator(over).waitFor();
  await expect.poll(() => cleo.page.locator(`${over} h2`).textContent(), { timeout: 10_000 }).toMatch(/Побед|побед/);

  const record = await ana.page.evaluate(async () =>
    (await fetch(document.querySelector<HTMLAnchorElement>('a[download]')!.href)).json(),
  );
  expect(record).toMatchObject({ format: 'caveau/1', game: 'dawn-under', edition: '2004' });

  // The rematch leads everybody there.
  await ben.page.getByRole('button', { name: 'Revanche' }).click();
  await Promise.all([ana, ben, cleo].map(({ page }) => page.waitForURL((url) => url.href !== link)));
  expect(new Set([ana.page.url(), ben.page.url(), cleo.page.url()]).size).toBe(1);
  expect([...ana.errors, ...ben.errors, ...cleo.errors]).toEqual([]);
});

import { expect, test } from 'vitest';
import { accessible, at, desktop, enter, look, phone, someone, table, with_ } from './support';

test('two people give numbers to a deal, break the game off, and check the deal in their own browsers', async () => {
  const ana = await someone(with_, { look: 50 });
  const ben = await someone(with_, { look: 50, language: 'ru', viewport: phone });
  await enter(ana.page, at.url, 'Ana');
  await enter(ben.page, at.url, 'Борис');
  const name = await table(ana.page, { seats: 3, bots: ['remembering:keen'], first: 'A' });
  await ana.page.goto(`${at.url}/t/${name}`);
  await ana.page.getByText('Ana has given a number').waitFor();
  await ben.page.goto(`${at.url}/t/${name}`);
  await ben.page.locator('li.free button').first().click();
  await ana.page.getByText('Ana and Борис have given a number each').waitFor();
  await look(ana.page, 'sealed-desktop');
  await accessible(ana.page, 'sealed');
  await ben.page.locator('section[aria-labelledby=sealed]').scrollIntoViewIfNeeded();
  await look(ben.page, 'sealed-phone');
  await ana.page.locator('.start button').click();
  await ana.page.locator('.grave.lit').first().click();

  await ana.page.getByRole('button', { name: 'Table, seats and log' }).click();
  await ana.page.getByRole('button', { name: 'Break off the game' }).click();
  await ana.page.getByRole('button', { name: 'Break it off, if the others agree?' }).click();
  await ben.page.getByRole('button', { name: 'Да', exact: true }).click();
  await ana.page.locator('section.end').waitFor();
  await look(ana.page, 'broken-desktop');
  const [checked] = await Promise.all([
    ana.context.waitForEvent('page'),
    ana.page.getByRole('link', { name: 'Check the deal' }).click(),
  ]);
  await checked.getByText('All is well.').waitFor({ timeout: 30_000 });
  // Bots go by the names that they had at the table.
  await checked.getByText(/Keen bot C · /).waitFor();
  await checked.getByText('its own number is among those that made the deal').waitFor();
  expect(await checked.locator('.checks li').count()).toBe(7);
  expect(await checked.locator('.numbers li').allInnerTexts()).toHaveLength(2);
  await look(checked, 'verify-desktop');
  await accessible(checked, 'verify');

  // The record, with one name changed, is found out; so is what is no record at all.
  const record = await (await fetch(`${at.url}/api/tables/${name}/record`)).text();
  const forged = {
    name: 'forged.json',
    mimeType: 'application/json',
    buffer: Buffer.from(record.replace('"Ana"', '"Eve"')),
  };
  await checked.locator('input[type=file]').setInputFiles(forged);
  await checked.getByText('This is not proven.').waitFor();
  expect(await checked.locator('.checks li.failed').allInnerTexts()).toEqual([
    expect.stringContaining('was changed after it was written'),
  ]);
  await look(checked, 'verify-forged-desktop');
  await checked.locator('input[type=file]').setInputFiles({ ...forged, buffer: Buffer.from('nonsense') });
  await checked.getByText('This is no record that could be checked.').waitFor();

  // What the browser saw when it opened its number is compared too: other seals, or another set-up, are found out.
  await checked.evaluate((table) => {
    const all = JSON.parse(localStorage.getItem('caveau.numbers')!);
    all[table].on = all[table].on.replace('"A"', '"B"');
    localStorage.setItem('caveau.numbers', JSON.stringify(all));
  }, name);
  await checked.reload();
  await checked.getByText('This is not proven.').waitFor({ timeout: 30_000 });
  expect(await checked.locator('.checks li.failed').allInnerTexts()).toEqual([
    expect.stringContaining('other seals or another set-up'),
  ]);

  await ben.page.goto(`${at.url}/verify#${name}`);
  await ben.page.getByText('Всё в порядке.').waitFor({ timeout: 30_000 });
  await look(ben.page, 'verify-phone');
  await accessible(ben.page, 'verify-phone');

  // Somebody who was not there checks the same by the rules alone.
  const eve = await someone(with_, { language: 'fr', viewport: desktop });
  await eve.page.goto(`${at.url}/verify#${name}`);
  await eve.page.getByText('Tout est en ordre.').waitFor({ timeout: 30_000 });
  expect(await eve.page.locator('.checks li').count()).toBe(6);
  for (const person of [ana, ben, eve]) expect(person.errors).toEqual([]);
});

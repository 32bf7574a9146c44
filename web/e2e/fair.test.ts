import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
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
  await ana.page.locator('.asked .grave.lit').first().click();

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
  await checked.getByRole('heading', { name: 'Nobody chose this deal.' }).waitFor({ timeout: 30_000 });
  // Bots go by the names that they had at the table.
  await checked.getByText(/Keen bot C · /).waitFor();
  await checked.getByText('as long as one of Ana and Борис').waitFor();
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
  await ben.page.getByRole('heading', { name: 'Эту раздачу никто не выбирал.' }).waitFor({ timeout: 30_000 });
  await look(ben.page, 'verify-phone');
  await accessible(ben.page, 'verify-phone');

  // Somebody who was not there checks the same by the rules alone.
  const eve = await someone(with_, { language: 'fr', viewport: desktop });
  await eve.page.goto(`${at.url}/verify#${name}`);
  await eve.page.getByRole('heading', { name: 'Personne n’a choisi cette donne.' }).waitFor({ timeout: 30_000 });
  expect(await eve.page.locator('.checks li').count()).toBe(6);
  for (const person of [ana, ben, eve]) expect(person.errors).toEqual([]);
});

/** From when it is loaded, the page keeps the word to itself. */
async function keepsBack(page: Page, word: string) {
  await page.routeWebSocket(/\/ws/, (socket) => {
    const house = socket.connectToServer();
    socket.onMessage((message) => {
      if ((JSON.parse(String(message)) as { do: string }).do !== word) house.send(message);
    });
  });
}

/** All that the page says of the sealed deal from now on, however soon the next thing is said. */
async function overheard(page: Page): Promise<() => Promise<string>> {
  const told = await page.evaluateHandle(() => {
    const all: string[] = [];
    const panel = () => all.push(document.querySelector('[aria-labelledby=sealed]')?.textContent ?? '');
    new MutationObserver(panel).observe(document.body, { subtree: true, childList: true, characterData: true });
    return all;
  });
  return async () => (await told.jsonValue()).join('\n');
}

test('a number that is not opened in time begins the deal again, and everybody is told', async () => {
  const ana = await someone(with_, { look: 50 });
  const ben = await someone(with_, { look: 50, language: 'ru', viewport: phone });
  const eve = await someone(with_, { look: 50, language: 'fr' });
  await keepsBack(ben.page, 'unseal');
  await enter(ana.page, at.url, 'Ana');
  await enter(ben.page, at.url, 'Борис');
  const name = await table(ana.page, { seats: 3, bots: ['remembering:keen'], first: 'A' });
  await ana.page.goto(`${at.url}/t/${name}`);
  await ana.page.getByText('Ana has given a number').waitFor();
  await ben.page.goto(`${at.url}/t/${name}`);
  await ben.page.locator('li.free button').first().click();
  await enter(eve.page, at.url, 'Ève');
  await eve.page.goto(`${at.url}/t/${name}`);
  await eve.page.getByText('Ana et Борис ont donné chacun un nombre').waitFor();
  const heard = await Promise.all([ana, ben, eve].map(({ page }) => overheard(page)));
  await ana.page.locator('.start button').click();
  await ana.page.locator('.asked .grave.lit').first().waitFor();
  expect(await heard[0]!()).toContain('The number of Борис was not opened in time. All begins again');
  expect(await heard[1]!()).toContain('Борис: число не раскрыто вовремя. Всё начинается заново');
  expect(await heard[2]!()).toContain('Le nombre de Борис n’a pas été ouvert à temps. Tout recommence');

  // It stands in the log, for whoever comes late as well.
  await eve.page.reload();
  await eve.page.getByText('Le nombre de Борис n’a pas été ouvert à temps.').first().waitFor({ state: 'attached' });
  await ana.page.getByRole('button', { name: 'Table, seats and log' }).click();
  await ana.page.getByText('The number of Борис was not opened in time.').first().waitFor();
  await look(ana.page, 'sealed-again-log');
  await ana.page.getByRole('button', { name: 'Break off the game' }).click();
  await ana.page.getByRole('button', { name: 'Break it off, if the others agree?' }).click();
  await ben.page.getByRole('button', { name: 'Да', exact: true }).click();
  await ana.page.locator('section.end').waitFor();

  // The record says it, and what was possible; each browser compares it with what it saw of both attempts.
  await ana.page.goto(`${at.url}/verify#${name}`);
  await ana.page.getByRole('heading', { name: 'This deal was not the first.' }).waitFor({ timeout: 30_000 });
  await ana.page.getByText('could have rejected 1 deal that').waitFor();
  await ana.page.getByText('as long as Ana, whose number made the deal').waitFor();
  await ana.page.getByText('Attempt 1: Борис sealed a number, and it was not opened in time.').waitFor();
  await ana.page.getByText('its own number is among those that made the deal').waitFor();
  expect(await ana.page.getByText('Nobody chose this deal').count()).toBe(0);
  await look(ana.page, 'verify-again-desktop');
  await accessible(ana.page, 'verify-again');
  await ben.page.goto(`${at.url}/verify#${name}`);
  await ben.page.getByRole('heading', { name: 'Эта раздача не первая.' }).waitFor({ timeout: 30_000 });
  await ben.page.getByText('Ваш браузер раскрыл своё число, а в записи сказано, что нет.').waitFor();
  await look(ben.page, 'verify-again-phone');
  for (const person of [ana, ben, eve]) expect(person.errors).toEqual([]);
});

import { expect, test } from 'vitest';
import { accessible, at, desktop, enter, everySize, look, loses, phone, someone, table, tabTo, with_ } from './support';

test('whoever runs the house sees its tables and moderates them, and is named as who did it', async () => {
  const ana = await someone(with_);
  const ben = await someone(with_);
  const ada = await someone(with_, { viewport: desktop });
  await enter(ana.page, at.url, 'Ana');
  await enter(ben.page, at.url, 'Ben the Rude');
  const link = `${at.url}/t/${await table(ana.page, { seats: 3, bots: ['remembering:keen'], listed: true })}`;
  await table(ana.page, { seats: 2, bots: [], listed: false });
  await ana.page.goto(link);
  await ben.page.goto(link);
  await ben.page.locator('li.free button').first().click();
  await ana.page.getByRole('button', { name: 'Start the game' }).click();
  await ben.page.locator('.grave').first().waitFor();

  const key = at.ownersLink();
  const { page } = ada;
  await page.goto(key);
  const tables = page.locator('article');
  await expect.poll(() => tables.count()).toBe(2);
  expect(page.url()).toBe(`${at.url}/owner`);
  const one = tables.filter({ hasText: 'Ben the Rude' });
  await everySize(page, 'owner', [phone, desktop]);

  // By keyboard alone: the name is taken away, after a question.
  await page.setViewportSize(desktop);
  await one.getByRole('button', { name: 'Take the name away: Ben the Rude' }).focus();
  await page.keyboard.press('Enter');
  await one.getByText('Really take the name Ben the Rude away, at every table?').waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Take the name away');
  await page.keyboard.press('Enter');
  await tables.filter({ hasText: 'Somebody' }).waitFor();
  await ana.page.getByText('Somebody').first().waitFor();
  expect(await tables.filter({ hasText: 'Ben the Rude' }).count()).toBe(0);

  const somebodys = tables.filter({ hasText: 'Somebody' });
  await somebodys.getByRole('button', { name: 'Take it from the lobby' }).click();
  await somebodys.getByText('by its link only').waitFor();
  await somebodys.getByRole('button', { name: 'Turn out: Somebody' }).click();
  await somebodys.getByText(/^Really turn Somebody out/).waitFor();
  await somebodys.getByRole('button', { name: 'Turn out', exact: true }).click();
  await ben.page.getByText('Whoever runs the house has turned Somebody out.').first().waitFor();
  await page.getByLabel('Find a table by its link').fill(link);
  await page.getByRole('button', { name: 'Find' }).click();
  await expect.poll(() => tables.count()).toBe(1);
  await tables.getByRole('button', { name: 'Close the table' }).click();
  await tables.getByText(/^Really close it/).waitFor();
  await tables.getByRole('button', { name: 'Close the table' }).click();
  for (const who of [ana, ben]) {
    await who.page.getByRole('heading', { name: 'The table was closed.' }).waitFor();
    expect(await who.page.getByRole('button', { name: 'Again' }).count()).toBe(0);
  }
  await look(ana.page, 'owner-closed-game');
  await page.getByRole('button', { name: 'All tables' }).click();
  await expect.poll(() => tables.count()).toBe(1);

  // A table at which nobody was dealt anything is closed before the eyes of whoever waits there.
  await ana.page.goto(`${at.url}${await tables.getByRole('link').getAttribute('href')}`);
  await ana.page.getByRole('button', { name: 'Start the game' }).waitFor();
  await tables.getByRole('button', { name: 'Close the table' }).click();
  await tables.getByText(/^Really close it/).waitFor();
  await tables.getByRole('button', { name: 'Close the table' }).click();
  await ana.page.getByText('Whoever runs the house has closed the table.').waitFor();
  await page.getByText('There is none.').waitFor();

  // Whoever has no name any more is asked for another.
  await ben.page.goto(at.url);
  await enter(ben.page, at.url, 'Benedict');
  await ben.page.getByText('Good evening, Benedict.').waitFor();

  await page.getByRole('button', { name: 'Lock this page' }).click();
  await page.getByText('This page is for whoever runs the house.').waitFor();
  await page.goto(key);
  await page.getByText('That link was used already, or is too old.').waitFor();
  await everySize(page, 'owner-locked', [phone]);
  expect([...ana.errors, ...ben.errors, ...ada.errors].filter((said) => !said.includes('401'))).toEqual([]);
});

test('a house for invited people shows a stranger what to do, and lets him in by an invitation', async () => {
  const ana = await someone(with_);
  await enter(ana.page, at.url, 'Ana');
  const link = `${at.url}/t/${await table(ana.page, { seats: 2, bots: [] })}`;
  const ada = await someone(with_, { viewport: phone, language: 'fr' });
  const watcher = await someone(with_);
  await watcher.page.goto(link);
  await watcher.page.getByRole('button', { name: 'Just watch' }).click();
  await watcher.page.getByRole('heading', { name: 'Ana’s table' }).waitFor();

  const { page } = ada;
  await page.goto(at.ownersLink());
  await tabTo(page, 'input[type=radio]');
  await page.keyboard.press('ArrowDown');
  await page.getByText('C’est fait.').waitFor();
  await page.getByLabel('Pour qui ?').fill('Tante Ève');
  await page.getByRole('button', { name: 'Créer une invitation' }).click();
  await page.getByRole('img').waitFor();
  await everySize(page, 'owner-invitations', [phone]);
  await accessible(page, 'owner-invitations');
  const invitation = await page.getByLabel('Lien de l’invitation 1', { exact: true }).inputValue();

  // Whoever was looking on without a name is out.
  await watcher.page.getByRole('heading', { name: 'This house is for invited people' }).waitFor({ timeout: 30_000 });

  const eve = await someone(with_, { viewport: phone, language: 'ru' });
  await eve.page.goto(link);
  await eve.page.getByText('Ссылки на стол здесь мало.').waitFor();
  await everySize(eve.page, 'uninvited', [phone]);
  await eve.page.goto(`${invitation}x`);
  await eve.page.locator('form button.save').click();
  await eve.page.getByText('нужно приглашение, которое ещё действует').waitFor();
  await eve.page.goto(invitation);
  await eve.page.locator('form input').fill('Ева');
  await loses(eve, '**/api/guest');
  await eve.page.locator('form button.save').click();
  await eve.page.getByText('Сервер недоступен.').waitFor();
  await eve.page.locator('form button.save').click();
  await eve.page.getByText('Ева').first().waitFor();
  await expect.poll(() => eve.page.url()).toBe(`${at.url}/`);
  await eve.page.goto(link);
  await eve.page.locator('li.free button').first().click();
  await ana.page.goto(link);
  await ana.page.getByText('Ева').first().waitFor();

  // It was for one, and is taken back.
  await page.reload();
  await page.getByText('1 personne est venue').waitFor();
  await page.getByRole('button', { name: 'Reprendre' }).click();
  await page.getByText(/^Vraiment la reprendre/).waitFor();
  await page.getByRole('button', { name: 'Reprendre' }).click();
  await expect.poll(() => page.getByText('Tante Ève').count()).toBe(0);
  await page.getByLabel('Tout le monde').check();
  await page.getByText('C’est fait.').waitFor();
  await watcher.page.goto(at.url);
  await watcher.page.locator('form input').waitFor();
  expect(eve.errors.filter((said) => said.includes('ERR_FAILED'))).toHaveLength(1); // the answer that got lost
  const known = (said: string) => /403|WebSocket|ERR_FAILED/.test(said);
  expect([...ana.errors, ...ada.errors, ...eve.errors, ...watcher.errors].filter((said) => !known(said))).toEqual([]);
});

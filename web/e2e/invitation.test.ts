import { expect, test } from 'vitest';
import { archived } from './records';
import { at, enter, everySize, look, phone, sitDown, someone, table, with_ } from './support';

test('whoever opens the link of a table reads who invites him, to what, and with how many seats free', async () => {
  const ana = await someone(with_, { language: 'fr' });
  await enter(ana.page, at.url, 'Ana');
  const id = await table(ana.page, { seats: 4, bots: ['random'], language: 'fr' });
  const link = `${at.url}/t/${id}`;
  const ben = await someone(with_, { viewport: phone });
  await ben.page.goto(link);
  await ben.page.getByRole('heading', { name: 'Ana invites you to Dawn Under (2004)' }).waitFor();
  await ben.page.getByText('2 seats are still free.').waitFor();
  expect(await ben.page.getByRole('button', { name: 'Play now' }).count()).toBe(0);
  await everySize(ben.page, 'invited', [phone]);

  // What other programs read of the link is in the language of whoever made the table.
  const said = await ben.page.locator('meta[property="og:title"]').getAttribute('content');
  expect(said).toBe('Ana t’invite à De l’air épais dans le caveau');
  const picture = await ben.page.evaluate(async () => (await fetch('/invitation.jpg')).headers.get('content-type'));
  expect(picture).toBe('image/jpeg');

  await enter(ben.page, link, 'Ben');
  await ben.page.locator('li.free button').first().click();
  await ana.page.goto(link);
  await ana.page.getByText('Ben').first().waitFor();
  expect([...ana.errors, ...ben.errors]).toEqual([]);
});

test('during a game its code is in the menu, and can be handed on', async () => {
  const ana = await someone(with_, { viewport: phone });
  await ana.page.addInitScript(() => {
    navigator.share = async (what) => void (document.title = JSON.stringify(what));
  });
  await enter(ana.page, at.url, 'Ana');
  const link = await sitDown([ana], archived('2004-4'), 20);
  await ana.page.getByRole('button', { name: 'Table, seats and log' }).click();
  await ana.page.getByText('Invite your friends').first().click();
  await ana.page.getByRole('img', { name: 'QR code of this table’s link' }).waitFor();
  await look(ana.page, 'menu-invite-phone');
  await ana.page.getByRole('button', { name: 'Share' }).click();
  const { pathname } = new URL(link);
  await expect.poll(() => ana.page.title()).toContain(pathname);
  expect(ana.errors).toEqual([]);

  const ben = await someone(with_);
  await ben.page.goto(link);
  await ben.page.getByText('The game is on: come and watch.').waitFor();
  await ben.page.getByRole('button', { name: 'Just watch' }).click();
  await ben.page.locator('.grave').first().waitFor();
});

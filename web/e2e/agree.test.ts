import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  accessible,
  at,
  desktop,
  enter,
  everySize,
  look,
  phone,
  someone,
  table,
  tabTo,
  with_,
  type Person,
} from './support';

const panel = '.play .proposal';
const languages = ['en', 'fr', 'ru'] as const;

/** How many graves cannot be had from behind the panel, however one scrolls. */
const behind = (page: Page) =>
  page.evaluate((css) => {
    scrollTo(0, document.body.scrollHeight);
    const top = document.querySelector(css)!.getBoundingClientRect().top;
    const low = [...document.querySelectorAll('.grave')].filter((grave) => grave.getBoundingClientRect().bottom > top);
    scrollTo(0, 0);
    return low.length;
  }, panel);

/** The panel as everybody reads it, on a phone and on a desktop, in whatever language each has. */
async function everywhere(people: Person[], name: string) {
  await Promise.all(
    people.map(async ({ page }, i) => {
      await page.locator(panel).waitFor();
      for (const [size, on] of [
        [phone, 'phone'],
        [desktop, 'desktop'],
      ] as const) {
        await page.setViewportSize(size);
        await look(page, `agree-${name}-${languages[i]}-${on}`);
        expect(await behind(page), `graves behind the panel on a ${on}`).toBe(0);
      }
    }),
  );
}

test('three agree to free a seat, to have its player back, and to break the game off', async () => {
  const people = await Promise.all(languages.map((language) => someone(with_, { language })));
  const [ana, ben, cleo] = people as [Person, Person, Person];
  await enter(ana.page, at.url, 'Ana');
  const name = await table(ana.page, { seats: 4, bots: ['random'], first: 'A', botTime: [50, 100] });
  const link = `${at.url}/t/${name}`;
  await ana.page.goto(link);
  await enter(ben.page, link, 'Ben');
  await ben.page.getByRole('button', { name: 'S’asseoir ici Place B' }).click();
  await enter(cleo.page, link, 'Клеопатра Птолемеевна');
  await cleo.page.getByRole('button', { name: 'Сесть сюда Место C' }).click();
  await ana.page.getByRole('button', { name: 'Start the game' }).click();
  await ana.page.locator('.asked .grave.lit').first().waitFor();
  await cleo.page.locator('.grave').first().waitFor();

  // Ana wants Ben's seat to be free. Ben only hears of it, and the game goes on meanwhile.
  await ana.page.getByRole('button', { name: 'Table, seats and log' }).click();
  await ana.page.getByRole('button', { name: 'Free the seat Ben' }).click();
  await accessible(ana.page, 'agree-menu');
  await ana.page.setViewportSize(phone);
  await look(ana.page, 'agree-menu-phone');
  await ana.page.setViewportSize(desktop);
  await ana.page.getByRole('button', { name: 'Free it, if the others agree' }).click();
  await ana.page.keyboard.press('Escape');
  await everywhere(people, 'free');
  await accessible(cleo.page, 'agree-free');
  expect(await ben.page.locator(`${panel} button`).count()).toBe(0);
  expect(await ana.page.locator(`${panel} button`).allTextContents()).toEqual(['Take it back']);
  await ana.page.locator('.asked .grave.lit').first().click();
  await ana.page.locator('.side li').nth(3).waitFor();

  // Cleo agrees by the keyboard; her focus is not lost with the button.
  await cleo.page.locator('body').press('Tab');
  await tabTo(cleo.page, `${panel} button:first-child`);
  await cleo.page.keyboard.press('Enter');
  await ben.page.getByRole('button', { name: 'Reprendre ta place' }).waitFor();
  await cleo.page.locator(panel).waitFor({ state: 'detached' });
  expect(await cleo.page.evaluate(() => document.activeElement?.matches('.grave'))).toBe(true);

  // He wants to come back, and both agree.
  await ben.page.getByRole('button', { name: 'Reprendre ta place' }).click();
  await ana.page.getByRole('button', { name: 'Agree', exact: true }).click();
  await cleo.page.locator('.proposal .small', { hasText: 'Согласие дали: Ana' }).waitFor();
  await cleo.page.getByRole('button', { name: 'Да', exact: true }).click();
  await ben.page.locator('.notice', { hasText: 'Ben est de retour' }).waitFor();

  // One no is enough; then all agree that it is over.
  const breakOff = async () => {
    await ana.page.getByRole('button', { name: 'Table, seats and log' }).click();
    await ana.page.getByRole('button', { name: 'Break off the game' }).click();
    await ana.page.getByRole('button', { name: 'Break it off, if the others agree?' }).click();
  };
  await breakOff();
  await everywhere(people, 'break');
  await ben.page.getByRole('button', { name: 'Non', exact: true }).click();
  await ana.page.locator('.notice', { hasText: 'Ben says no.' }).waitFor();
  await breakOff();
  await ben.page.getByRole('button', { name: 'D’accord', exact: true }).click();
  await cleo.page.getByRole('button', { name: 'Да', exact: true }).click();
  await Promise.all(people.map(({ page }) => page.locator('section.end').waitFor()));
  expect([...ana.errors, ...ben.errors, ...cleo.errors]).toEqual([]);
});

test.each([
  ['fr', 'Fermer la table', 'Vraiment la fermer ? Plus personne ne pourra y venir', 'La grille est fermée'],
  ['ru', 'Закрыть стол', 'Точно закрыть? Никто больше не сможет за него сесть', 'Ворота закрыты'],
] as const)(
  'a host whose language is %s closes his table that waits, by keyboard',
  async (language, close, sure, gate) => {
    const host = await someone(with_, { language });
    const ivan = await someone(with_, { language: 'ru', viewport: phone });
    const eva = await someone(with_, { language: 'ru' });
    await enter(host.page, at.url, 'Anne-Joséphine');
    const link = `${at.url}/t/${await table(host.page, { seats: 3, bots: ['random'], listed: true })}`;
    await host.page.goto(link);
    await enter(ivan.page, link, 'Иван');
    await ivan.page.getByRole('button', { name: 'Сесть сюда Место B' }).click();
    await host.page.getByText('Иван').first().waitFor();
    expect(await ivan.page.getByRole('button', { name: 'Закрыть стол' }).count()).toBe(0);
    await enter(eva.page, link, 'Ева');
    await host.page.locator('.watchers').waitFor();

    await host.page.getByRole('button', { name: close, exact: true }).focus();
    await host.page.keyboard.press('Enter');
    await host.page.getByRole('button', { name: sure }).waitFor();
    expect(await host.page.evaluate(() => document.activeElement?.textContent)).toBe(sure);
    await everySize(host.page, `close-${language}`, [phone]);
    await host.page.keyboard.press('Enter');
    await ivan.page.getByText('Стол закрыт.').waitFor();
    await look(ivan.page, `closed-${language}-guest`);
    await host.page.getByRole('heading', { name: gate }).waitFor();
    await look(host.page, `closed-${language}`);
    await ivan.page.reload();
    await ivan.page.getByRole('heading', { name: 'Ворота закрыты' }).waitFor();
    await look(ivan.page, `closed-${language}-later`);
    expect([...host.errors, ...ivan.errors]).toEqual([]);
  },
);

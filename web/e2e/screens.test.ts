import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessible, asked, at, desktop, enter, look, move, over, phone, someone, tab, table, with_ } from './support';

/** The scenes that a game brings sooner or later, and how one knows them while a player is asked. */
const scenes: Record<string, string> = {
  play: '.cemetery:not(.plague) .grave.lit',
  'lid-open': '.choice',
  plague: '.cemetery.plague .grave.lit',
  gifts: '.hand button',
  giving: 'button.end',
};

test('every page fits the phone and the desktop, and anybody can use it', async () => {
  const ana = await someone(with_, { viewport: phone, look: 60 });
  const { page } = ana;
  await page.goto(at.url);
  await page.locator('form input').waitFor();
  await both(page, 'welcome', { checked: true });
  await enter(page, at.url, 'Ana');
  await page.getByRole('button', { name: 'New table' }).waitFor();
  await table(page, { seats: 3, bots: ['random'], listed: true });
  await table(page, { seats: 6, bots: ['remembering:keen', 'remembering:keen'], listed: true });
  await page.locator('article').nth(1).waitFor();
  await both(page, 'lobby', { checked: true });
  await page.getByRole('button', { name: 'New table' }).click();
  await page.getByLabel('2', { exact: true }).check();
  await page.getByRole('group', { name: 'Which 20 graves' }).getByLabel('We choose').check();
  await page.locator('.board button').nth(7).click();
  await both(page, 'setup', { checked: true });

  const name = await table(page, { seats: 4, bots: ['remembering:sharp', 'remembering:keen'], listed: false });
  await page.goto(`${at.url}/t/${name}`);
  await page.getByRole('button', { name: 'Start the game' }).waitFor();
  await both(page, 'before', { checked: true });
  expect(ana.errors).toEqual([]);
});

test('a game shows a lid open, a plague, gifts and the dawn, alike in two tabs of one player', async () => {
  const ana = await someone(with_, { viewport: phone, look: 60 });
  await enter(ana.page, at.url, 'Ana');
  const wide = await tab(ana.context, ana.errors);
  await wide.setViewportSize(desktop);
  const tabs: [Page, string][] = [
    [ana.page, 'phone'],
    [wide, 'desktop'],
  ];

  const seen = new Set<string>();
  for (let games = 0; games < 8 && seen.size < Object.keys(scenes).length; games++) {
    const name = await table(ana.page, {
      seats: 4,
      bots: ['remembering:keen', 'remembering:keen', 'remembering:dozy'],
      botTime: [0, 10],
    });
    for (const [page] of tabs) await page.goto(`${at.url}/t/${name}`);
    await ana.page.getByRole('button', { name: 'Start the game' }).click();
    // Either tab may make the move; the other one follows.
    for (let turn = 0; await asked(ana.page); turn++) {
      for (const [scene, sign] of Object.entries(scenes)) {
        if (seen.has(scene) || !(await ana.page.locator(sign).count())) continue;
        seen.add(scene);
        for (const [page, tag] of tabs) {
          await page.locator(sign).first().waitFor();
          await look(page, `${scene}-${tag}`);
        }
        await accessible(ana.page, scene);
      }
      await move(tabs[turn % 2]![0]);
    }
  }
  expect([...seen].sort()).toEqual(Object.keys(scenes).sort());
  for (const [page, tag] of tabs) {
    await page.locator(over).waitFor();
    await look(page, `end-${tag}`);
    await accessible(page, 'end');
  }
  expect(ana.errors).toEqual([]);
});

test('six with long names fit a phone, in Russian too, and the dialogs are for anybody', async () => {
  const ana = await someone(with_, { viewport: phone, language: 'ru' });
  await enter(ana.page, at.url, 'Анастасия-Елизавета фон Ш');
  const name = await table(ana.page, { seats: 6, bots: Array(5).fill('remembering:dozy') });
  await ana.page.goto(`${at.url}/t/${name}`);
  await ana.page.getByRole('button', { name: 'Начать игру' }).click();
  await asked(ana.page);
  await both(ana.page, 'six-russian', {});
  const graves = await ana.page.locator('.grave').evaluateAll((all) => all.map((g) => g.getBoundingClientRect().width));
  expect(Math.min(...graves)).toBeGreaterThanOrEqual(40);
  for (const [button, dialog] of [
    ['Правила и клавиши', 'help'],
    ['Настройки', 'settings'],
    ['Стол, места и журнал', 'menu'],
  ] as const) {
    await ana.page.getByRole('button', { name: button }).click();
    await both(ana.page, dialog, { checked: true });
    await ana.page.keyboard.press('Escape');
  }
  expect(ana.errors).toEqual([]);
});

async function both(page: Page, name: string, { checked = false }) {
  for (const [size, tag] of [
    [desktop, 'desktop'],
    [phone, 'phone'],
  ] as const) {
    await page.setViewportSize(size);
    await look(page, `${name}-${tag}`);
    if (checked) await accessible(page, `${name}-${tag}`);
  }
}

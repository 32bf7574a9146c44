import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { chance } from './house';
import { accessible, at, desktop, enter, look, over, phone, someone, table, tabTo, with_ } from './support';

const game = 'toc-toc-toc';
const tall = { width: 390, height: 844 };
const sizes = [
  [tall, 'phone'],
  [desktop, 'desktop'],
] as const;

const answer = '.answers button';
const choice = '.choices button';
const card = '.fan.lit button';

/** Waits until the page's player is asked, or all is over; tells which. */
async function asked(page: Page): Promise<boolean> {
  await page.locator([answer, choice, card, over].join(', ')).first().waitFor({ timeout: 20_000 });
  return (await page.locator(over).count()) === 0;
}

/** One move, any, by pressing what is there to be pressed; the button may be gone by then, for the time is up. */
async function move(page: Page, before: (scene: string) => Promise<void> = async () => {}) {
  const press = async (css: string) => {
    const n = await page.locator(css).count();
    if (n)
      await page
        .locator(css)
        .nth(chance(n))
        .click({ timeout: 3000 })
        .catch(() => undefined);
    return n > 0;
  };
  if (await page.locator(answer).count()) return before('answer').then(() => press(answer));
  if (await page.locator(choice).count()) {
    const sent = (await page.locator(choice).first().textContent())!;
    return before(/^(Take|Prendre|Увести)/.test(sent) ? 'lured' : 'kinds').then(() => press(choice));
  }
  await before('hand');
  if (!(await page.locator('.knocks.ready').count())) await press(`${card}[aria-pressed="false"]`);
  await before('doors');
  return press('.knocks.ready');
}

async function both(page: Page, name: string) {
  for (const [size, tag] of sizes) {
    await page.setViewportSize(size);
    await look(page, `${name}-${tag}`);
  }
  await accessible(page, name);
}

test('two people and a bot play a whole game, one in English, one in French, and a third looks on in Russian', async () => {
  const [ana, ben, eva] = await Promise.all([
    someone(with_, { look: 60 }),
    someone(with_, { language: 'fr', viewport: tall, look: 60 }),
    someone(with_, { language: 'ru', viewport: tall, look: 60 }),
  ]);
  await enter(ana.page, at.url, 'Ana');
  await ana.page.getByRole('button', { name: 'New table' }).click();
  await ana.page.getByRole('radio', { name: /^Toc Toc Toc/ }).check();
  await ana.page.getByLabel('3', { exact: true }).check();
  expect(await ana.page.getByRole('radio', { name: /^(2|6)$/ }).count()).toBe(0);
  await ana.page.getByLabel('Seat C', { exact: true }).selectOption('remembering:keen');
  await ana.page.getByLabel('Quickly').check();
  await both(ana.page, 'toc-setup');
  await ana.page.setViewportSize(desktop);
  await ana.page.getByRole('button', { name: 'Set up the table' }).click();
  await ana.page.waitForURL('**/t/*');
  const link = ana.page.url();
  await enter(ben.page, link, 'Benoît-Alexandre de la T');
  await ben.page.getByRole('button', { name: /^S’asseoir ici/ }).click();
  await eva.page.goto(link);
  await eva.page.getByRole('button', { name: 'Только смотреть' }).click();
  await both(ana.page, 'toc-before');
  await ana.page.setViewportSize(desktop);
  await ana.page.getByRole('button', { name: 'Start the game' }).click();
  await eva.page.locator('.castle').first().waitFor();
  expect(await eva.page.title()).toBe('Caveau — Toc Toc Toc');

  const seen = new Set<string>();
  const lookAt = (who: string, page: Page, own: { width: number; height: number }) => async (scene: string) => {
    const name = `toc-${scene}-${who}`;
    if (seen.has(name)) return;
    seen.add(name);
    await both(page, name);
    await page.setViewportSize(own);
    if (seen.has('toc-watch') || scene !== 'answer') return;
    seen.add('toc-watch');
    await both(eva.page, 'toc-watch-ru');
  };
  const play = async (who: string, page: Page, own: typeof tall) => {
    while (await asked(page)) await move(page, lookAt(who, page, own));
  };
  await Promise.all([play('en', ana.page, desktop), play('fr', ben.page, tall)]);
  expect([...seen]).toEqual(
    expect.arrayContaining(['toc-hand-en', 'toc-doors-en', 'toc-answer-en', 'toc-hand-fr', 'toc-answer-fr']),
  );
  for (const [who, { page }] of [
    ['en', ana],
    ['fr', ben],
    ['ru', eva],
  ] as const) {
    await page.locator(over).waitFor();
    await both(page, `toc-end-${who}`);
  }

  const record = await ana.page.evaluate(async () =>
    (await fetch(document.querySelector<HTMLAnchorElement>('a[download]')!.href)).json(),
  );
  expect(record).toMatchObject({ format: 'caveau/1', game });
  expect([...ana.errors, ...ben.errors, ...eva.errors]).toEqual([]);
});

test('five with long names fit a phone, in Russian, at a table that remembers everything', async () => {
  const ana = await someone(with_, { viewport: { width: 360, height: 640 }, language: 'ru', look: 60 });
  const { page } = ana;
  await enter(page, at.url, 'Анастасия-Елизавета фон Ш');
  const name = await table(page, {
    game,
    edition: '',
    seats: 5,
    bots: Array(4).fill('remembering:dozy'),
    aid: 'all',
    first: 'A',
    botTime: [0, 10],
  });
  await page.goto(`${at.url}/t/${name}`);
  await page.getByRole('button', { name: 'Начать игру' }).click();
  const seen = new Set<string>();
  for (let n = 0; await asked(page); n++) {
    await move(page, async (scene) => {
      const turn = `${scene}-${n < 8 ? 'early' : 'late'}`;
      if (seen.has(turn)) return;
      seen.add(turn);
      await page.setViewportSize({ width: 360, height: 640 });
      await look(page, `toc-five-${turn}-small`);
      await both(page, `toc-five-${turn}`);
    });
  }
  await both(page, 'toc-five-end');
  for (const [button, dialog] of [
    ['Правила и клавиши', 'help'],
    ['Стол, места и журнал', 'menu'],
  ] as const) {
    await page.getByRole('button', { name: 'Посмотреть на стол' }).click();
    await page.getByRole('button', { name: button }).click();
    await both(page, `toc-${dialog}-ru`);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Итог' }).click();
  }
  expect(ana.errors).toEqual([]);
});

const archived = (name: string) =>
  JSON.parse(readFileSync(resolve(import.meta.dirname, `../../record/testdata/archive/${name}.json`), 'utf8'));

/** Where something is on the screen. */
const edges = async (page: Page, css: string) => {
  const box = (await page.locator(css).boundingBox())!;
  return { top: box.y, bottom: box.y + box.height };
};

test('late in a game of five, and where the vamp brings a choice, nothing lies over the card that one is asked about', async () => {
  const ana = await someone(with_, { viewport: phone, language: 'ru', look: 60 });
  const { page } = ana;
  await enter(page, at.url, 'Анастасия-Елизавета фон');
  for (const [record, seats, ply, question] of [
    ['toc-toc-toc-5', 5, 73, '.answers'],
    ['toc-toc-toc-4', 4, 62, '.choices'],
  ] as const) {
    await page.setViewportSize(phone);
    const name = await table(page, {
      game,
      edition: '',
      seats,
      bots: Array(seats - 1).fill('random'),
      aid: 'all',
      record: archived(record),
      ply,
      botTime: [60_000, 60_000],
    });
    await page.goto(`${at.url}/t/${name}`);
    await page.locator('.start button').click();
    await page.locator(question).waitFor();
    await look(page, `toc-asked-${seats}-small`);
    const low = (await edges(page, 'section.mine')).top;
    expect((await edges(page, '.between .shown')).bottom).toBeLessThanOrEqual(low);
    // Side by side on a phone that lies on its side, all of it is in sight.
    await page.setViewportSize({ width: 844, height: 390 });
    await expect.poll(async () => (await edges(page, '.fan')).bottom).toBeLessThanOrEqual(390);
    await look(page, `toc-asked-${seats}-side`);
  }
  expect(ana.errors).toEqual([]);
});

test('a game is played to its end by keyboard alone: by letters, and by Tab, arrows and Enter', async () => {
  const ana = await someone(with_, { look: 60 });
  const { page } = ana;
  await enter(page, at.url, 'Ana');
  const name = await table(page, {
    game,
    edition: '',
    seats: 3,
    bots: ['random', 'random'],
    first: 'A',
    botTime: [0, 5],
  });
  await page.goto(`${at.url}/t/${name}`);
  await page.locator('.start button').waitFor();
  await tabTo(page, '.start button');
  await page.keyboard.press('Enter');
  for (let n = 0; await asked(page); n++) {
    const told = await page.locator('.side ol').innerText();
    if (n % 2) await byLetters(page, n);
    else await byTab(page);
    await expect.poll(() => page.locator('.side ol').innerText(), { timeout: 10_000 }).not.toBe(told);
  }
  await tabTo(page, 'section.end a.button');
  expect(ana.errors).toEqual([]);
});

async function byLetters(page: Page, n: number) {
  if (await page.locator(answer).count()) return page.keyboard.press(n % 3 ? 'KeyO' : 'KeyR');
  if (await page.locator(choice).count()) return page.keyboard.press('Digit2');
  if (!(await page.locator('.knocks.ready').count())) await page.keyboard.press('Digit1');
  await page.keyboard.press(n % 4 ? 'KeyB' : 'KeyC');
}

async function byTab(page: Page) {
  for (const kind of [answer, choice]) {
    if (!(await page.locator(kind).count())) continue;
    await tabTo(page, kind, 'Shift+Tab');
    return page.keyboard.press('Enter');
  }
  if (!(await page.locator('.knocks.ready').count())) {
    await tabTo(page, card);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
  }
  await tabTo(page, '.knocks.ready', 'Shift+Tab');
  await page.keyboard.press('Enter');
}

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { archived, door } from './records';
import { at, enter, everySize, look, over, phone, play, sitDown, someone, tabTo, tall, unfold, with_ } from './support';

const card = '.fan.lit button';

test('Toc Toc Toc is set up, for three to five', async () => {
  const ana = await someone(with_, { look: 60 });
  const { page } = ana;
  await enter(page, at.url, 'Ana');
  await page.getByRole('button', { name: 'New table' }).click();
  await page.getByRole('radio', { name: /^Toc Toc Toc/ }).check();
  await page.getByLabel('3', { exact: true }).check();
  expect(await page.getByRole('radio', { name: /^(2|6)$/ }).count()).toBe(0);
  await page.getByLabel('Seat C', { exact: true }).selectOption('remembering:keen');
  await unfold(page);
  await everySize(page, 'toc-setup');
  await page.getByRole('button', { name: 'Set up the table' }).click();
  await page.waitForURL('**/t/*');
  await page.locator('.start button').waitFor();
  await everySize(page, 'toc-before');
  await page.getByLabel('A bot for seat B').selectOption('random');
  await page.locator('.start button').click();
  await page.locator('.castle').first().waitFor();
  expect(await page.title()).toMatch(/Toc Toc Toc|turn/);
  expect(ana.errors).toEqual([]);
});

test.each(['en', 'fr', 'ru'] as const)(
  'what is asked at a party fits every size, in %s, and whoever watches sees it',
  async (language) => {
    const [ana, ben, cleo, eva] = await Promise.all([
      someone(with_, { look: 60, motion: false }),
      someone(with_, { look: 60, motion: false }),
      someone(with_, { look: 60, language, viewport: tall }),
      someone(with_, { look: 60, language, viewport: tall }),
    ]);
    const { page } = cleo;
    await enter(ana.page, at.url, 'Benoît-Alexandre de la T');
    await enter(ben.page, at.url, 'Ben');
    await enter(page, at.url, 'Cleo');
    const played = archived('toc-toc-toc-3');
    for (const [ply, scene, sign] of [
      [52, 'kinds', '.choices button'],
      [96, 'lured', '.choices button'],
      [75, 'hand', card],
      [74, 'answer', '.answers button'],
    ] as const) {
      const link = await sitDown([ana, ben, cleo], played, ply);
      await page.locator(sign).first().waitFor();
      await everySize(page, `toc-${scene}-${language}`);
      if (scene === 'hand') {
        await page.locator(card).first().click();
        await page.locator('.knocks.ready').first().waitFor();
        await everySize(page, `toc-doors-${language}`);
      } else if (scene === 'answer') {
        await eva.page.goto(link);
        await eva.page.locator('button.main, .castle').first().click();
        await eva.page.locator('.castle').first().waitFor();
        expect(await eva.page.title()).toBe(`Caveau — ${language === 'ru' ? 'Тук-тук-тук' : 'Toc Toc Toc'}`);
        await everySize(eva.page, `toc-watch-${language}`);
      }
    }
    await sitDown([ana, ben, cleo], played, 96);
    await play([ana, ben, cleo], played.moves.slice(96));
    await page.locator(over).waitFor();
    await everySize(page, `toc-end-${language}`);
    expect([ana, ben, cleo, eva].flatMap(({ errors }) => errors)).toEqual([]);
  },
);

test('five with long names fit a phone, in Russian, at a table that remembers everything', async () => {
  const ana = await someone(with_, { viewport: phone, language: 'ru', look: 60 });
  const ben = await someone(with_, { look: 60, motion: false });
  const { page } = ana;
  await enter(page, at.url, 'Анастасия-Елизавета фон Ш');
  await enter(ben.page, at.url, 'Борис-Владислав из рода Т');
  const five = archived('toc-toc-toc-5');
  for (const [ply, scene, sign] of [
    [4, 'early-hand', card],
    [28, 'early-answer', '.answers button'],
    [88, 'late-hand', card],
    [91, 'late-answer', '.answers button'],
  ] as const) {
    await sitDown([ana], five, ply, { aid: 'all' });
    await page.locator(sign).first().waitFor();
    await everySize(page, `toc-five-${scene}`);
    if (sign !== card) continue;
    await page.locator(card).first().click();
    await page.locator('.knocks.ready').first().waitFor();
    await everySize(page, `toc-five-${scene}-door`);
  }
  await sitDown([ana, ben], five, five.moves.length - 1, { aid: 'all' });
  await play([ana, ben], five.moves.slice(-1));
  await page.locator(over).waitFor();
  await everySize(page, 'toc-five-end');
  for (const [button, dialog] of [
    ['Правила и клавиши', 'help'],
    ['Стол, места и журнал', 'menu'],
  ] as const) {
    await page.getByRole('button', { name: 'Посмотреть на стол' }).click();
    await page.getByRole('button', { name: button }).click();
    await everySize(page, `toc-${dialog}-ru`);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Итог' }).click();
  }
  expect(ana.errors).toEqual([]);
});

/** Where something is on the screen. */
const edges = async (page: Page, css: string) => {
  const box = (await page.locator(css).boundingBox())!;
  return { top: box.y, bottom: box.y + box.height };
};

test('late in a game of five, and where the vamp brings a choice, nothing lies over the card that one is asked about', async () => {
  const ana = await someone(with_, { viewport: phone, language: 'ru', look: 60 });
  const { page } = ana;
  await enter(page, at.url, 'Анастасия-Елизавета фон');
  for (const [record, ply, question] of [
    ['toc-toc-toc-5', 73, '.answers'],
    ['toc-toc-toc-4', 62, '.choices'],
  ] as const) {
    await page.setViewportSize(phone);
    await sitDown([ana], archived(record), ply, { aid: 'all' });
    await page.locator(question).waitFor();
    await look(page, `asked-${record}-small`);
    const low = (await edges(page, 'section.mine')).top;
    expect((await edges(page, '.between .shown')).bottom).toBeLessThanOrEqual(low);
    // Side by side on a phone that lies on its side, all of it is in sight.
    await page.setViewportSize({ width: 844, height: 390 });
    await expect.poll(async () => (await edges(page, '.fan')).bottom).toBeLessThanOrEqual(390);
    await look(page, `asked-${record}-side`);
  }
  expect(ana.errors).toEqual([]);
});

test('a party is played to its end by keyboard alone: by letters, and by Tab, arrows and Enter', async () => {
  const ana = await someone(with_, { look: 60 });
  const ben = await someone(with_, { look: 60, motion: false });
  const cleo = await someone(with_, { look: 60, motion: false });
  const { page } = ana;
  await enter(page, at.url, 'Ana');
  await enter(ben.page, at.url, 'Ben');
  await enter(cleo.page, at.url, 'Cleo');
  const played = archived('toc-toc-toc-3');
  await sitDown([ana, ben, cleo], played, 69);
  let n = 0;
  for (const move of played.moves.slice(69)) {
    if (!move.startsWith('A')) await play([ana, ben, cleo], [move]);
    else if (n++ % 2) await byTab(page, move.slice(2));
    else await byLetters(page, move.slice(2));
  }
  await page.locator(over).waitFor();
  await tabTo(page, 'section.end a.button');
  expect(ana.errors).toEqual([]);
});

/** Which of these elements bears the word, counted from 1; waits until it is there. */
async function place(page: Page, all: string, word: string): Promise<number> {
  await page.locator(`${all}[data-word="${word}"]`).first().waitFor();
  return (
    1 +
    (await page
      .locator(all)
      .evaluateAll((all, w) => all.findIndex((one) => (one as HTMLElement).dataset['word'] === w), word))
  );
}

async function byLetters(page: Page, move: string) {
  const [word, first, second] = move.split(' ');
  if (word === 'knock') {
    await page.keyboard.press(`Digit${await place(page, card, second!)}`);
    await page.locator(door(first!)).waitFor();
    await page.keyboard.press(`Key${first}`);
  } else if (word === 'choose') {
    await page.keyboard.press(`Digit${await place(page, '.choices button', first!)}`);
  } else {
    await page.locator('.answers button').first().waitFor();
    await page.keyboard.press(word === 'accept' ? 'KeyO' : 'KeyR');
  }
}

async function byTab(page: Page, move: string) {
  const [word, first, second] = move.split(' ');
  if (word === 'knock') {
    const wanted = await place(page, card, second!);
    await tabTo(page, card);
    await page.keyboard.press('Home');
    for (let i = 1; i < wanted; i++) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.locator(door(first!)).waitFor();
    await tabTo(page, door(first!), 'Shift+Tab');
  } else if (word === 'choose') {
    await place(page, '.choices button', first!);
    await tabTo(page, `.choices [data-word="${first}"]`, 'Shift+Tab');
  } else {
    await page.locator(`.answers .${word}`).waitFor();
    await tabTo(page, `.answers .${word}`, 'Shift+Tab');
  }
  await page.keyboard.press('Enter');
}

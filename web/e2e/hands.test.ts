import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { archived, grave } from './records';
import { at, enter, play, sitDown, someone, tabTo, with_ } from './support';

/** Makes the move with the letters and the arrows that the help page names. */
async function byKeys(page: Page, move: string) {
  const [word, first, second] = move.split(' ');
  const end = (side: string) => page.keyboard.press(side === 'left' ? 'KeyL' : 'KeyR');
  switch (word) {
    case 'open':
      await page.locator(grave(first!)).waitFor();
      await page.keyboard.press('KeyB');
      await byArrows(page, first!);
      return page.keyboard.press('Enter');
    case 'rest':
    case 'give':
      await page.locator(`button.end.${first}`).waitFor();
      return end(first!);
    case 'take':
      await page.locator(`.hand [data-word="${first}"]`).first().waitFor();
      for (let n = 1; !(await page.locator(`.hand .picked[data-word="${first}"]`).count()); n++)
        await page.keyboard.press(`Digit${n}`);
      return end(second!);
    case 'stop':
      await page.locator('.prompt button.main').waitFor();
      return page.keyboard.press('KeyS');
    default:
      await page.locator(`.choice [data-word="${word}"]`).waitFor();
      return page.keyboard.press(word === 'garlic' ? 'KeyG' : 'KeyE');
  }
}

/** Goes to a grave by the arrows, along the rank and along the file in turn: both ways are around the column. */
async function byArrows(page: Page, to: string) {
  for (let i = 0; i < 20; i++) {
    const from = await page.evaluate(() => document.activeElement!.getAttribute('data-at')!);
    if (from === to) return;
    const across = from[0]! < to[0]! ? 'ArrowRight' : 'ArrowLeft';
    const along = from[1]! < to[1]! ? 'ArrowUp' : 'ArrowDown';
    await page.keyboard.press(from[1] === to[1] || (i % 2 && from[0] !== to[0]) ? across : along);
  }
  throw new Error(`no way to ${to} by the arrows`);
}

test('a table is made, and begun, with the keyboard alone', async () => {
  const ana = await someone(with_, { look: 100 });
  const { page } = ana;
  await page.goto(at.url);
  await page.locator('form input').waitFor();
  await tabTo(page, 'form input');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Ana');
  await page.keyboard.press('Enter');
  await page.locator('.ways button').waitFor();
  await tabTo(page, '.ways button');
  await page.keyboard.press('Enter');
  for (const seat of ['Seat B', 'Seat C', 'Seat D']) {
    await tabTo(page, `select[aria-label="${seat}"]`);
    // The last of the list is the strongest.
    await page.keyboard.press('End');
  }
  await tabTo(page, 'summary');
  await page.keyboard.press('Enter');
  await tabTo(page, 'input[name="slow"]');
  await page.keyboard.press('ArrowRight');
  await tabTo(page, 'form button.main');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/t/*');
  await page.locator('.play main').waitFor();
  await page.keyboard.press('Shift+Slash');
  await page.locator('dialog[open]').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('dialog[open]').waitFor({ state: 'detached' });
  expect(ana.errors).toEqual([]);
});

test('whatever a game of Dawn Under asks is answered with the keyboard alone', async () => {
  const ana = await someone(with_, { look: 60 });
  const ben = await someone(with_, { look: 60, motion: false });
  await enter(ana.page, at.url, 'Ana');
  await enter(ben.page, at.url, 'Ben');
  const played = archived('2004-2');
  // Garlic, a plague and its gifts; then gifts both ways, and one who is laid to rest.
  for (const [from, to] of [
    [10, 26],
    [56, 69],
  ] as const) {
    await sitDown([ana, ben], played, from);
    for (const move of played.moves.slice(from, to)) {
      if (move.startsWith('A')) await byKeys(ana.page, move.slice(2));
      else await play([ana, ben], [move]);
    }
    // Ben's page is there, too, where the record goes on.
    await play([ana, ben], played.moves.slice(to, to + 1));
  }
  expect([...ana.errors, ...ben.errors]).toEqual([]);
});

test('a network that goes away and comes back costs nothing: no reload, no lost move', async () => {
  const ana = await someone(with_, { look: 100 });
  const ben = await someone(with_, { look: 100, motion: false });
  const { page, context } = ana;
  await enter(page, at.url, 'Ana');
  await enter(ben.page, at.url, 'Ben');
  const { moves, ...rest } = archived('2017-2b');
  await sitDown([ana, ben], { moves, ...rest }, 0);
  await page.evaluate(() => Object.assign(window, { sameAsEver: true }));

  await play([ana, ben], moves.slice(0, 1));
  await context.setOffline(true);
  await page.locator('.trouble.shown').waitFor();
  await context.setOffline(false);
  await page.locator('.trouble:not(.shown)').waitFor({ state: 'attached' });

  // A move that is said while the line is down is made when it is up again.
  await page.locator(grave('g1')).waitFor();
  await context.setOffline(true);
  await page.locator('.trouble.shown').waitFor();
  await play([ana, ben], moves.slice(1, 2));
  await page.locator('.prompt:not(.mine)').waitFor();
  const before = await page.locator('.side li').count();
  await context.setOffline(false);
  await expect.poll(() => page.locator('.side li').count(), { timeout: 10_000 }).toBeGreaterThan(before);

  // What others do while it is down is seen when it is up again.
  await play([ana, ben], moves.slice(2, 5));
  await context.setOffline(true);
  await page.locator('.trouble.shown').waitFor();
  await play([ana, ben], moves.slice(5, 7));
  await context.setOffline(false);
  await play([ana, ben], moves.slice(7, 10));
  expect(await page.evaluate(() => 'sameAsEver' in window)).toBe(true);
  expect(ana.errors.filter((e) => !e.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
});

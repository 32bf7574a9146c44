import { expect, test } from 'vitest';
import { archived } from './records';
import { accessible, at, desktop, enter, everySize, over, phone, play, sitDown, someone, with_ } from './support';

// One's own games that are over: how they went, the way to see each again, and how one is taken from the list.

test.each(['en', 'fr', 'ru'] as const)('games that are over stand on my list, in %s', async (language) => {
  const ana = await someone(with_, { viewport: phone, look: 60, language });
  const { page } = ana;
  await enter(page, at.url, 'Ana');
  await page.locator('a[href="/games"]').click();
  await page.locator('main .panel.soft').waitFor();
  for (const record of ['2004-6', 'toc-toc-toc-4']) {
    const played = archived(record);
    await sitDown([ana], played, played.moves.length - 1);
    await play([ana], played.moves.slice(-1));
    await page.locator(over).waitFor();
  }
  await page.goto(`${at.url}/games`);
  await page.locator('main li').nth(1).waitFor();
  expect(await page.locator('main li').count()).toBe(2);
  await everySize(page, `games-${language}`, [phone, desktop]);
  await accessible(page, `games-${language}`);
  if (language !== 'en') return;
  await page.locator('main li').first().getByRole('button', { name: 'Take from my list: Toc Toc Toc' }).click();
  await page.getByRole('button', { name: 'Take it away' }).click();
  await page.locator('main li').nth(1).waitFor({ state: 'detached' });
  await page.reload();
  await page.locator('main li').first().waitFor();
  expect(await page.locator('main li').count()).toBe(1);
  await page.locator('main li a').click();
  await page.getByLabel('Moves').waitFor();
  expect(ana.errors).toEqual([]);
});

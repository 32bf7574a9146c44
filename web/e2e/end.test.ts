import { expect, test } from 'vitest';
import { archived } from './records';
import { at, enter, everySize, look, over, phone, sitDown, someone, with_ } from './support';

// What there is to see when a game is over.

for (const [name, ply] of [
  ['2004-4', 120],
  ['toc-toc-toc-4', 60],
] as const)
  test(`${name}: in the end all is uncovered`, async () => {
    const ana = await someone(with_, { viewport: phone, look: 300 });
    const { page } = ana;
    await enter(page, at.url, 'Ana');
    await sitDown([ana], archived(name), ply);
    const hidden = page.locator('.grave:not(.open):not(.bare), .down, .castle:not(.own):not(:has(.recall))');
    await expect.poll(() => hidden.count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Table, seats and log' }).click();
    for (const word of ['Break off the game', 'Really break it off'])
      await page.getByRole('button', { name: word }).click();
    await page.locator(over).waitFor();
    await everySize(page, `end-${name}`, [phone]);
    await page.getByRole('button', { name: 'Look at the table' }).click();
    await everySize(page, `end-${name}-table`, [phone]);
    expect(await hidden.count()).toBe(0);
    await page.reload();
    await page.locator(over).waitFor();
    expect(await hidden.count()).toBe(0);
    await look(page, `end-${name}-again`);
    expect(ana.errors).toEqual([]);
  });

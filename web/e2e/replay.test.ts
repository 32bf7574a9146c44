import { expect, test } from 'vitest';
import { archived } from './records';
import { at, desktop, enter, everySize, over, phone, sitDown, someone, with_ } from './support';

// A game that is over is played again.

test.each([
  ['2004-4', 41],
  ['toc-toc-toc-4', 40],
] as const)(
  '%s: forwards and backwards, with all open or through somebody’s eyes, and on from there',
  async (name, ply) => {
    const ana = await someone(with_, { viewport: desktop, look: 60, motion: false });
    const { page } = ana;
    await enter(page, at.url, 'Ana');
    const link = await sitDown([ana], archived(name), ply);
    await page.getByRole('button', { name: 'Table, seats and log' }).click();
    for (const word of ['Break off the game', 'Really break it off'])
      await page.getByRole('button', { name: word }).click();
    await page.locator(over).getByRole('link', { name: 'Replay' }).click();
    const slider = page.getByLabel('Moves');
    const closed = page.locator('.grave:not(.open):not(.bare), .castle:not(:has(.recall))');
    await slider.waitFor();
    expect(await slider.getAttribute('max')).toBe(String(ply));
    expect(await closed.count()).toBe(0);

    // By keyboard, move by move and turn by turn.
    for (const [key, moment] of [
      ['End', ply],
      ['ArrowLeft', ply - 1],
      ['Home', 0],
      ['ArrowRight', 1],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(() => slider.inputValue()).toBe(String(moment));
    }
    await page.keyboard.press('PageDown');
    await expect.poll(async () => Number(await slider.inputValue())).toBeGreaterThan(1);
    await page.setViewportSize(phone);
    await slider.fill('20');
    await everySize(page, `replay-${name}`, [phone]);

    // Through B's eyes something is hidden again; the link leads to the same moment.
    await page.getByLabel('Through whose eyes').selectOption('B');
    await expect.poll(() => closed.count()).toBeGreaterThan(0);
    await expect.poll(() => page.url()).toContain('#20-B');
    await page.reload();
    await expect.poll(() => slider.inputValue()).toBe('20');
    expect(await page.getByLabel('Through whose eyes').inputValue()).toBe('B');

    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await expect.poll(async () => Number(await slider.inputValue()), { timeout: 20_000 }).toBeGreaterThan(21);
    await page.getByRole('button', { name: 'Play on from here' }).click();
    await page.waitForURL((url) => url.pathname.startsWith('/t/') && url.pathname !== new URL(link).pathname);
    await page.locator('.play main').waitFor();
    expect(ana.errors).toEqual([]);
  },
);

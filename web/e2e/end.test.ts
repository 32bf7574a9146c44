import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { archived } from './records';
import { keep } from './keep';
import { at, enter, everySize, look, over, phone, sitDown, someone, with_ } from './support';

// What there is to see when a game is over.

/** How large a picture is, and how many of its pixels have nearly each of these colours. */
const painted = (page: Page, file: Buffer, colours: string[]) =>
  page.evaluate(
    async ([file, colours]) => {
      const bytes = Uint8Array.from(atob(file), (c) => c.charCodeAt(0));
      const { width, height, data } = await createImageBitmap(new Blob([bytes])).then((image) => {
        const paper = new OffscreenCanvas(image.width, image.height).getContext('2d')!;
        paper.drawImage(image, 0, 0);
        return paper.getImageData(0, 0, image.width, image.height);
      });
      const pixels = colours.map((colour) => {
        const part = (i: number) => parseInt(colour.slice(1 + 2 * i, 3 + 2 * i), 16);
        let n = 0;
        for (let at = 0; at < data.length; at += 4) n += +[0, 1, 2].every((i) => Math.abs(data[at + i]! - part(i)) < 6);
        return n;
      });
      return { size: [width, height], pixels };
    },
    [file.toString('base64'), colours] as const,
  );

for (const [name, ply, dancer] of [
  ['2004-4', 120, '#f0bf2d'],
  ['toc-toc-toc-4', 60, '#8f86c2'],
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
    await page.getByRole('button', { name: 'A picture' }).click();
    await everySize(page, `end-${name}-picture`, [phone]);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save the picture' }).click();
    const saved = readFileSync(await (await download).path());
    keep(`end-${name}-picture-saved`, saved);
    // Everybody's letter, and who dances: nothing of the page that the drawing leans on was left behind.
    const drawn = await painted(page, saved, ['#ffb45e', dancer]);
    expect(drawn.size).toEqual([2400, 1260]);
    for (const n of drawn.pixels) expect(n).toBeGreaterThan(300);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Look at the table' }).click();
    await everySize(page, `end-${name}-table`, [phone]);
    expect(await hidden.count()).toBe(0);
    await page.reload();
    await page.locator(over).waitFor();
    expect(await hidden.count()).toBe(0);
    await look(page, `end-${name}-again`);
    expect(ana.errors).toEqual([]);
  });

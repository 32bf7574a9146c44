import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { binary } from './house';
import { at, enter, over, someone, unfold, with_, written } from './support';

// Run by `npm run e2e:third`, against a house that was built with the third game.

test.runIf(existsSync(binary) && process.env['CAVEAU_THIRD'])(
  'a game that nobody is served is set up and played against a bot',
  async () => {
    const ana = await someone(with_, { look: 50 });
    const { page } = ana;
    await enter(page, at.url, 'Ana');
    await page.getByRole('button', { name: 'New table' }).click();
    await page.getByRole('radio', { name: /^Pebbles/ }).check();
    await page.getByLabel('2', { exact: true }).check();
    await unfold(page);
    await page.getByLabel('How many pebbles each?').selectOption('2 pebbles each');
    await page.getByLabel('Seat B', { exact: true }).selectOption('random');
    await page.getByRole('button', { name: 'Start the game' }).click();
    for (const move of ['.moves button', '.moves button:nth-child(2)']) {
      await page.locator(move).first().click();
      await page.locator('.prompt:not(.mine)').waitFor();
    }
    await page.locator(over).waitFor();
    expect(await page.locator('.end li').allInnerTexts()).toEqual([
      expect.stringMatching(/^Ana: /),
      expect.stringMatching(/^\p{L}+: /u),
    ]);
    expect(await written(page)).toMatchObject({ format: 'caveau/1', game: 'pebbles' });
    expect(ana.errors).toEqual([]);
  },
);

import { expect, test } from 'vitest';
import { at, desktop, enter, playToTheEnd, someone, table, with_ } from './support';

test('a whole game of Dawn Under, short because everyone has few vampires', async () => {
  const ana = await someone(with_, { viewport: desktop, look: 60 });
  const { page } = ana;
  await enter(page, at.url, 'Ana');
  await page.locator('button.new').waitFor();
  const plan = { edition: '2017', options: { maxVampires: 2 }, seats: 3, first: 'A', bots: ['random', 'random'] };
  const name = await table(page, { ...plan, botTime: [0, 5] });
  await page.goto(`${at.url}/t/${name}`);
  await page.locator('.start button').click();
  await playToTheEnd(page);
  const record = await page.evaluate(async () =>
    (await fetch(document.querySelector<HTMLAnchorElement>('a[download]')!.href)).json(),
  );
  expect(record).toMatchObject({ format: 'caveau/1', edition: '2017' });
  expect(ana.errors).toEqual([]);
});

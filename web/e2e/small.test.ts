import { expect, test } from 'vitest';
import { archived } from './records';
import { at, enter, look, over, phone, play, sitDown, someone, with_ } from './support';

// What once did not fit a phone, or was not there.

test.each(['2004-6', 'toc-toc-toc-4'])(
  '%s on a phone on its side: what there is to do at the end is seen',
  async (record) => {
    const ana = await someone(with_, { viewport: { width: 844, height: 390 }, look: 60 });
    await enter(ana.page, at.url, 'Ana');
    const played = archived(record);
    await sitDown([ana], played, played.moves.length - 1);
    await play([ana], played.moves.slice(-1));
    await ana.page.locator(over).waitFor();
    await look(ana.page, `end-side-${record}`);
    for (const button of await ana.page.locator(`${over} .row > *`).all()) {
      await expect.poll(async () => (await button.boundingBox())!.y).toBeGreaterThan(0);
      const { y, height } = (await button.boundingBox())!;
      expect(y + height, (await button.textContent())!).toBeLessThanOrEqual(390);
    }
  },
);

test('in the French menu of a phone every name is read whole', async () => {
  const ana = await someone(with_, { viewport: phone, look: 60, language: 'fr' });
  const ben = await someone(with_, { viewport: phone, look: 60, language: 'fr' });
  await enter(ana.page, at.url, 'Anastasia Kirillovna');
  await enter(ben.page, at.url, 'Maximilien de Bourg');
  await sitDown([ana, ben], archived('rucola-4a'), 16);
  await ana.page.locator('.bar .menu').last().click();
  const names = ana.page.locator('dialog .who');
  await names.first().waitFor();
  await look(ana.page, 'menu-fr');
  const clipped = await names.evaluateAll((all) =>
    all.filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.textContent),
  );
  expect(clipped).toEqual([]);
});

test('an unknown address is answered in the house’s look, and leads home', async () => {
  const ana = await someone(with_, { viewport: phone, language: 'ru' });
  const answer = await ana.page.goto(`${at.url}/no/such/page`);
  expect(answer!.status()).toBe(404);
  await ana.page.getByRole('heading', { name: 'Здесь никто не покоится' }).waitFor();
  await look(ana.page, 'nowhere-ru');
  await ana.page.getByRole('button', { name: 'К списку столов' }).click();
  await ana.page.locator('form').waitFor();
  expect(new URL(ana.page.url()).pathname).toBe('/');
});

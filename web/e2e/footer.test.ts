import { expect, test } from 'vitest';
import { at, enter, look, phone, someone, unfold, with_ } from './support';

test('whoever sets up a table by keyboard sees on a phone where he is, above what sticks to the lower edge', async () => {
  const { page, errors } = await someone(with_, { viewport: phone });
  await enter(page, at.url, 'Ana');
  await page.getByRole('button', { name: 'New table' }).click();
  await page.getByLabel('2', { exact: true }).check();
  await unfold(page);
  await page.getByRole('group', { name: 'Which 20 graves' }).getByLabel('We choose').check();
  await page.evaluate(() => scrollTo(0, 0));
  await page.locator('header .home').focus();
  const hidden: string[] = [];
  let stops = 0;
  for (let way = 0; way < 80; way++) {
    await page.keyboard.press('Tab');
    const [inFooter, below, what] = await page.evaluate(() => {
      const footer = document.querySelector('form .end')!;
      const here = document.activeElement!;
      // Of a choice the label is what one sees.
      const seen = here.closest('label') ?? here;
      const below = seen.getBoundingClientRect().bottom - footer.getBoundingClientRect().top;
      return [footer.contains(here), below, here.outerHTML.slice(0, 80)] as const;
    });
    if (inFooter) break;
    stops++;
    if (below > 0) hidden.push(`${what}: ${below}`);
    if (stops === 12) await look(page, 'setup-focus-phone');
  }
  expect(stops).toBeGreaterThan(10);
  expect(hidden).toEqual([]);
  expect(errors).toEqual([]);
});

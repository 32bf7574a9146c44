import { expect, test } from 'vitest';
import { archived } from './records';
import { at, enter, over, play, sitDown, someone, tab, table, type Person, unfold, with_ } from './support';

/** Whatever the policy of a page forbids is written down: which directive, where, and what it was. */
async function watched(): Promise<Person & { broken: string[] }> {
  const ana = await someone(with_, { look: 50 });
  const broken: string[] = [];
  await ana.context.exposeFunction('broke', (what: string) => void broken.push(what));
  await ana.context.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', (e) =>
      (window as unknown as { broke(what: string): void }).broke(
        `${e.effectiveDirective} at ${e.sourceFile}:${e.lineNumber} ${e.sample}`,
      ),
    ),
  );
  return { ...ana, page: await tab(ana.context, ana.errors), broken };
}

test('no page breaks its own policy', async () => {
  const ana = await watched();
  const { page } = ana;
  await page.goto(at.url);
  await page.locator('form input').waitFor();
  await enter(page, at.url, 'Ana');
  await table(page, { seats: 3, bots: ['random'], listed: true });
  await page.getByRole('button', { name: 'New table' }).click();
  await page.getByLabel('2', { exact: true }).check();
  await unfold(page);
  await page.getByRole('group', { name: 'Which 20 graves' }).getByLabel('We choose').check();
  await page.locator('.board button').nth(7).click();

  // Every board, with pieces that fly; one game comes to its end.
  const ben = await someone(with_, { look: 50 });
  await enter(ben.page, at.url, 'Ben');
  for (const [record, from, to] of [
    ['rucola-2a', 60, 62],
    ['toc-toc-toc-3', 4, 6],
    ['2017-2b', -8, undefined],
  ] as const) {
    const played = archived(record);
    await sitDown([ana, ben], played, (played.moves.length + from) % played.moves.length);
    await play([ana, ben], played.moves.slice(from, to));
    await page.getByRole('button', { name: 'Table, seats and log' }).click();
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.keyboard.press('Escape');
  }
  await page.locator(over).waitFor();

  for (const path of [
    '/rules',
    '/rules/2004',
    '/rules/rucola',
    '/rules/2017',
    '/rules/toc-toc-toc',
    '/privacy',
    '/no/such/page',
    '/i/7-x3',
  ]) {
    await page.goto(at.url + path);
    await page.locator('h1, h2').first().waitFor();
    for (const figure of await page.locator('img').all()) await figure.scrollIntoViewIfNeeded();
  }
  await page.goto(at.ownersLink());
  await page.getByRole('button', { name: 'Make an invitation' }).click();
  await page.getByRole('img').waitFor();
  await page.goto(`${at.url}/verify`);
  const record = {
    name: 'game.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(archived('2004-2'))),
  };
  await page.locator('input[type=file]').setInputFiles(record);
  await page.locator('.checks li').first().waitFor({ timeout: 30_000 });

  // That the listener hears is shown by a style that stands in the page, which is one of the things that are forbidden.
  expect(ana.broken).toEqual([]);
  expect(ana.errors.filter((said) => !said.includes('404'))).toEqual([]);
  await page.evaluate(() => document.body.setAttribute('style', 'color: red'));
  await expect.poll(() => ana.broken).toEqual([expect.stringContaining('style-src-attr')]);
});

import { expect, test } from 'vitest';
import { accessible, at, desktop, enter, everySize, look, phone, someone, table, tall, with_ } from './support';

test('a link from the table makes the phone the same guest, who is asked first, and once', async () => {
  const [ana, phone, late] = await Promise.all([
    someone(with_, { look: 60, motion: false }),
    someone(with_, { look: 60, motion: false, viewport: tall }),
    someone(with_, { look: 60, motion: false, language: 'fr', viewport: tall }),
  ]);
  await enter(ana.page, at.url, 'Ana');
  const set = { game: 'toc-toc-toc', edition: '', seats: 3, bots: ['random', 'random'], first: 'A' };
  const id = await table(ana.page, { ...set, botTime: [60_000, 60_000] });
  await ana.page.goto(`${at.url}/t/${id}`);
  await ana.page.locator('.start button').click();
  await ana.page.locator('.fan').waitFor();
  await ana.page.getByRole('button', { name: 'Table, seats and log' }).click();
  await ana.page.getByText('Continue on another device').click();
  const link = await ana.page.getByLabel('Link for my other device').inputValue();
  await ana.page.getByAltText('Continue on another device').scrollIntoViewIfNeeded();
  await look(ana.page, 'move-link');

  const asked: string[] = [];
  phone.page.on('request', (request) => asked.push(request.url() + (request.headers()['referer'] ?? '')));
  const secret = /#(\w+)\./.exec(link)![1]!;
  await phone.page.goto(link);
  await phone.page.getByRole('heading', { name: 'Play as Ana on this device?' }).waitFor();
  await look(phone.page, 'move-asked');
  // What one only looks at is not used up, and its secret stands in no address.
  expect(phone.page.url()).toBe(`${at.url}/move`);
  await late.page.goto(link);
  await late.page.getByRole('heading', { name: /Jouer sous le nom d’Ana/ }).waitFor();
  await phone.page.getByRole('button', { name: 'Play as Ana' }).click();
  await phone.page.waitForURL(`**/t/${id}`);
  await phone.page.locator('.fan').waitFor();
  expect(asked.filter((url) => url.includes(secret))).toEqual([]);
  await late.page.getByRole('button', { name: /Jouer sous/ }).click();
  await late.page.getByRole('heading', { name: 'Ce lien ne sert plus' }).waitFor();
  // Both show the seat, as two tabs do.
  await ana.page.keyboard.press('Escape');
  expect(await ana.page.locator('.fan button').count()).toBe(await phone.page.locator('.fan button').count());
  expect([...ana.errors, ...phone.errors]).toEqual([]);
});

test.each(['en', 'fr', 'ru'] as const)(
  'a link that cannot be looked at just now is tried again, in %s',
  async (language) => {
    const { page } = await someone(with_, { look: 60, motion: false, language, viewport: phone });
    await page.route('**/api/guest/way/take', (route) => route.abort(), { times: 1 });
    await page.goto(`${at.url}/move#${'a'.repeat(32)}.k3x`);
    const again = page.locator('main button.main');
    await again.waitFor();
    await accessible(page, `move-later-${language}`);
    await everySize(page, `move-later-${language}`, [phone, desktop]);
    await again.focus();
    await page.keyboard.press('Enter');
    await again.waitFor({ state: 'detached' });
    expect(await page.locator('main h1').evaluate((e) => e === document.activeElement)).toBe(true); // where it says that it is good no more
  },
);

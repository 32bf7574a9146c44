import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Frame } from '../src/wire/protocol';
import { archived } from './records';
import { at, enter, look, over, play, someone, table, tall, unfold, with_ } from './support';

const television = { width: 1920, height: 1080 };

/** What the house tells of tables, as it comes over a page's lines, to the byte. */
function overhear(page: Page): string[] {
  const heard: string[] = [];
  page.on('websocket', (line) => line.on('framereceived', ({ payload }) => heard.push(String(payload))));
  return heard;
}
type Told = Partial<Frame> & { seq: number };
const frames = (heard: string[]): Told[] => heard.flatMap((text) => (JSON.parse(text) as { frame?: Told }).frame ?? []);

/** A frame without what is one's own, and without what one alone was told of one's own knock. */
function common({ seq, shown, turn, asked, cites, outcome, events = [], you }: Told) {
  const knocks = events.map(({ what, ...said }) =>
    said.verb === 'knock' && said.seat === you ? said : what === undefined ? said : { ...said, what },
  );
  return JSON.stringify({ seq, shown, turn, asked, cites, outcome, knocks });
}

/** Whatever stands on the page in letters that are smaller than this many pixels. */
const smallPrint = (page: Page, least: number) =>
  page.evaluate((least) => {
    const all = [...document.querySelectorAll<HTMLElement>('body *')].filter(
      (one) =>
        one.getClientRects().length &&
        !one.closest('.unseen, svg') &&
        [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent!.trim()),
    );
    return all
      .filter((one) => parseFloat(getComputedStyle(one).fontSize) < least)
      .map((one) => `${one.className}: ${one.textContent!.slice(0, 30)}`);
  }, least);

test('a table on a big screen is set up by somebody who takes no seat', async () => {
  const { page, errors } = await someone(with_, { viewport: television });
  await enter(page, at.url, 'Ana');
  await page.getByRole('button', { name: 'New table' }).click();
  await page.getByRole('radio', { name: /^Toc Toc Toc/ }).check();
  await page.getByLabel('3', { exact: true }).check();
  await unfold(page);
  await page.getByLabel('On a big screen').check();
  expect(await page.locator('fieldset select').count()).toBe(3);
  await page.getByRole('button', { name: 'Set up the table' }).click();
  await page.waitForURL('**/t/*/screen');
  await page.getByText('3 seats are still free.').waitFor();
  // A remote control has arrows and one button.
  await page.keyboard.press('ArrowUp');
  expect(await page.evaluate(() => document.activeElement!.textContent)).toBe('Bots on the free seats');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.activeElement!.textContent)).toBe('Start the game');
  await look(page, 'television-ready');
  await page.keyboard.press('Enter');
  await page.locator('.stage main').waitFor();
  expect(errors).toEqual([]);
});

test('a television and three phones play Toc Toc Toc to its end, and none is told what it must not know', async () => {
  const [screen, ...phones] = await Promise.all([
    someone(with_, { look: 60, viewport: television, motion: false }),
    someone(with_, { look: 60, viewport: tall, motion: false }),
    someone(with_, { look: 60, viewport: tall, motion: false, language: 'fr' }),
    someone(with_, { look: 60, viewport: tall, motion: false, language: 'ru' }),
  ]);
  const heard = [screen!, ...phones].map(({ page }) => overhear(page));
  await enter(screen!.page, at.url, 'Ana');
  const played = archived('toc-toc-toc-3');
  const as = { game: undefined, edition: undefined, record: played, ply: 0, sit: false, seats: 3, bots: [] };
  const link = `${at.url}/t/${await table(screen!.page, as)}`;
  await screen!.page.goto(`${link}/screen`);
  expect(await screen!.page.locator('.address').textContent()).toBe(link.replace('http://', ''));
  for (const [i, { page }] of phones.entries()) {
    await enter(page, link, ['Ben', 'Clémence', 'Даша'][i]!);
    await page.locator('li.free button').first().click();
    await page
      .locator('li.free')
      .nth(2 - i)
      .waitFor({ state: 'detached' });
  }
  await look(screen!.page, 'television-before');
  expect(await smallPrint(screen!.page, 40)).toEqual([]);
  await screen!.page.getByRole('button', { name: 'Start the game' }).click();
  await play(phones, played.moves.slice(0, 40));
  await look(screen!.page, 'television-during');
  expect(await smallPrint(screen!.page, 40)).toEqual([]);
  await play(phones, played.moves.slice(40));
  await Promise.all([screen!, ...phones].map(({ page }) => page.locator(over).waitFor()));
  await look(screen!.page, 'television-end');
  expect(await smallPrint(screen!.page, 40)).toEqual([]);

  const [shown, ...hands] = heard.map(frames);
  const running = (frame: Told) => frame.shown !== undefined && !frame.outcome;
  // The screen is told of no hand, and of no move that somebody could make.
  expect(shown!.filter(running).length).toBeGreaterThan(played.moves.length - 2);
  expect(shown!.filter(({ you, own, moves }) => you !== undefined || own !== undefined || moves !== undefined)).toEqual(
    [],
  );
  for (const frame of shown!.filter(running)) {
    const { hands, pile = {} } = frame.shown as { hands: object[]; pile?: object };
    for (const hand of hands) expect(Object.keys(hand)).toEqual(expect.not.arrayContaining(['held', 'recall']));
    expect(Object.keys(pile)).not.toContain('cards');
    for (const said of frame.events ?? []) if (said.verb === 'knock') expect(said.what).toBeUndefined();
  }
  // Each phone is told what the screen is told, its own hand, and nothing else.
  const everybodys = new Set(shown!.map(common));
  const own = new Set<string>();
  for (const [i, told] of hands.entries()) {
    const mine = told.filter((frame) => running(frame) && !frame.log && frame.events);
    expect(mine.length).toBeGreaterThan(played.moves.length - 5);
    expect(mine.filter((frame) => frame.you !== 'ABC'[i] || !everybodys.has(common(frame)))).toEqual([]);
    for (const { own: hand } of mine) if (hand) own.add(`${i} ${JSON.stringify(hand)}`);
  }
  expect(own.size).toBeGreaterThan(played.moves.length / 2);

  // The host has them play again: the next table is on the screen, and begins when all have said so.
  await screen!.page.keyboard.press('ArrowUp');
  await screen!.page.getByRole('button', { name: 'Again' }).click();
  for (const { page } of phones) await page.locator('section.end .row button.main').click();
  await screen!.page.waitForURL(new RegExp(`/screen#`));
  await Promise.all([screen!, ...phones].map(({ page }) => page.locator('.stage main, .play main').waitFor()));
  expect([screen!, ...phones].flatMap(({ errors }) => errors)).toEqual([]);
}, 400_000);

test('whoever sits at the table shows it on a big screen as a watcher sees it', async () => {
  const ana = await someone(with_, { look: 60, motion: false });
  const { page } = ana;
  await enter(page, at.url, 'Ana');
  const id = await table(page, {
    game: 'toc-toc-toc',
    edition: '',
    seats: 3,
    bots: ['random', 'random'],
    first: 'A',
    botTime: [60_000, 60_000],
  });
  await page.goto(`${at.url}/t/${id}`);
  await page.locator('.start button').click();
  await page.locator('.fan').waitFor();
  await page.goto(`${at.url}/privacy`); // what came to his hand until then is over
  const heard = overhear(page);
  await page.goto(`${at.url}/t/${id}/screen`);
  await page.locator('.stage main').waitFor();
  expect(frames(heard).length).toBeGreaterThan(0);
  expect(frames(heard).filter(({ you, own, moves }) => you || own || moves)).toEqual([]);
  // And has the hand again where no room looks on.
  await page.getByRole('button', { name: 'Leave the big screen' }).click();
  await page.locator('.fan').waitFor();
  expect(ana.errors).toEqual([]);
});

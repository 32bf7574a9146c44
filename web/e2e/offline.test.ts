import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { archived } from './records';
import { at, enter, look, over, phone, play, sitDown, someone, table, with_ } from './support';

// The bar that says that the line is down, on every page of a phone: it covers nothing that can be pressed.

/** What there is to press that the bar lies over: where the page begins, and wherever somebody comes by the Tab key. */
const covered = (page: Page) =>
  page.evaluate(() => {
    const bar = document.querySelector('.trouble.shown')!;
    const under = (e: Element) => e.getBoundingClientRect().top < bar.getBoundingClientRect().bottom - 0.5;
    const all = [...document.querySelectorAll<HTMLElement>('a, button, input, select, summary, textarea')].filter(
      (e) =>
        e.checkVisibility({ visibilityProperty: true }) &&
        !e.closest('dialog, [inert], .unseen') &&
        e.offsetHeight > 1 &&
        !(e as HTMLButtonElement).disabled,
    );
    scrollTo(0, 0);
    const bad = all.filter((e) => under(e) && e.getBoundingClientRect().bottom > 0);
    scrollTo(0, document.body.scrollHeight);
    for (const e of all.reverse()) {
      e.focus();
      if (document.activeElement === e && under(e)) bad.push(e);
    }
    scrollTo(0, 0);
    return [...new Set(bad)].map((e) => e.outerHTML.slice(0, 120));
  });

test('the bar of a lost line covers no button of any page', async () => {
  const ana = await someone(with_, { viewport: phone, look: 20, motion: false, language: 'fr' });
  const { page, context } = ana;
  const seen = async (name: string) => {
    await context.setOffline(true);
    await page.locator('.trouble.shown').waitFor();
    // It is measured, a frame after it is there, and then the page makes way for it.
    await page.waitForFunction(() => parseFloat(document.documentElement.style.getPropertyValue('--trouble')) > 0);
    expect(await covered(page), name).toEqual([]);
    await look(page, `down-${name}`);
    await context.setOffline(false);
    await page.locator('.trouble:not(.shown)').waitFor({ state: 'attached' });
  };
  await page.goto(at.url);
  await page.locator('form input').waitFor();
  await seen('welcome');
  await enter(page, at.url, 'Ana');
  await page.locator('.greeting').waitFor();
  await seen('lobby');
  const open = await table(page, { seats: 3, bots: ['random'] });
  const pages = { rules: 'rules', games: 'games', setup: '#new', privacy: 'privacy', verify: 'verify' };
  const more = { nowhere: 'no/such/page', owner: 'owner', before: `t/${open}`, screen: `t/${open}/screen` };
  for (const [name, path] of Object.entries({ ...pages, ...more })) {
    await page.goto('about:blank');
    await page.goto(`${at.url}/${path}`);
    await page.locator('main, .big').first().waitFor();
    await seen(name);
  }
  for (const record of ['2004-6', 'toc-toc-toc-4']) {
    const played = archived(record);
    await sitDown([ana], played, 20);
    await page.locator('section.mine').waitFor();
    await seen(`${record}-play`);
    const link = await sitDown([ana], played, played.moves.length - 1);
    await play([ana], played.moves.slice(-1));
    await page.locator(over).waitFor();
    await seen(`${record}-end`);
    await page.goto(link.replace('/t/', '/replay/'));
    await page.locator('input[type="range"]').waitFor();
    await seen(`${record}-replay`);
  }
}, 300_000);

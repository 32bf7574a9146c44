import { afterAll, beforeAll, expect, test } from 'vitest';
import { house, type House } from './house';
import { archived, presses } from './records';

// Whole games in browsers that Playwright does not drive, each page by whoever can.

/** A page of such a browser, as far as a game needs it, in a profile of its own. */
export interface Elsewhere {
  go(url: string): Promise<void>;
  /** Presses what is there, or will be soon, as a pointer would. */
  press(css: string): Promise<void>;
  /** Waits until something is there. */
  there(css: string): Promise<void>;
  /** What a function answers with that runs in the page. */
  ask<A, T>(f: (about: A) => T | Promise<T>, about: A): Promise<T>;
}

/** The games are played on pages that are opened so; a page writes down what goes wrong in it. */
export function gamesIn(browser: string, open: (errors: string[]) => Promise<Elsewhere>) {
  let at: House;
  beforeAll(async () => void (at = await house()), 120_000);
  afterAll(async () => at?.close());

  /** Somebody who has given his name. */
  async function guest(name: string, errors: string[]): Promise<Elsewhere> {
    const page = await open(errors);
    // What is there runs no script: a page that is left again would lose its line to the house.
    await page.go(`${at.url}/readyz`);
    await page.ask(async (name) => {
      localStorage.setItem('caveau.look', '60');
      await fetch('/api/guest', { method: 'POST', body: JSON.stringify({ name }) });
    }, name);
    return page;
  }

  test.each([
    ['2017-2b', 0, 'the whole of a short game of Dawn Under'],
    ['toc-toc-toc-3', 86, 'the end of a party, where guests are chosen'],
  ])(`%s from move %i in ${browser}: %s`, async (name, ply) => {
    const record = archived(name);
    const errors: string[] = [];
    const people: Elsewhere[] = [];
    for (const player of record.players) people.push(await guest(player, errors));
    const table = await people[0]!.ask(
      async (plan) => {
        const made = await fetch('/api/tables', { method: 'POST', body: JSON.stringify(plan) });
        return ((await made.json()) as { table: string }).table;
      },
      { record, ply, sit: true },
    );
    for (const [i, page] of people.entries()) {
      await page.go(`${at.url}/t/${table}`);
      if (i) await page.press('li.free button');
    }
    await people[0]!.press('.start button:not([disabled])');
    for (const move of record.moves.slice(ply)) {
      for (const button of presses(move.slice(2))) await people['ABCDEF'.indexOf(move[0]!)]!.press(button);
    }
    // Whoever was not looking sees first what he has missed.
    for (const page of people) await page.there('section.end');
    const written = await people[0]!.ask(
      async (link) =>
        (await (await fetch(document.querySelector<HTMLAnchorElement>(link)!.href)).json()) as { moves: string[] },
      'a[download]',
    );
    expect(written.moves).toEqual(record.moves);
    expect(errors).toEqual([]);
  });
}

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessible, asked, at, desktop, enter, look, move, phone, someone, table, with_ } from './support';

/** What is worth a look while a player is asked, and how one knows it. Some of it needs luck. */
const night: Record<string, string> = {
  choice: '.prompt .both',
  setting: '.cemetery.bats .grave.lit',
  answer: '.choice button + button',
  reserved: '.grave.reserved',
  'count-held': '.mine .held:not(.alone)',
  'count-put': '.cemetery:not(.bats, .plague) .grave.lit[aria-label*="Count"]',
  present: 'button.receives',
  lifted: '.grave.lifted',
};

const sizes = [
  [desktop, 'desktop'],
  [phone, 'phone'],
] as const;

async function both(page: Page, name: string) {
  for (const [size, tag] of sizes) {
    await page.setViewportSize(size);
    await look(page, `${name}-${tag}`);
  }
  await accessible(page, name);
}

/** Looks at what is new, in both sizes of page. */
async function lookAt(page: Page, scenes: Record<string, string>, seen: Set<string>, name: string) {
  for (const [scene, sign] of Object.entries(scenes)) {
    if (seen.has(scene) || !(await page.locator(sign).count())) continue;
    seen.add(scene);
    await both(page, `${name}-${scene}`);
  }
}

test('a game with the Count and the bats is played to its end: bats are set, and answered', async () => {
  const ana = await someone(with_, { viewport: phone, look: 60 });
  const { page } = ana;
  await enter(page, at.url, 'Ana');
  // Whoever plays anything sets a bat soon, and asks his left neighbour first.
  const sharp = 'remembering:sharp';
  const seen = new Set<string>();
  let answered = 0;
  for (let games = 0; games < 3 && !answered; games++) {
    const name = await table(page, {
      edition: 'rucola',
      seats: 6,
      first: 'A',
      bots: [sharp, sharp, sharp, sharp, 'random'],
      botTime: [0, 5],
    });
    await page.goto(`${at.url}/t/${name}`);
    await page.getByRole('button', { name: 'Start the game' }).click();
    for (let turn = 0; await asked(page); turn++) {
      await lookAt(page, night, seen, 'rucola');
      const bat = page.getByRole('button', { name: /^Set a bat/ });
      if (turn % 2 === 0 && (await bat.count())) {
        await bat.click();
        await lookAt(page, night, seen, 'rucola');
      }
      answered += await page.getByRole('button', { name: 'I doubt it' }).count();
      await move(page);
    }
  }
  expect([...seen]).toEqual(expect.arrayContaining(['choice', 'setting']));
  expect(answered).toBeGreaterThan(0);
  await both(page, 'rucola-end');
  expect(ana.errors).toEqual([]);
});

test('the new edition is set up with six vampires each, and played to its end', async () => {
  const ana = await someone(with_, { viewport: phone, look: 60 });
  const { page } = ana;
  await enter(page, at.url, 'Ana');
  await page.getByRole('button', { name: 'New table' }).click();
  await page.getByRole('radio', { name: /La Danse des Vampires/ }).check();
  await page.getByLabel('How many vampires at most?').selectOption('At most 6 vampires each');
  for (const seat of ['B', 'C', 'D'])
    await page.getByLabel(`Seat ${seat}`, { exact: true }).selectOption('remembering:keen');
  await page.getByRole('radio', { name: /^Marks/ }).check();
  await page.getByLabel('Quickly').check();
  await both(page, 'danse-setup');
  await page.getByRole('button', { name: 'Set up the table' }).click();
  await page.getByText('At most 6 vampires each').waitFor();

  const sharp = 'remembering:sharp';
  const name = await table(page, {
    edition: '2017',
    options: { maxVampires: 6 },
    seats: 4,
    bots: [sharp, sharp, sharp],
    aid: 'marks',
    botTime: [0, 10],
  });
  await page.goto(`${at.url}/t/${name}`);
  await page.getByRole('button', { name: 'Start the game' }).click();
  await page.getByRole('group', { name: 'Row of Ana: 6 vampires' }).waitFor();

  const seen = new Set<string>();
  while (await asked(page)) {
    await lookAt(page, { just: '.just' }, seen, 'danse');
    await move(page);
  }
  expect([...seen]).toEqual(['just']);
  const record = await page.evaluate(async () =>
    (await fetch(document.querySelector<HTMLAnchorElement>('a[download]')!.href)).json(),
  );
  expect(record).toMatchObject({ edition: '2017', options: { maxVampires: 6 } });
  expect(record.deal.rows[0]).toHaveLength(6);
  expect(ana.errors).toEqual([]);
});

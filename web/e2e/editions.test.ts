import { expect, test } from 'vitest';
import { archived, grave } from './records';
import { at, enter, everySize, over, phone, play, sitDown, someone, unfold, with_, written } from './support';

test('the Count and the bats, in a game of six: a bat is set, one is answered, and a vampire found is given away', async () => {
  const ana = await someone(with_, { viewport: phone, look: 60 });
  const { page } = ana;
  await enter(page, at.url, 'Ana');
  const told = () => page.locator('.side li').count();
  const six = archived('rucola-6b');

  await sitDown([ana], six, 49);
  await page.locator('.prompt .both').waitFor();
  await everySize(page, 'rucola-choice');
  await page.getByRole('button', { name: /^Set a bat/ }).click();
  await page.locator('.cemetery.asked.bats .grave.lit').first().waitFor();
  await everySize(page, 'rucola-setting');
  await page.locator(grave(six.moves[49]!.split(' ')[2]!)).click();
  await page.locator('.grave.below').waitFor();

  await sitDown([ana], six, 78);
  await page.getByRole('button', { name: 'I doubt it' }).waitFor();
  await everySize(page, 'rucola-answer');
  const before = await told();
  await play([ana], six.moves.slice(78, 79));
  await expect.poll(told).toBeGreaterThan(before);

  // The same game, but Ana sets her bat where a vampire sleeps, and everybody believes that nobody does.
  const believed = ['A bat a3', 'B believe', 'C believe', 'D believe', 'E believe', 'F believe'];
  await sitDown([ana], { ...six, moves: [...six.moves.slice(0, 49), ...believed] }, 55);
  await page.locator('.grave.lifted').waitFor();
  await page.locator('button.receives').first().waitFor();
  await everySize(page, 'rucola-present');
  await play([ana], ['A present F']);
  await page.locator('.hand').waitFor();

  const count = archived('rucola-4a');
  for (const [ply, scene, sign] of [
    [13, 'count-held', '.mine .held:not(.alone)'],
    [34, 'reserved', '.grave.reserved'],
  ] as const) {
    await sitDown([ana], count, ply);
    await page.locator(sign).first().waitFor();
    await everySize(page, `rucola-${scene}`);
  }

  const short = archived('rucola-6a');
  await sitDown([ana], short, short.moves.length - 1);
  await play([ana], short.moves.slice(-1));
  await page.locator(over).waitFor();
  await everySize(page, 'rucola-end');
  expect(ana.errors).toEqual([]);
});

test('the new edition is set up with six vampires each; its record says so, broken off as it is', async () => {
  const ana = await someone(with_, { viewport: phone, look: 60 });
  const { page } = ana;
  await enter(page, at.url, 'Ana');
  await page.getByRole('button', { name: 'New table' }).click();
  await unfold(page);
  await page.getByRole('radio', { name: /La Danse des Vampires/ }).check();
  await page.getByLabel('How many vampires at most?').selectOption('At most 6 vampires each');
  for (const seat of ['B', 'C', 'D'])
    await page.getByLabel(`Seat ${seat}`, { exact: true }).selectOption('remembering:keen');
  await page.getByRole('radio', { name: /^Marks/ }).check();
  await page.getByLabel('Who begins?').selectOption('A');
  await everySize(page, 'danse-setup');
  await page.getByRole('button', { name: 'Start the game' }).click();
  await page.getByRole('group', { name: 'Row of Ana: 6 vampires' }).waitFor();
  await page.getByRole('button', { name: 'Table, seats and log' }).click();
  await page.getByRole('button', { name: 'Break off the game' }).click();
  await page.getByRole('button', { name: 'Really break it off?' }).click();
  await page.locator(over).waitFor();
  const record = await written(page);
  expect(record).toMatchObject({ edition: '2017', options: { maxVampires: 6 } });
  expect(record.deal.rows[0]).toHaveLength(6);
  expect(ana.errors).toEqual([]);
});

test('two players choose the bare graves, and those are out of play', async () => {
  const ana = await someone(with_);
  const { page } = ana;
  await enter(page, at.url, 'Ana');
  await page.getByRole('button', { name: 'New table' }).click();
  await page.getByLabel('2', { exact: true }).check();
  await page.getByLabel('Seat B', { exact: true }).selectOption('remembering:dozy');
  await unfold(page);
  await page.getByLabel('Who begins?').selectOption('A');
  await page.getByRole('group', { name: 'Which 20 graves' }).getByLabel('We choose').check();
  for (let i = 0; i < 20; i++)
    await page
      .locator('.board button')
      .nth(i * 2)
      .click();
  await page.getByRole('button', { name: 'Start the game' }).click();
  await page.locator('.asked .grave.lit').first().waitFor();
  expect(await page.locator('.grave.bare').count()).toBe(20);
  await page.locator('.grave.bare').first().click();
  await page.getByRole('alert').filter({ hasText: 'not in play' }).waitFor();
  const told = await page.locator('.side li').count();
  await page.locator('.asked .grave.lit').first().click();
  await expect.poll(() => page.locator('.side li').count()).toBeGreaterThan(told);
  expect(ana.errors).toEqual([]);
});

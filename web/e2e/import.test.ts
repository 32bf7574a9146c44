import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { archived } from './records';
import { accessible, at, desktop, enter, look, phone, play, sitDown, someone, unfold, with_ } from './support';

const record = resolve(import.meta.dirname, '../../record/testdata/archive/rucola-3a.json');
const { moves } = archived('rucola-3a');

test('a position from a record is set up and played on, by whom one likes, and the table says what it is', async () => {
  const ana = await someone(with_, { look: 50, viewport: desktop });
  await enter(ana.page, at.url, 'Ana');
  await ana.page.getByRole('button', { name: 'New table' }).click();
  await unfold(ana.page);
  const file = ana.page.getByLabel('Set up a position from a record');
  await file.setInputFiles({ name: 'shopping.json', mimeType: 'application/json', buffer: Buffer.from('{"eggs": 6}') });
  await ana.page.getByText('This is no record of a game that is played here.').waitFor();
  await look(ana.page, 'import-none-desktop');
  await file.setInputFiles(record);
  await ana.page.getByText(`${moves.length} moves`).waitFor();

  // The game is over after its last move: the house says so.
  const make = ana.page.getByRole('button', { name: 'Set up the table' });
  await make.click();
  await ana.page.getByText('This position cannot be set up.').waitFor();
  await ana.page.getByText('the game is over there').waitFor();
  await look(ana.page, 'import-over-desktop');
  expect(ana.errors.splice(0).filter((said) => !said.includes('400'))).toEqual([]);

  // Ben's seat is asked then, and it is Ana who takes it.
  const ply = 42;
  await ana.page.getByRole('spinbutton', { name: 'Begin after move' }).fill(String(ply));
  await ana.page.getByText(moves[ply - 1]!, { exact: true }).waitFor();
  expect(await ana.page.getByRole('alert').count()).toBe(0);
  await ana.page.getByLabel('Your seat').selectOption('B');
  await ana.page.getByLabel('Seat A', { exact: true }).selectOption('random');
  await ana.page.getByRole('checkbox', { name: 'Show this table in the lobby' }).check();
  await look(ana.page, 'import-desktop');
  await accessible(ana.page, 'import');
  await make.click();

  await ana.page.getByText(`after ${ply} moves`).waitFor();
  await ana.page.getByText('there is nothing to check afterwards').waitFor();
  expect(await ana.page.locator('[aria-labelledby=sealed]').count()).toBe(0);
  await look(ana.page, 'imported-desktop');
  await accessible(ana.page, 'imported');

  const ben = await someone(with_, { look: 50, language: 'fr', viewport: phone });
  await enter(ben.page, at.url, 'Benoît');
  await ben.page.getByText('D’après un enregistrement').waitFor();
  await look(ben.page, 'imported-sign-phone');
  await ben.page.getByRole('link', { name: /Ana/ }).click();
  await ben.page.locator('h2', { hasText: 'D’après un enregistrement' }).waitFor();
  await look(ben.page, 'imported-phone');

  await ana.page.getByLabel('A bot for seat C').selectOption('random');
  await ana.page.locator('.start button').click();
  await ana.page.locator('.prompt.mine').waitFor();
  await ana.page.locator('.bar .imported').waitFor();
  expect(await ana.page.getByRole('list', { name: 'What happened' }).locator('li').count()).toBeGreaterThan(ply);
  await look(ana.page, 'imported-play-desktop');
  await play([ana, ana], moves.slice(ply, ply + 1));
  await ana.page.locator('.bar .imported').waitFor();
  await ben.page.locator('.bar .imported').waitFor();
  expect(await ben.page.locator('.bar .imported').innerText()).toContain('D’après un enregistrement');
  await look(ben.page, 'imported-play-phone');
  await accessible(ben.page, 'imported-play');
  await ben.page.locator('button.menu:visible').click();
  await ben.page.getByText(`après ${ply} coups`).waitFor();
  await look(ben.page, 'imported-menu-phone');

  // The set-up page on a phone, and back to a deal.
  await ben.page.goto(`${at.url}/#new`);
  await unfold(ben.page);
  await ben.page.locator('input[type=file]').setInputFiles(record);
  await ben.page.locator('h2:focus', { hasText: 'D’après un enregistrement' }).waitFor();
  await look(ben.page, 'import-phone');
  await accessible(ben.page, 'import-phone');
  await ben.page.getByRole('button', { name: 'Distribuer plutôt' }).click();
  await ben.page.locator('input[type=file]').waitFor();
  for (const person of [ana, ben]) expect(person.errors).toEqual([]);
});

test('the longest question with the longest button can be read on a small phone', async () => {
  const mina = await someone(with_, { look: 50, language: 'ru', viewport: phone });
  await enter(mina.page, at.url, 'Мина');
  // In the plague that she is in after this move.
  await sitDown([mina], archived('2017-3a'), 34);
  await mina.page.getByRole('button', { name: 'Остановиться' }).waitFor();
  await look(mina.page, 'plague-phone-ru');
  const lines = await mina.page
    .locator('.prompt p')
    .evaluate((p) => p.getBoundingClientRect().height / parseFloat(getComputedStyle(p).lineHeight));
  expect(lines).toBeLessThan(4);
  expect(mina.errors).toEqual([]);
});

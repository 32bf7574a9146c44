import { beforeAll, expect, test } from 'vitest';
import { archived } from './records';
import { at, enter, everySize, over, phone, play, sitDown, someone, with_, type Person } from './support';

// Every question of every rulebook, set up from a record of the archive: the position after so many moves, in which Ana is asked.

const scenes: [record: string, ply: number, scene: string, sign: string][] = [
  ['2004-4', 32, 'open', '.cemetery.asked:not(.plague) .grave.lit'],
  ['2004-4', 22, 'plague', '.cemetery.asked.plague .grave.lit'],
  ['2004-4', 44, 'garlic', '.choice button + button'],
  ['2004-4', 71, 'rest', 'button.end'],
  ['2004-4', 105, 'give', 'button.end'],
  ['2004-4', 176, 'take', '.hand button'],
  ['2004-4', 49, 'stop', '.prompt button.main'],
  ['rucola-4a', 52, 'bat', '.prompt .both'],
  ['rucola-4a', 40, 'doubt', '.choice button + button'],
  ['rucola-4a', 16, 'count', '.asked .grave.lit[aria-label*="Count"]'],
  ['2017-3a', 14, 'open', '.just'],
  ['toc-toc-toc-5', 15, 'knock', '.fan.lit button'],
  ['toc-toc-toc-5', 28, 'answer', '.answers button'],
  ['toc-toc-toc-3', 89, 'choose', '.choices button'],
];

let ana: Person;
beforeAll(async () => {
  ana = await someone(with_, { viewport: phone, look: 60 });
  await enter(ana.page, at.url, 'Ana');
});

test.each(scenes)('%s, after move %i: %s fits every size, and anybody can use it', async (record, ply, scene, sign) => {
  await sitDown([ana], archived(record), ply, { aid: 'marks' });
  await ana.page.locator(sign).first().waitFor();
  await everySize(ana.page, `${record}-${scene}`, [phone]);
  expect(ana.errors).toEqual([]);
});

test.each(['2004-6', 'toc-toc-toc-4'])('the last move of %s brings the end', async (record) => {
  const played = archived(record);
  await sitDown([ana], played, played.moves.length - 1);
  await play([ana], played.moves.slice(-1));
  await ana.page.locator(over).waitFor();
  await everySize(ana.page, `end-${record}`, [phone]);
  expect(ana.errors).toEqual([]);
});

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { accessible, at, desktop, enter, look, over, someone, table, with_, type Person } from './support';

// Every question of every rulebook, set up from a record of the archive: the position in which Ana is asked.

const phone = { width: 390, height: 844 };
const archived = (name: string) =>
  JSON.parse(readFileSync(resolve(import.meta.dirname, `../../record/testdata/archive/${name}.json`), 'utf8')) as {
    players: string[];
    moves: string[];
  };

/** After how many moves A is asked what she answers so, when the game has been going on for a while. */
function ply(moves: string[], answer: RegExp): number {
  const late = moves.findIndex((move, i) => i > 12 && answer.test(move));
  return late < 0 ? moves.findIndex((move) => answer.test(move)) : late;
}

const scenes: [record: string, answer: RegExp, sign: string][] = [
  ['2004-4', /^A open/, '.grave.lit'],
  ['2004-4', /^A garlic/, '.choice button + button'],
  ['2004-4', /^A rest/, 'button.end'],
  ['2004-4', /^A give/, 'button.end'],
  ['2004-4', /^A take/, '.hand'],
  ['2004-4', /^A stop/, '.prompt button.main'],
  ['rucola-4a', /^A bat/, '.prompt .both'],
  ['rucola-4a', /^A (believe|doubt)/, '.choice button + button'],
  ['rucola-4a', /^A count/, '.grave.lit[aria-label*="Count"]'],
  ['2017-3a', /^A open/, '.just'],
  ['toc-toc-toc-5', /^A knock/, '.fan.lit button'],
  ['toc-toc-toc-5', /^A (accept|refuse)/, '.answers button'],
  ['toc-toc-toc-3', /^A choose/, '.choices button'],
];

let ana: Person;
beforeAll(async () => {
  ana = await someone(with_, { viewport: phone, look: 60 });
  await enter(ana.page, at.url, 'Ana');
  await ana.page.locator('button.new').waitFor();
});

/** Ana sits before a position of the record, and everybody else takes his time. */
async function sit(record: string, after: number, botTime = [60_000, 60_000]) {
  const { players } = archived(record);
  const bots = Array(players.length - 1).fill('random');
  const plan = { game: undefined, edition: undefined, record: archived(record), ply: after, aid: 'marks', botTime };
  const name = await table(ana.page, { seats: players.length, bots, ...plan });
  await ana.page.goto(`${at.url}/t/${name}`);
  await ana.page.locator('.start button').click();
}

test.each(scenes)('%s, where %s is answered, fits both sizes, and anybody can use it', async (record, answer, sign) => {
  const { page } = ana;
  await sit(record, ply(archived(record).moves, answer));
  await page.locator(sign).first().waitFor();
  const name = `${record} ${answer.source.replace(/\W+/g, ' ').trim()}`.replaceAll(' ', '-');
  for (const [size, tag] of [
    [desktop, 'desktop'],
    [phone, 'phone'],
  ] as const) {
    await page.setViewportSize(size);
    await look(page, `${name}-${tag}`);
  }
  await accessible(page, name);
  expect(ana.errors).toEqual([]);
});

test.each(['2004-4', 'toc-toc-toc-4'])('the last move of %s brings the end', async (record) => {
  const { page } = ana;
  const { moves } = archived(record);
  await sit(record, moves.length - 1, [0, 5]);
  const [seat, ...words] = moves.at(-1)!.split(' ');
  const offers =
    '.grave.lit, button.end, .choice button, .answers button, .choices button, .knocks.ready, .fan.lit button';
  for (let i = 0; seat === 'A' && i < 3 && !(await page.locator(over).count()); i++) {
    await page
      .locator(offers)
      .first()
      .click({ timeout: 3000 })
      .catch(() => undefined);
  }
  await page.locator(over).waitFor({ timeout: 20_000 });
  await look(page, `end-${record}-${words[0]}`);
  await accessible(page, 'end');
  expect(ana.errors).toEqual([]);
});

import { at, enter, phone, someone, table, with_, type Person } from './support';

// A table of each game at which somebody is asked something.

export const games = [
  { game: 'dawn-under', edition: '2004', seats: 4 },
  { game: 'dawn-under', edition: 'rucola', seats: 4 },
  { game: 'dawn-under', edition: '2017', seats: 4 },
  { game: 'toc-toc-toc', edition: undefined, seats: 4 },
];
export const decision = '.asked .grave.lit, .prompt.mine';

/** Somebody is asked something at a table with three bots. */
export async function asked(plan: object): Promise<Person & { link: string }> {
  const ana = await someone(with_, { viewport: phone });
  await enter(ana.page, at.url, 'Ana');
  const link = `${at.url}/t/${await table(ana.page, { seats: 4, bots: ['random', 'random', 'random'], ...plan })}`;
  await ana.page.goto(link);
  await ana.page.locator('.start button').click();
  await ana.page.locator(decision).first().waitFor();
  return { ...ana, link };
}

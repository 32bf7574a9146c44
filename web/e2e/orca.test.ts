import { expect, onTestFinished, test } from 'vitest';
import { find, listener, type Listener, type Words } from './orca';
import { archived } from './records';
import { at, enter, play, someone, table, with_, type Person } from './support';

// A turn of each game, played by somebody who only hears: the keys are real, and so is the screen reader. A desktop that is too slow may lose a key:
// then the evening begins anew, once.
const evening = { timeout: 600_000, retry: 1 };

/** A table at which a record is played again; all but the listener sit, and have begun. */
async function begun(name: string, ear: Listener, language: string, sit: RegExp, others: string[]): Promise<Person[]> {
  const record = archived(name);
  const people: Person[] = [];
  for (const other of others) {
    const person = await someone(with_, { motion: false });
    await enter(person.page, at.url, other);
    people.push(person);
  }
  const [host] = people;
  const id = await table(host!.page, {
    ...{ seats: record.players.length, bots: [], game: undefined, edition: undefined },
    ...{ record, ply: 0, botTime: [60_000, 60_000] },
  } as never);
  const link = `${at.url}/t/${id}`;
  await host!.page.goto(link);
  await ear.page.goto(`${at.url}/readyz`);
  await ear.page.evaluate(async (language) => {
    localStorage.setItem('caveau.listens', 'on');
    localStorage.setItem('caveau.language', language);
    await fetch('/api/guest', { method: 'POST', body: JSON.stringify({ name: 'Ben' }) });
  }, language);
  await ear.go(link);
  await find(ear, 'Tab', sit);
  await ear.press('Return');
  for (const { page } of people.slice(1)) {
    await page.goto(link);
    await page.locator('li.free button').first().click();
  }
  await ear.hears();
  await host!.page.locator('.start button:not([disabled])').click();
  return people;
}

/** Listens until something is said: all sentences until then, none of which may have been cut off. */
async function until(ear: Listener, last: string): Promise<string[]> {
  const all: Words[] = [];
  for (let moments = 0; moments < 30 && !all.some(({ said }) => said === last); moments++)
    all.push(...(await ear.hears()));
  expect(all.filter(({ whole }) => !whole)).toEqual([]);
  expect(all.map(({ said }) => said)).toContain(last);
  return all.map(({ said }) => said);
}

async function listening(): Promise<Listener> {
  const ear = await listener();
  onTestFinished(() => ear.close());
  return ear;
}

test(
  'Dawn Under by ear: every lid that another opens is named to the end, and one’s own are found by their places',
  evening,
  async () => {
    const ear = await listening();
    const [ana] = await begun('2017-2b', ear, 'en', /^Sit here/, ['Ana']);
    const { moves } = archived('2017-2b');
    await until(ear, 'It is Ana’s turn.');
    await play([ana!], moves.slice(0, 4));
    expect(await until(ear, 'Your turn: open a grave.')).toEqual([
      'Ana opens h8: red lid.',
      'Ana lays a red vampire to rest in h8.',
      'Ana opens g1: white lid.',
      'Ana lays a white vampire to rest in g1.',
      'Ana opens d2: white lid.',
      'Ana leaves d2 empty.',
      'Your turn: open a grave.',
    ]);
    await find(ear, 'Tab', /^a1, closed/);
    await find(ear, 'Right', /^b1, closed/);
    await find(ear, 'Up', /^b5, closed/);
    await ear.press('Return');
    expect(await until(ear, 'Well done! Open another grave.')).toEqual([
      'Ben opens b5: blue lid.',
      'Ben lays a blue vampire to rest in b5.',
      'Well done! Open another grave.',
    ]);
    await find(ear, 'Down', /^b3, closed/);
    await find(ear, 'Right', /^f3, closed/);
    await ear.press('Return');
    expect(await until(ear, 'Garlic, or leave it empty?')).toEqual([
      'Ben opens f3: red lid.',
      'Nobody of yours fits into f3.',
      'Garlic, or leave it empty?',
    ]);
    await find(ear, 'Tab', /^Leave it empty/);
    await ear.press('Return');
    expect((await until(ear, 'It is Ana’s turn.')).slice(-2)).toEqual(['Ben leaves f3 empty.', 'It is Ana’s turn.']);
    await find(ear, 'Tab', /^Settings/); // and whatever opens says what it is
    await ear.press('Return');
    expect((await ear.hears(true)).map(({ said }) => said)).toContain('Settings heading level 2.');
  },
);

test('Toc Toc Toc by ear: a knock at one’s door and its answer, and a knock of one’s own', evening, async () => {
  const ear = await listening();
  const [ana, cleo] = await begun('toc-toc-toc-3', ear, 'fr', /^S’asseoir/, ['Ana', 'Cleo']);
  const people = [ana!, undefined as never, cleo!];
  const { moves } = archived('toc-toc-toc-3');
  await until(ear, 'C’est à Cleo de jouer.');
  await play(people, moves.slice(0, 1));
  expect(await until(ear, 'Tu ouvres ?')).toEqual([
    'Cleo frappe chez Ben.',
    'Toc, toc, toc ! C’est Cleo.',
    'Tu ouvres ?',
  ]);
  await find(ear, 'Tab', /^Refuser/);
  expect(ear.tongue()).toBe('fr');
  await ear.press('Return');
  expect((await until(ear, 'C’est à Ana de jouer.')).slice(-5)).toEqual([
    'Ben n’ouvre pas.',
    'Cleo reprend sa carte : Monstre !',
    'Cleo a un nouvel invité : Monstre.',
    'Cleo pioche, à la vue de tous : Vamp fantôme.',
    'C’est à Ana de jouer.',
  ]);
  await play(people, moves.slice(2, 4));
  expect(await until(ear, 'À toi : choisis une carte de ta main.')).toEqual([
    'Ana frappe chez Cleo.',
    'Cleo ouvre : Vamp monstre !',
    'La vamp emmène un invité de Cleo chez Ana : Monstre.',
    'Ana pioche, à la vue de tous : Monstre.',
    'À toi : choisis une carte de ta main.',
  ]);
  await find(ear, 'Right', /^Jeune enfant/);
  await ear.press('Return');
  await until(ear, 'Devant quelle porte ?');
  await find(ear, 'Tab', /Frapper chez Ana/);
  await ear.press('Return');
  expect((await until(ear, 'Toi seul le sais : Jeune enfant.')).slice(-2)).toEqual([
    'Ben frappe chez Ana.',
    'Toi seul le sais : Jeune enfant.',
  ]);
  await play(people, moves.slice(5, 6));
  expect(await until(ear, 'C’est à Cleo de jouer.')).toEqual([
    'Ana ouvre : Jeune enfant !',
    'L’enfant fait fuir des invités d’Ana chez Ben : 2 monstres.',
    'Ben pioche, à la vue de tous : Taxi-corbillard.',
    'C’est à Cleo de jouer.',
  ]);
});

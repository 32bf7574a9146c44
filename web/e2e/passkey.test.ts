import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessible, at, desktop, enter, look, loses, phone, someone, table, with_, type Person } from './support';

// A guest keeps his place with a passkey, and goes when he likes. The device is the browser's own virtual one.

/** A device that says yes to whatever it is asked, and knows its person: how to talk to it, and which it is. */
async function device({ context, page }: Person) {
  const line = await context.newCDPSession(page);
  await line.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const;
  return { line, ...(await line.send('WebAuthn.addVirtualAuthenticator', { options })) };
}
type Device = Awaited<ReturnType<typeof device>>;

/** One device has the passkeys of another, as those of one person do. */
async function share({ line, authenticatorId }: Device, other: Device) {
  const { credentials } = await line.send('WebAuthn.getCredentials', { authenticatorId });
  for (const credential of credentials)
    await other.line.send('WebAuthn.addCredential', { authenticatorId: other.authenticatorId, credential });
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();

interface Mine {
  guest: { name: string };
  passkeys: { name: string }[];
  tables: { link: string }[];
}

test('a passkey opens one’s place in another browser, and what is ended is ended', async () => {
  const ana = await someone(with_, { viewport: desktop });
  const anas = await device(ana);
  await enter(ana.page, at.url, 'Ana');
  const link = `${at.url}/t/${await table(ana.page, { seats: 2, bots: ['random'] })}`;

  // She makes a passkey, by keyboard alone.
  await press(ana.page, 'Settings');
  const knows = ana.page.getByRole('dialog').getByRole('link', { name: 'What this house knows of you' });
  await knows.focus();
  await ana.page.keyboard.press('Enter');
  await ana.page.getByRole('heading', { name: 'The place of Ana' }).waitFor();
  await ana.page.getByLabel('Name of the new passkey').fill('Kitchen tablet');
  await ana.page.keyboard.press('Enter');
  await ana.page.getByText('Your passkey is made.').waitFor();
  await ana.page.getByText(/^made on/).waitFor();
  await look(ana.page, 'place-desktop');
  await accessible(ana.page, 'privacy');

  // In another browser she shows it, and sits where she sat.
  const other = await someone(with_, { viewport: phone });
  await share(anas, await device(other));
  await other.page.goto(link);
  await look(other.page, 'passkey-welcome-phone');
  await press(other.page, 'I have a passkey');
  await expect
    .poll(() =>
      other.page.evaluate(
        async () => ((await (await fetch('/api/hello')).json()) as { guest: { name: string } }).guest.name,
      ),
    )
    .toBe('Ana');
  await other.page.getByRole('button', { name: /^(Start|Deal|Begin)/ }).waitFor(); // she is the host
  await look(other.page, 'passkey-table-phone');

  // From there she signs out everywhere else: the first page asks for a name, without being touched. She is who she was, though the answer gets lost.
  await other.page.goto(`${at.url}/privacy`);
  await other.page.getByText(/last used on/).waitFor();
  await ana.page.goto(at.url);
  await ana.page.getByText('Good evening, Ana.').waitFor();
  await loses(other, '**/api/guest/end');
  await press(other.page, 'Sign out everywhere else');
  await other.page.getByText('Everywhere else you are signed out.').waitFor();
  await ana.page.getByText('What is your name?').waitFor();

  // She comes back with her passkey, and signs out there.
  await press(ana.page, 'I have a passkey');
  await ana.page.getByText('Good evening, Ana.').waitFor();
  await ana.page.goto(`${at.url}/privacy`);
  await press(ana.page, 'Sign out here');
  await ana.page.getByText(/With your passkey you are Ana again/).waitFor();
  await press(ana.page, 'Yes, sign out');
  await ana.page.getByText('You have given no name here').waitFor();

  // What is hers she may have, and she is forgotten: the passkey opens nothing any more.
  const download = other.page.waitForEvent('download');
  await other.page.getByRole('link', { name: 'A copy of all that is kept of me' }).click();
  const mine = JSON.parse(readFileSync(await (await download).path(), 'utf8')) as Mine;
  expect(mine.guest.name).toBe('Ana');
  expect(mine.passkeys.map(({ name }) => name)).toEqual(['Kitchen tablet']);
  expect(mine.tables.map(({ link }) => link)).toEqual([link]);
  await press(other.page, 'Forget my name');
  await press(other.page, 'Yes, erase it');
  await other.page.getByText('You have given no name here').waitFor();
  await other.page.goto(at.url);
  await press(other.page, 'I have a passkey');
  await other.page.getByText('The house does not know this passkey.').waitFor();
  expect(ana.errors).toEqual([]);
  expect(other.errors.filter((e) => !/400|ERR_FAILED/.test(e))).toEqual([]);
});

test.each([
  ['fr', 'Ce que cette maison sait de toi', 'Me déconnecter ici', 'Retirer Mon appareil', 'Créer une clé d’accès'],
  ['ru', 'Что этот дом о вас знает', 'Выйти здесь', 'Убрать: Моё устройство', 'Создать ключ доступа'],
] as const)('what the house knows of one, on a phone in %s', async (language, title, out, remove, make) => {
  const ana = await someone(with_, { viewport: phone, language });
  await device(ana);
  await ana.page.goto(`${at.url}/privacy`);
  await ana.page.getByRole('heading', { name: title }).waitFor();
  await look(ana.page, `privacy-nobody-${language}`);
  await enter(ana.page, at.url, 'Anastasia Kirillovna');
  await ana.page.goto(`${at.url}/privacy`);
  await press(ana.page, make);
  await press(ana.page, remove);
  await press(ana.page, out);
  await ana.page.getByRole('button', { name: out }).waitFor({ state: 'detached' });
  await ana.page.evaluate(() => document.querySelectorAll('section')[1]!.scrollIntoView());
  await look(ana.page, `place-${language}`);
  await accessible(ana.page, `place-${language}`);
  expect(ana.errors).toEqual([]);
});

test.each([
  [
    'en',
    'Name of the program',
    'Give it a token',
    /^Token of/,
    'Take back the token of Robbie (bot)',
    'Yes, take it back',
  ],
  [
    'fr',
    'Nom du programme',
    'Lui donner un jeton',
    /^Jeton de/,
    'Reprendre le jeton de Robbie (bot)',
    'Oui, le reprendre',
  ],
  ['ru', 'Название программы', 'Выдать ей ключ', /^Ключ программы/, 'Отобрать ключ: Robbie (bot)', 'Да, отобрать'],
] as const)(
  'a program is given a token, once, and it is taken back, on a phone in %s',
  async (language, name, give, token, back, sure) => {
    const ana = await someone(with_, { viewport: phone, language });
    await enter(ana.page, at.url, 'Ana');
    await ana.page.goto(`${at.url}/privacy`);
    await ana.page.getByLabel(name).fill('Robbie');
    await press(ana.page, give);
    const shown = await ana.page.getByLabel(token).inputValue();
    const greeted = async () =>
      (await fetch(`${at.url}/api/hello`, { headers: { Authorization: `Bearer ${shown}` } })).status;
    expect(await greeted()).toBe(200);
    await ana.page.getByLabel(name).scrollIntoViewIfNeeded();
    await look(ana.page, `programs-${language}`);
    await accessible(ana.page, `programs-${language}`);
    await ana.page.reload();
    await ana.page.getByRole('button', { name: back }).waitFor();
    expect(await ana.page.getByLabel(token).count()).toBe(0);
    await press(ana.page, back);
    await press(ana.page, sure);
    await ana.page.getByText('Robbie (bot)', { exact: true }).waitFor({ state: 'detached' });
    expect(await greeted()).toBe(401);
    expect(ana.errors).toEqual([]);
  },
);

test('where passkeys cannot be had the page says so, and all else is there', async () => {
  const ana = await someone(with_, { viewport: phone });
  await ana.page.goto(at.url.replace('localhost', '127.0.0.1'));
  await ana.page.locator('form input').fill('Ana');
  await press(ana.page, 'Enter');
  await ana.page.locator('form').waitFor({ state: 'detached' });
  await ana.page.goto(`${at.url.replace('localhost', '127.0.0.1')}/privacy`);
  await ana.page.getByText(/^Passkeys can be had where/).waitFor();
  await ana.page.evaluate(() => document.querySelectorAll('section')[1]!.scrollIntoView());
  await look(ana.page, 'place-without');
  expect(await ana.page.getByRole('button', { name: 'Make a passkey' }).count()).toBe(0);
  expect(await ana.page.getByRole('button', { name: 'Sign out here' }).count()).toBe(1);
  expect(ana.errors).toEqual([]);
});

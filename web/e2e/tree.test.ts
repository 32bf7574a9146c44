import type { CDPSession, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { at, someone, with_ } from './support';

// A whole game by what the browser tells whoever does not see: roles and names. Nothing here knows a class, a place on the screen or a frame;
// what is decided follows from what the tree says, and is pressed by the keyboard.

/** A node of the tree: what it is, what it is called, and what is in it. */
interface Node {
  role: string;
  name: string;
  off: boolean;
  pressed: boolean;
  element: number;
  inner: Node[];
}

/** The tree as the browser has it, without what nobody is told. */
async function tree(browser: CDPSession): Promise<Node> {
  const { nodes } = await browser.send('Accessibility.getFullAXTree');
  const byId = new Map(nodes.map((one) => [one.nodeId, one]));
  const read = (id: string): Node[] => {
    const one = byId.get(id);
    if (!one) return [];
    const inner = (one.childIds ?? []).flatMap(read);
    if (one.ignored || one.backendDOMNodeId === undefined) return inner;
    const is = (name: string) => {
      const value = one.properties?.find((property) => property.name === name)?.value.value as unknown;
      return value === true || value === 'true';
    };
    const [role, name] = [String(one.role?.value ?? ''), String(one.name?.value ?? '')];
    return [{ role, name, off: is('disabled'), pressed: is('pressed'), element: one.backendDOMNodeId, inner }];
  };
  return { role: '', name: '', off: false, pressed: false, element: 0, inner: read(nodes[0]!.nodeId) };
}

const all = (of: Node): Node[] => [of, ...of.inner.flatMap(all)];
const within = (of: Node, role: string, name = /./) =>
  all(of).filter((one) => one.role === role && name.test(one.name));
const buttons = (of: Node, name = /./) => within(of, 'button', name).filter(({ off }) => !off);

/** A number that the tree says of a party. */
const points = (party: Node) =>
  Number(
    /(\d+) points?\b/.exec(
      all(party)
        .map(({ name }) => name)
        .join(' '),
    )?.[1] ?? 0,
  );

/** What one would press, and why; undefined where one is asked nothing. */
function decide(page: Node): { asked: string; press: Node } | undefined {
  const mine = within(page, 'region', /^Your party and your hand$/)[0];
  if (!mine) return undefined;
  // Somebody knocks, or something is to be chosen: a group that is called as the question.
  const question = within(mine, 'group', /\?/)[0];
  if (question) {
    const answers = buttons(question);
    const open = answers.find(({ name }) => name.startsWith('Open'));
    const refuse = answers.find(({ name }) => name.startsWith('Refuse'));
    const party = within(mine, 'article')[0];
    const press = (party && points(party) > 6 ? refuse : open) ?? answers[0];
    return press && { asked: question.name, press };
  }
  // A card is chosen: before the door of whoever has most.
  const parties = within(page, 'article').filter((one) => buttons(one, /^Knock at /).length);
  const richest = [...parties].sort((a, b) => points(b) - points(a))[0];
  if (richest) return { asked: 'Before whose door?', press: buttons(richest, /^Knock at /)[0]! };
  const turn = within(mine, 'paragraph')
    .concat(within(mine, 'StaticText'))
    .some(({ name }) => /^Your turn:/.test(name));
  const hand = within(mine, 'toolbar', /^Your hand$/)[0];
  const card = turn && hand ? (buttons(hand, /musician/)[0] ?? buttons(hand)[0]) : undefined;
  return card && { asked: 'Your turn', press: card };
}

/** Brings the focus there, and presses it. False where it has gone meanwhile. */
async function press(browser: CDPSession, page: Page, node: Node): Promise<boolean> {
  const there = await browser.send('DOM.focus', { backendNodeId: node.element }).then(
    () => true,
    () => false,
  );
  if (there) await page.keyboard.press('Enter');
  return there;
}

test('four play Toc Toc Toc to the end, one of them by roles and names alone', async () => {
  const { page, context, errors } = await someone(with_, { look: 20, motion: false });
  const browser = await context.newCDPSession(page);
  await browser.send('DOM.enable');
  await browser.send('Accessibility.enable');
  await page.goto(at.url);
  const find = async (role: string, name: RegExp) => {
    for (;;) {
      const found = within(await tree(browser), role, name).find(({ off }) => !off);
      if (found) return found;
      await page.waitForTimeout(50);
    }
  };
  await press(browser, page, await find('button', /^Or play Toc Toc Toc now/));
  const asked = new Set<string>();
  let [before, tables] = ['', 0];
  for (;;) {
    const now = await tree(browser);
    if (within(now, 'button', /^Replay$|^Play again$/).length || within(now, 'link', /^Replay$/).length) break;
    const wanted = decide(now);
    // Whatever has happened last is part of the question: nothing is answered twice.
    const key =
      wanted &&
      JSON.stringify([
        wanted.asked,
        wanted.press.name,
        all(now).filter(({ role }) => role === 'listitem').length,
        within(now, 'list', /^What happened$/)[0]?.inner[0]?.inner[0]?.name,
      ]);
    if (wanted && key !== before && (await press(browser, page, wanted.press))) {
      before = key!;
      asked.add(wanted.asked);
      tables = Math.max(tables, within(now, 'article').length);
    }
    await page.waitForTimeout(30);
  }
  expect(tables).toBe(4);
  // Every kind of question of the game was met, but what a vamp asks, who need not come.
  expect([...asked]).toEqual(expect.arrayContaining(['Your turn', 'Before whose door?']));
  expect([...asked].some((question) => question.endsWith('Do you open?'))).toBe(true);
  const end = all(await tree(browser)).filter(({ role }) => role === 'heading');
  expect(end.map(({ name }) => name).join('\n')).toMatch(/ wins?!|You win/);
  expect(errors).toEqual([]);
}, 600_000);

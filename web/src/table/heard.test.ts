import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cemetery, frame, parties, partyFrame, said, shelf, shown } from '../fixtures';
import type { AtParties } from '../games/toctoc/at.svelte';
import Nowhere from '../pages/Nowhere.svelte';
import Settings from '../pages/Settings.svelte';
import Paragraph from '../rules/Paragraph.svelte';
import type { Command, Frame } from '../wire/protocol';
import Before from './Before.svelte';
import { comes } from './game';
import Play from './Play.svelte';
import { Show } from './show.svelte';

// What a screen reader says: the regions that speak, the names of things, and where the focus is, which is always spoken.

const stage = { look: () => 0, now: () => 0, wait: async () => {}, asleep: () => null, moving: () => false };

let rings: boolean[] = [];
beforeEach(() => {
  rings = [];
  const focus = HTMLElement.prototype.focus;
  vi.spyOn(HTMLElement.prototype, 'focus').mockImplementation(function (this: HTMLElement, how?: FocusOptions) {
    rings.push(how?.focusVisible ?? false);
    focus.call(this, how);
  });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

async function sitDown(change: Partial<Frame>, played = cemetery) {
  const first = played === cemetery ? frame : partyFrame;
  const show = new Show(stage, shelf) as Show;
  const commands: Command[] = [];
  show.take(first({ log: [], ...change }));
  await Promise.resolve();
  const at = comes(played, 't', show, async (command) => (commands.push(command), null));
  const { unmount } = render(Play, { at, game: played.game });
  const take = async (next: Partial<Frame>) => {
    show.take(first(next));
    await vi.waitFor(() => expect(show.busy).toBe(false));
    await tick();
  };
  return { at, take, commands, unmount };
}

const spoken = () => screen.getByRole('status', { hidden: true }).textContent;
const atHeading = () => document.activeElement?.matches('h1');

test('a bot that waits for the house is said to wait', async () => {
  await sitDown({ waits: true, turn: 'B', moves: [], asked: 'open' });
  expect(screen.getByText(/^The house has its hands full: /)).toBeTruthy();
});

test('whose turn it is, is said when it begins, and nothing of it while it lasts', async () => {
  const { take } = await sitDown({ moves: [], turn: 'B' });
  await vi.waitFor(() => expect(spoken()).toBe('It is Ben’s turn.'));
  await take({ seq: 11, moves: [], turn: 'B', asked: 'garlic', events: [said('open', { at: 'a1', what: 'red' })] });
  expect(spoken()).toBe('');
  screen.getByText('Ben thinks about garlic.');
  await take({ seq: 12, moves: [], turn: 'C', asked: 'open', events: [said('turn', { seat: 'C' })] });
  expect(spoken()).toBe('It is Cleo’s turn.');
});

test('a question that was answered is not said again', async () => {
  const { at } = await sitDown({}, parties);
  const party = at as AtParties;
  await fireEvent.click(screen.getByRole('button', { name: /^Hearse-taxi:/ }));
  await vi.waitFor(() => expect(spoken()).toMatch(/Before whose door\?$/));
  party.knock('C');
  await tick();
  expect(spoken()).toBe('');
});

test('of a neighbour his name is heard first, and then what lies face up in his row', async () => {
  await sitDown({});
  const ben = screen.getByRole('article', { name: /Ben/ });
  const words = ben.querySelector('header')!.textContent!;
  expect(words.indexOf('Ben')).toBeLessThan(
    words.indexOf('From the left: red, blue; face down: 11; then green, white'),
  );
  expect(words.indexOf('then green, white')).toBeLessThan(words.indexOf('garlic'));
});

test('whoever comes to another page is at its heading; whoever opens the first one is at its top', async () => {
  vi.resetModules();
  const { arrive } = await import('../parts/arrive');
  const heading = () => document.body.appendChild(document.createElement('h1'));
  arrive(heading());
  expect(document.activeElement).toBe(document.body);
  const second = heading();
  arrive(second);
  expect(document.activeElement).toBe(second);
  document.body.replaceChildren();
});

test('from the set-up to the table, and from the table into the game, one is at the heading', async () => {
  const first = render(Nowhere);
  first.unmount();
  const show = new Show(stage, shelf) as Show;
  show.take(frame({ log: [], state: 'open', shown: undefined as never, moves: [] }));
  await Promise.resolve();
  const at = comes(cemetery, 't', show, async () => null);
  const before = render(Before, { at, guest: true, bots: [], origin: '', become: () => {} });
  expect(atHeading()).toBe(true);
  before.unmount();
  await sitDown({});
  expect([atHeading(), document.activeElement!.textContent]).toEqual([true, 'Table']);
});

test('a dialog says what it is when it opens, and gives the focus back when it is gone', async () => {
  const from = document.body.appendChild(document.createElement('button'));
  from.focus();
  const { unmount } = render(Settings, {
    name: undefined,
    be: async () => {},
    forget: async () => {},
    close: () => {},
  });
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('Settings'));
  unmount();
  expect(document.activeElement).toBe(from);
  from.remove();
});

test('breaking off is asked once more, where the focus is, and leaves it where the menu was opened', async () => {
  const host = frame().seats.map((sitter) => ({ ...sitter, host: sitter.seat === 'A' }));
  const { commands } = await sitDown({ seats: host });
  const menu = screen.getByRole('button', { name: 'Table, seats and log' });
  menu.focus();
  await fireEvent.click(menu);
  await vi.waitFor(() => expect(document.activeElement?.tagName).toBe('H2'));
  await fireEvent.click(screen.getByRole('button', { name: 'Break off the game' }));
  expect(document.activeElement).toBe(
    screen.getByRole('button', { name: 'Break it off, if the others agree? Nobody wins' }),
  );
  await fireEvent.click(document.activeElement!);
  expect(commands.map((command) => command.do)).toEqual(['break']);
  expect(document.activeElement).toBe(menu);
});

test('a host who closes a table that waits is asked once more, where the focus is; nobody else can, nor anybody while it is dealt', async () => {
  const show = new Show(stage, shelf) as Show;
  const commands: Command[] = [];
  const at = comes(cemetery, 't', show, async (command) => (commands.push(command), null));
  const seal = { version: 'caveau-deal/2', seal: '', called: false, failed: [], numbers: [] } as never;
  const take = async (change: Partial<Frame>) => {
    show.take(frame({ log: [], state: 'open', shown: undefined as never, moves: [], host: true, seal, ...change }));
    await tick();
  };
  await take({});
  render(Before, { at, guest: true, bots: [], origin: '', become: () => {} });
  await fireEvent.click(screen.getByRole('button', { name: 'Close the table' }));
  const sure = screen.getByRole('button', { name: 'Really close it? Nobody can come to it any more' });
  expect(document.activeElement).toBe(sure);
  await take({ seq: 11, host: false });
  expect(screen.queryByRole('button', { name: /close/i })).toBeNull();
  await take({ seq: 12, seal: { ...(seal as object), called: true } as never });
  expect(screen.queryByRole('button', { name: /close/i })).toBeNull();
  await take({ seq: 13 });
  await fireEvent.click(screen.getByRole('button', { name: /^Really close it/ }));
  expect(commands).toEqual([{ do: 'close', table: 't' }]);
});

test('“why?” is answered with the text of the paragraph, not only its number', () => {
  const paragraph = {
    number: '1.1',
    source: '2004 ch. 1',
    codes: [],
    blocks: [{ kind: 'text' as const, text: 'Your turn begins with opening a grave.' }],
  };
  render(Paragraph, { book: '2004', paragraph, cited: true, wanted: [], rulings: new Map(), turn: () => {} });
  const group = screen.getByRole('group', { name: 'Paragraph 1.1' });
  const described = document.getElementById(group.getAttribute('aria-describedby')!)!;
  expect(described.textContent!.trim()).toBe('Your turn begins with opening a grave.');
});

test('where the page leads the focus, its ring is seen, after a click of the mouse too', async () => {
  const { at, take } = await sitDown({});
  rings = [];
  at.seek();
  await vi.waitFor(() => expect(document.activeElement?.getAttribute('data-at')).toBe('a1'));
  await fireEvent.keyDown(document.activeElement!, { key: 'End' });
  expect(document.activeElement?.getAttribute('data-at')).toBe('h1');
  expect(rings).toEqual([true, true]);
  await take({ seq: 11, shown: shown() });
});

import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parties, party, partyFrame, shownParties } from '../fixtures';
import type { Frame, Seat } from '../wire/protocol';
import { dialogs } from '../parts/dialogs.svelte';
import { within } from './device';
import HereTable from './HereTable.svelte';

// Two people hand a device on. What one of them holds is nowhere in the page while it is on its way to the other, nor behind the curtain.

const seats = [
  { seat: 'A', name: 'Ana', here: true },
  { seat: 'B', name: 'Ben', here: true },
  { seat: 'C', bot: 'keen', here: true },
];
const hands: Record<Seat, string[]> = { A: ['ghost-vamp', 'scarecrow'], B: ['vampire-vamp', 'monster-brute'] };

/** The house in the page: lines to it, by whose eyes they have. */
class FakeWorker {
  static lines: Record<Seat, number>;
  static one: FakeWorker;
  onmessage: ((message: { data: object }) => void) | null = null;
  constructor() {
    FakeWorker.one = this;
    FakeWorker.lines = {};
  }
  postMessage({ do: what, n, seat }: { do: string; n: number; seat?: Seat }) {
    const shelf = { games: [party], bots: ['keen'] };
    if (what === 'open') queueMicrotask(() => this.onmessage?.({ data: { n, said: JSON.stringify(shelf) } }));
    if (what === 'dial') FakeWorker.lines[seat!] = n;
  }
  terminate() {}
}

/** Whoever has a line is told that it is somebody's turn. */
async function turn(seq: number, turn: Seat) {
  const { setup } = partyFrame();
  const about = { state: 'running', setup, seats };
  for (const [you, n] of Object.entries(FakeWorker.lines)) {
    const shown = shownParties({ turn });
    const all = { seq, about, shown, turn, asked: 'knock', cites: 'Q5' };
    const mine: Partial<Frame> = {
      you,
      own: { hand: hands[you] },
      moves: you === turn ? [`knock B ${hands[you]![0]}`] : [],
    };
    const told = JSON.stringify({ table: 't', frame: { ...all, ...(you && mine) } });
    FakeWorker.one.onmessage!({ data: { n, heard: told } });
  }
  await tick();
}

/** The cards that lie before somebody, wherever in the page. */
const held = () => [...document.querySelectorAll('.fan [data-word]')].map((card) => card.getAttribute('data-word'));

async function come(name: string) {
  await fireEvent.click(await screen.findByRole('button', { name: `I am ${name}` }));
  await vi.waitFor(() => expect(FakeWorker.lines[name[0]!]).toBeDefined());
}

beforeEach(() => {
  vi.stubGlobal('Worker', FakeWorker);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('whoever hands the device on leaves no card in the page', async () => {
  const house = within([parties.game]);
  await house.open();
  render(HereTable, { games: [parties.game], house, table: 't' });
  await vi.waitFor(() => expect(FakeWorker.lines['']).toBeDefined());
  await turn(10, 'A');
  await come('Ana');
  await turn(10, 'A');
  await vi.waitFor(() => expect(held()).toEqual(hands['A']));
  await turn(11, 'B');
  await screen.findByRole('button', { name: 'I am Ben' });
  expect(held()).toEqual([]);
  const kept = [{ ...localStorage }, { ...sessionStorage }, location.href, document.title];
  expect(JSON.stringify(kept)).not.toMatch(/vamp|scarecrow/);
  await come('Ben');
  await turn(11, 'B');
  await vi.waitFor(() => expect(held()).toEqual(hands['B']));
});

test('of two tables that lie over each other the one in sight helps', async () => {
  const house = within([parties.game]);
  await house.open();
  const { unmount } = render(HereTable, { games: [parties.game], house, table: 't' });
  await vi.waitFor(() => expect(FakeWorker.lines['']).toBeDefined());
  await turn(10, 'A');
  await come('Ana');
  await turn(10, 'A');
  await vi.waitFor(() => expect(held()).toEqual(hands['A']));
  expect(dialogs.tables).toBe(1); // so the page, which has a help for all games, keeps it to itself
  dialogs.open = 'help';
  await tick();
  expect(document.querySelectorAll('dialog')).toHaveLength(1);
  dialogs.open = '';
  unmount();
  expect(dialogs.tables).toBe(0);
});

import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cemetery, frame, said, shelf } from '../fixtures';
import { settings } from '../settings.svelte';
import type { Frame } from '../wire/protocol';
import { comes } from './game';
import Play from './Play.svelte';
import { Show } from './show.svelte';

// It is my turn: what rings, what is seen at the tab, and who is not called.

let hidden = false;
let tones: number[] = [];
let notices: string[] = [];
let asked = 0;
let permission: NotificationPermission = 'default';

class Notice {
  static get permission() {
    return permission;
  }
  static requestPermission = async () => (asked++, (permission = 'granted'));
  onclick = null;
  constructor(readonly text: string) {
    notices.push(text);
  }
  close() {
    notices = notices.filter((text) => text !== this.text);
  }
}

class Audio {
  /** One for the page, whoever comes to a table of it. */
  static made = 0;
  constructor() {
    Audio.made++;
  }
  state = 'running';
  currentTime = 0;
  destination = {};
  resume = async () => {};
  createGain = () => ({
    gain: { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} },
    connect: () => {},
  });
  createOscillator = () => {
    const frequency = { value: 0 };
    return { frequency, connect: (to: unknown) => to ?? {}, start: () => tones.push(frequency.value), stop() {} };
  };
}

beforeEach(() => {
  [hidden, tones, notices, asked, permission] = [false, [], [], 0, 'default'];
  settings.sound = true;
  settings.calls = false;
  vi.stubGlobal('AudioContext', Audio);
  vi.stubGlobal('Notification', Notice);
  vi.stubGlobal('isSecureContext', true);
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => hidden);
  document.head.innerHTML = '<link rel="icon" href="/favicon.svg" />';
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const icon = () => document.querySelector('link[rel="icon"]')!.getAttribute('href');

async function sitDown() {
  let wake = () => {};
  const until = () => new Promise<void>((done) => (wake = done));
  const stage = {
    look: () => 0,
    now: () => 0,
    wait: async () => {},
    asleep: () => (hidden ? until() : null),
    moving: () => false,
  };
  const show = new Show(stage, shelf) as Show;
  show.take(frame({ log: [], moves: [], turn: 'B' }));
  await tick();
  render(Play, { at: comes(cemetery, 't', show, async () => null), game: cemetery.game });
  const before = Audio.made;
  await fireEvent.pointerDown(document.body);
  expect(Audio.made).toBe(before); // the touch is answered first
  await vi.waitFor(() => expect(Audio.made).toBe(1));
  const take = async (next: Partial<Frame>) => {
    show.take(frame(next));
    await vi.waitFor(() => expect(hidden || !show.busy).toBe(true));
    await tick();
  };
  const turnTo = async (away: boolean) => {
    hidden = away;
    document.dispatchEvent(new Event('visibilitychange'));
    if (!away) wake();
    await vi.waitFor(() => expect(hidden || !show.busy).toBe(true));
    await tick();
  };
  return { take, turnTo };
}

test('my turn is heard once, and seen at the tab as long as I am asked', async () => {
  const { take } = await sitDown();
  expect([document.title, icon()]).toEqual(['Caveau — Dawn Under (2004)', '/favicon.svg']);
  await take({ seq: 11, events: [said('turn')] });
  expect([document.title, icon(), tones]).toEqual(['Your turn! — Caveau', '/turn.svg', [523, 784]]);
  await take({ seq: 12, asked: 'garlic', moves: ['garlic', 'leave'] });
  expect(tones).toHaveLength(2);
  await take({ seq: 13, moves: [], turn: 'B', events: [said('turn', { seat: 'B' })] });
  expect([document.title, icon()]).toEqual(['Caveau — Dawn Under (2004)', '/favicon.svg']);
  await take({ seq: 14, events: [said('turn')] });
  expect(tones).toHaveLength(4);
});

test('a lid is heard; whoever wants no sound hears none', async () => {
  const { take } = await sitDown();
  await take({ seq: 11, moves: [], turn: 'B', events: [said('open', { seat: 'B', at: 'd3', what: 'red' })] });
  expect(tones).toEqual([196, 131]);
  settings.sound = false;
  await take({ seq: 12, events: [said('open', { seat: 'B', at: 'd4', what: 'red' }), said('turn')] });
  expect(tones).toHaveLength(2);
});

test('whoever asked for it is called while the page is hidden, before he has been shown how it came', async () => {
  const { take, turnTo } = await sitDown();
  await fireEvent.click(screen.getByRole('button', { name: 'Table, seats and log' }));
  expect(asked).toBe(0);
  await fireEvent.click(screen.getByRole('checkbox', { name: 'Call me when it is my turn' }));
  await vi.waitFor(() => expect(settings.calls).toBe(true));
  await turnTo(true);
  await take({ seq: 11, events: [said('turn')] });
  expect([asked, notices, document.title, icon()]).toEqual([
    1,
    ['Your turn! — Caveau'],
    'Your turn! — Caveau',
    '/turn.svg',
  ]);
  await turnTo(false);
  expect([notices, document.title]).toEqual([[], 'Your turn! — Caveau']);
});

test('nobody is called who did not ask, and over plain http he is told why he cannot be', async () => {
  vi.stubGlobal('isSecureContext', false);
  const { take, turnTo } = await sitDown();
  await fireEvent.click(screen.getByRole('button', { name: 'Table, seats and log' }));
  await fireEvent.click(screen.getByRole('checkbox', { name: 'Call me when it is my turn' }));
  await vi.waitFor(() => screen.getByText(/over https only/));
  await turnTo(true);
  await take({ seq: 11, events: [said('turn')] });
  expect([asked, notices]).toEqual([0, []]);
});

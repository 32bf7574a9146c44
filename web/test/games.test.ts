import { expect, test } from 'vitest';
import { games } from '#games';
import { examine } from './examine';
import { recorded } from './recorded';

// By every rulebook a game of four.
const whole = recorded('4-A');
const watched = recorded('4-watcher').map((one) => ({ ...one, frames: one.frames.slice(0, 40) }));

test('every game has been recorded', () => {
  const played = new Set(whole.map(({ info }) => info.name));
  expect([...played].sort()).toEqual(games.map(({ name }) => name).sort());
});

test.each(games.map((game) => [game.name, game] as const))(
  '%s: what is listed can be pressed, what happens is told, what flies arrives, and each key of the help does something',
  { timeout: 300_000 },
  async (name, game) => {
    const tried = new Set<string>();
    const keys = new Set<string>();
    for (const { file, info, frames } of [...whole, ...watched].filter(({ info }) => info.name === name)) {
      const { unsaid, untold, unasked, nowhere, ...report } = await examine(game, info, frames, tried);
      const faults = { unsaid, untold, unasked, nowhere };
      expect(faults, file).toEqual({ unsaid: [], untold: [], unasked: [], nowhere: [] });
      for (const key of report.keys) keys.add(key);
    }
    expect(tried.size).toBeGreaterThan(2);
    expect(game.keys.map(({ shows }) => shows).filter((key) => !keys.has(key))).toEqual([]);
  },
);

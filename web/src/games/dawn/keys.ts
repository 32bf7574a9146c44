import { digits, keys, type TableKey } from '../../table/keys';
import type { AtCemetery } from './at.svelte';
import type { Side } from './types';

type Press = (at: AtCemetery) => boolean;

function say(at: AtCemetery, move: string, allowed: boolean | undefined): boolean {
  if (allowed) void at.play(move);
  return allowed ?? false;
}

/** A word that is said by itself, where it is offered. */
const word =
  (move: 'garlic' | 'leave' | 'stop' | 'believe' | 'doubt'): Press =>
  (at) =>
    say(at, move, at.offered[move]);

/** An end of one's own row: what lies there goes, or the gift that was picked comes there. */
const end =
  (side: Side): Press =>
  (at) => {
    const { away, take } = at.offered;
    if (away) return say(at, `${away.word} ${side}`, away.ends.includes(side));
    return say(at, `take ${at.chosen} ${side}`, take.get(at.chosen)?.includes(side));
  };

/** A gift is picked up, or the player is named who gets the vampire that was found. */
function pick(at: AtCemetery, n: number): boolean {
  const to = at.offered.present[n - 1];
  if (to) return say(at, `present ${to}`, true);
  const gift = [...at.offered.take.keys()][n - 1];
  if (gift) at.gift = gift;
  return gift !== undefined;
}

export const cemeteryKeys: TableKey<AtCemetery>[] = [
  { shows: '← ↑ → ↓', says: 'key.arrows', codes: ['ArrowLeft', 'ArrowUp', 'ArrowRight', 'ArrowDown', 'Home', 'End'] },
  { shows: 'Enter', says: 'key.enter', codes: ['Enter'] },
  keys('B', 'key.board', { KeyB: (at) => at.seek() }),
  keys('L · R', 'key.ends', { KeyL: end('left'), KeyR: end('right') }),
  digits('1 – 9', 'key.gift', pick),
  keys('G', 'key.garlic', { KeyG: word('garlic') }),
  keys('E', 'key.leave', { KeyE: word('leave') }),
  keys('S', 'key.stop', { KeyS: word('stop') }),
  keys('T', 'key.bat', { KeyT: (at) => at.turnToBat() }),
  keys('Y · N', 'key.believe', { KeyY: word('believe'), KeyN: word('doubt') }),
];

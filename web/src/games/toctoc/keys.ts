import { digits, keys, type Pressed, type TableKey } from '../../table/keys';
import type { AtParties } from './at.svelte';
import { seatsOf } from './scene';

function say(at: AtParties, move: string): boolean {
  const listed = at.moves.includes(move);
  if (listed) void at.play(move);
  return listed;
}

/** A card of one's hand is picked, or whoever is to leave a party. */
function pick(at: AtParties, n: number): boolean {
  const { choices } = at.offered;
  if (choices.length) return say(at, `choose ${choices[n - 1]}`);
  if (n > (at.scene?.hand.length ?? 0)) return false;
  at.pick(n - 1);
  return true;
}

/** The letter of a seat, wherever it is on this keyboard; where the alphabet has no such letter, its place. */
function knock(at: AtParties, { code, key }: Pressed): boolean {
  const seat = /^[a-z]$/i.test(key) ? key.toUpperCase() : code.slice(-1);
  if (!at.offered.doors.size || seat === at.you || !seatsOf(at.scene!).includes(seat)) return false;
  at.knock(seat);
  return true;
}

export const partyKeys: TableKey<AtParties>[] = [
  digits('1 – 5', 'key.cards', pick),
  { shows: '← →', says: 'key.between', codes: ['ArrowLeft', 'ArrowRight', 'Home', 'End'] },
  { shows: 'A – E', says: 'key.doors', codes: ['KeyA', 'KeyB', 'KeyC', 'KeyD', 'KeyE'], press: knock },
  keys('O · R', 'key.open', { KeyO: (at) => say(at, 'accept'), KeyR: (at) => say(at, 'refuse') }),
  { shows: 'Enter', says: 'key.press', codes: ['Enter'] },
];

import { sides } from '../wire/protocol';
import type { AtCemetery } from './at.svelte';

type Press = (at: AtCemetery) => boolean;

const say = (at: AtCemetery, move: string, allowed: boolean | undefined) => {
  if (allowed) void at.play(move);
  return allowed ?? false;
};

const end = (i: 0 | 1): Press => (at) => {
  const { away, take } = at.offered;
  const side = sides[i]!;
  if (away) return say(at, `${away.word} ${side}`, away.ends.includes(side));
  return say(at, `take ${at.chosen} ${side}`, take.get(at.chosen)?.includes(side));
};

/** Letters that are commands at the table, by their place on the keyboard, whatever alphabet is on it. */
const letters: Record<string, Press> = {
  KeyL: end(0),
  KeyR: end(1),
  KeyG: (at) => say(at, 'garlic', at.offered.garlic),
  KeyE: (at) => say(at, 'leave', at.offered.leave),
  KeyS: (at) => say(at, 'stop', at.offered.stop),
  KeyT: (at) => at.turnToBat(),
  KeyY: (at) => say(at, 'believe', at.offered.believe),
  KeyN: (at) => say(at, 'doubt', at.offered.doubt),
  KeyB: () => toTheGraves(true),
};

/** Whether the key meant something just now. */
export function pressed(code: string, at: AtCemetery): boolean {
  const gift = /^Digit([1-9])$/.exec(code)?.[1];
  const to = gift && at.offered.present[Number(gift) - 1];
  if (to) return say(at, `present ${to}`, true);
  const picked = gift && [...at.offered.take.keys()][Number(gift) - 1];
  if (picked) at.gift = picked;
  return Boolean(picked) || (letters[code]?.(at) ?? false);
}

/** Puts the focus on the cemetery: when one asks for it, or when the button that had it is about to go. */
export function toTheGraves(always = false): boolean {
  const goes = document.activeElement?.matches('.choice button, .prompt button, button.end, button.receives, .hand button');
  if (always || goes) document.querySelector<HTMLElement>('.grave[tabindex="0"]')?.focus({ preventScroll: true });
  return true;
}

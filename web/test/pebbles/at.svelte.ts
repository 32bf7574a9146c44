import { AtTable } from '../../src/table/at.svelte';
import { digits } from '../../src/table/keys';
import type { Script } from '../../src/table/show.svelte';
import { letter, type Frame, type Said } from '../../src/wire/protocol';
import { maybe, t } from './words';

/** What lies on the table, by seat; `hand` is the reader's own. */
export interface Pebbles {
  up: string[][];
  down: number[];
  held: number[];
  hand: string[];
}

export function read({ shown, own, setup }: Pick<Frame, 'shown' | 'own' | 'setup'>): Pebbles {
  const { up = [], down = [], held = [] } = shown as Partial<Pebbles>;
  const { hand = [] } = (own ?? {}) as Partial<Pebbles>;
  const each = Array.from({ length: setup.seats }, (_, i) => i);
  return {
    up: each.map((i) => up[i] ?? []),
    down: each.map((i) => down[i] ?? 0),
    held: each.map((i) => held[i] ?? 0),
    hand,
  };
}

/** Nothing moves: the scene is what the frame says. */
export const script: Script<Pebbles> = {
  act: (_, __, ___, after) => after,
  flight: () => null,
  beats: { show: 0.2, hide: 0.2, reveal: 0.3 },
  patience: 1,
  looks: new Set(),
  uncovers: () => '',
  open: () => new Set(),
  faded: (line) => line,
};

/** A reader at the pebbles. */
export class AtPebbles extends AtTable<Pebbles> {
  readonly home = 'pebble';

  ask(question: string) {
    return maybe(`ask.${question}`, t('ask.other'));
  }

  wait() {
    return t('wait.lay', { name: this.name(this.frame?.turn ?? '') });
  }

  tale({ seat, verb, what = '', n = 0 }: Said) {
    const values = { name: this.name(seat), what, n };
    return (what && maybe(`say.${verb}.known`, '', values)) || maybe(`say.${verb}`, '', values);
  }

  standing() {
    return (this.frame?.outcome?.scores ?? []).map((n, i) => ({ seat: letter(i), is: String(n) }));
  }

  victory() {
    return t('won');
  }
}

/** A digit shows the pebble at that place of the hand. */
export const pebbleKeys = [
  digits<AtPebbles>('1 – 4', 'key.show', (at, n) => {
    const move = `show ${at.scene?.hand[n - 1]}`;
    if (!at.moves.includes(move)) return false;
    void at.play(move);
    return true;
  }),
];

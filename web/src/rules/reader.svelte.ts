import { tick } from 'svelte';

/** Where a rulebook is opened: at what a citation names, or at a chapter or paragraph, or ('') at its beginning. */
export type Spot = { rule: string } | { book: string; number: string };

/** The rulebook that lies beside a table, and what the focus goes back to when it is put away. */
class Reader {
  spot = $state.raw<Spot | null>(null);
  /** It was opened from a dialog, and lies over it. */
  overDialog = $state(false);
  #from: Element | null = null;

  open(spot: Spot, from = document.activeElement) {
    this.#from = from;
    this.overDialog = document.querySelector('dialog[open]') !== null;
    this.spot = spot;
  }

  /** Takes it up, or puts it away. */
  turn(from: Element) {
    if (this.spot) void this.close();
    else this.open({ book: '', number: '' }, from);
  }

  async close() {
    this.spot = null;
    await tick();
    if (this.#from instanceof HTMLElement) this.#from.focus({ focusVisible: true });
    this.#from = null;
  }
}

export const reader = new Reader();

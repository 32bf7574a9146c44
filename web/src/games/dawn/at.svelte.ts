import { maybe, t } from './words';
import { AtTable } from '../../table/at.svelte';
import type { Said } from '../../wire/protocol';
import type { Cemetery, Grave } from './types';
import { readMoves, type OfGrave } from './moves';
import { sentence } from './sentence';

/** A reader at a cemetery. */
export class AtCemetery extends AtTable<Cemetery> {
  readonly home = 'grave';
  /** The gift that is about to be put at an end of the row. */
  gift = $state('');
  /** He is about to set a bat, instead of opening a grave. */
  #withBat = $state(false);

  offered = $derived.by(() => readMoves(this.moves));

  /** What pressing a grave says. */
  word = $derived.by((): OfGrave =>
    this.offered.count.size ? 'count' : this.#withBat && this.offered.bat.size ? 'bat' : 'open',
  );
  /** The graves of which it can be said. */
  lit = $derived.by(() => this.offered[this.word]);

  /** The gift in hand that the ends are offered for: the one that was picked, or the only one. */
  chosen = $derived.by(() => (this.offered.take.has(this.gift) ? this.gift : ([...this.offered.take.keys()][0] ?? '')));

  /** A grave was pressed: it opens, or the player is told why it does not. */
  press(grave: Grave) {
    if (this.lit.size) void this.play(`${this.word} ${grave.at}`);
    else this.tell(this.instead());
  }

  /** Between opening a grave and setting a bat on it; tells whether there is a choice. */
  turnToBat(withBat = !this.#withBat): boolean {
    if (!this.offered.bat.size) return false;
    this.#withBat = withBat;
    return true;
  }

  ask(question: string) {
    const kind = this.word === 'bat' ? 'bat' : question;
    return maybe(`ask.${kind}`, t('ask.other'), this.values());
  }

  wait() {
    const { asked, turn } = this.frame!;
    return maybe(`wait.${asked}`, t('wait.open', { name: this.name(turn) }), {
      ...this.values(),
      name: this.name(turn),
    });
  }

  tale(said: Said) {
    return sentence(said, (seat) => this.name(seat));
  }

  victory() {
    return t('end.you');
  }

  override settle() {
    this.#withBat = false;
  }

  values() {
    const { scene } = this;
    const gifts = scene?.gifts;
    return {
      at: scene?.bat?.on || scene?.at || '',
      to: this.name(gifts?.to ?? ''),
      name: this.name(scene?.turn ?? ''),
      n: gifts?.have?.length ?? 0,
    };
  }
}

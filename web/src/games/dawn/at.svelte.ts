import { maybe, t } from './words';
import { AtTable } from '../../table/at.svelte';
import type { Said } from '../../wire/protocol';
import type { Cemetery, Grave } from './types';
import { question, readMoves, type OfGrave } from './moves';
import { sentence } from './sentence';

/** The rulings that ask the questions. */
export const rulings: Record<string, string> = {
  open: 'O1',
  more: 'O2',
  on: 'N2',
  plague: 'P3',
  rest: 'O3',
  give: 'G1',
  take: 'G3',
  garlic: 'K1',
  bat: 'B1',
  believe: 'B3',
  present: 'B7',
  count: 'C3',
  'lay.free': 'B6',
};

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

  question(moves: string[]) {
    return question(readMoves(moves));
  }

  ask(question: string) {
    return maybe(`ask.${this.#kind(question)}`, t('ask.other'), this.values());
  }

  cite(question: string) {
    const kind = this.#kind(question);
    return kind === 'lay' ? this.#layRuling() : (rulings[kind] ?? '');
  }

  /** Who lays a vampire of any colour: the holder of the Count, the doubter of a bat, or its player. */
  #layRuling() {
    const bat = this.scene?.bat;
    if (!bat) return 'C4';
    if (!bat.doubter) return 'B7';
    return bat.doubter === this.you ? 'B5' : 'B4';
  }

  wait() {
    const { asked, turn } = this.frame!;
    const values = { ...this.values(), name: this.name(turn) };
    return maybe(`wait.${asked}`, t(this.scene?.plague ? 'wait.plague' : 'wait.open', values), values);
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

  #kind(question: string): string {
    const { scene, frame } = this;
    if (question === 'rest' && scene?.graves.some((g) => g.at === scene.at && g.lid === 'lifted'))
      return frame?.moves.includes('leave') ? 'lay.free' : 'lay';
    if (question !== 'open' && question !== 'more') return question;
    if (this.word === 'bat') return 'bat';
    if (scene?.plague) return 'plague';
    const events = frame?.events ?? [];
    const went = events.some((e) => e.verb === 'rest' && e.seat === this.you) && events.every((e) => e.verb !== 'turn');
    return question === 'open' && went ? 'on' : question;
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

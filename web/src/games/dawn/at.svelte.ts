import { maybe, t } from './words';
import { AtTable } from '../../table/at.svelte';
import { letter, number, type Said } from '../../wire/protocol';
import type { Cemetery, Grave, Side } from './types';
import { readMoves, type Moves, type OfGrave } from './moves';
import { end, size } from './scene';
import { sentence } from './sentence';

/** A reader at a cemetery. */
export class AtCemetery extends AtTable<Cemetery> {
  readonly home = 'grave';
  readonly places = /\b([a-z]\d)\b/;
  /** The gift that is about to be put at an end of the row. */
  gift = $state('');
  /** He is about to set a bat, instead of opening a grave. */
  #withBat = $state(false);

  offered = $derived.by(() => readMoves(this.moves));

  /** What pressing a grave says. */
  word = $derived.by(() => this.#word(this.offered));
  /** The graves of which it can be said. */
  lit = $derived.by(() => this.offered[this.word]);
  /** The graves that the frame's question can be answered with, whether it has been or not. */
  asking = $derived.by((): ReadonlySet<string> => {
    const moves = readMoves(this.lesson?.wants === '' ? [] : (this.frame?.moves ?? []));
    return moves[this.#word(moves)];
  });
  /** Those that are drawn for the light: these, and without such a question all; so nothing of sixty lids is drawn anew when one is pressed. */
  lightable = $derived.by(() => (this.asking.size ? this.asking : new Set(this.scene?.graves.map(({ at }) => at))));

  #word(moves: Moves): OfGrave {
    return moves.count.size ? 'count' : this.#withBat && moves.bat.size ? 'bat' : 'open';
  }

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

  override says(move: string) {
    const [word = '', first = '', second = ''] = move.split(' ');
    const at = { at: first };
    if (word === 'stop') return t(this.scene?.plague ? 'stop.plague' : 'stop.turn');
    if (word === 'garlic') return t('garlic.put', { n: this.scene?.garlic[number(this.you)] ?? 0 });
    if (word === 'leave') return t('garlic.leave');
    if (word === 'believe' || word === 'doubt') return t(`bat.${word}`);
    if (word === 'present') return t('present.to', { to: this.name(first) });
    if (word === 'take') return this.#atEnd(word, second, first);
    if (word === 'rest' || word === 'give') {
      return this.#atEnd(word, first, end(this.scene!.rows[number(this.you)]!, first as Side) ?? '');
    }
    return maybe(`move.${word}`, move, at);
  }

  /** What is done at an end of one's own row, with which vampire. */
  #atEnd(word: string, side: string, colour: string) {
    return t(`${word}.${side}` as 'rest.left', { vampire: maybe(`whom.${colour}`, ''), to: this.values().to });
  }

  tale(said: Said) {
    return sentence(said, (seat) => this.name(seat));
  }

  standing() {
    const rows = (this.scene?.rows ?? []).map((row, i) => ({ seat: letter(i), left: size(row) }));
    return rows.sort((a, b) => a.left - b.left).map(({ seat, left }) => ({ seat, is: t('row.left', { n: left }) }));
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

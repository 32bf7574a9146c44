import { maybe, t } from './words';
import { AtTable } from '../../table/at.svelte';
import { number, type Said, type Seat } from '../../wire/protocol';
import { readMoves } from './moves';
import { kindOf, seatsOf, type Scene } from './scene';
import { cardName, does, sentence } from './sentence';

/** A reader at a party. */
export class AtParties extends AtTable<Scene> {
  /** Which card of the hand is about to be put before a door. */
  #picked = $state(-1);

  offered = $derived.by(() => readMoves(this.moves));
  /** The card that was picked, as its place in the hand; the last one of all is picked by itself. */
  picked = $derived.by(() => {
    const hand = this.scene?.hand ?? [];
    return this.offered.doors.size && hand.length === 1
      ? 0
      : this.offered.doors.has(hand[this.#picked] ?? '')
        ? this.#picked
        : -1;
  });
  card = $derived.by(() => this.scene?.hand[this.picked] ?? '');
  /** Whose doors it may be put before. */
  doors = $derived.by((): Seat[] => this.offered.doors.get(this.card) ?? []);

  /** Somebody waits for an answer, not for a card of the hand. */
  answering = $derived.by(() => this.offered.answers || this.offered.choices.length > 0);

  /** Whoever has picked a card goes to a door next, and whoever is asked something to the answers. */
  home = $derived.by(() => (this.answering ? 'answer' : this.doors.length ? 'door' : 'card'));

  /** A card was pressed: it is picked, or laid back; or the player is told what he is asked instead. */
  pick(i: number) {
    if (!this.offered.doors.size) return this.tell(this.instead());
    this.tell('');
    this.#picked = this.picked === i ? -1 : i;
  }

  /** A door was pressed. */
  knock(seat: Seat) {
    if (this.doors.includes(seat)) void this.play(`knock ${seat} ${this.card}`);
    else this.tell(t('ask.knock'));
  }

  ask(question: string) {
    const knock = this.scene?.knock;
    if (question === 'knock') return this.card ? t('ask.door', { does: does(this.card) }) : t('ask.knock');
    if (question === 'accept') return t('ask.accept', { name: this.name(knock?.from ?? '') });
    if (question === 'other') return t('ask.other');
    return t(this.#taken(), { name: this.name(knock?.host ?? '') });
  }

  /** How the guests are lost among whom a rival chooses. */
  #taken() {
    const card = this.scene?.knock?.card;
    return card === 'child' ? 'ask.flee' : card === 'taxi' ? 'ask.ride' : 'ask.lure';
  }

  wait() {
    const { asked, turn } = this.frame!;
    const knock = this.scene?.knock;
    return maybe(`wait.${asked}`, '', { name: this.name(turn), to: this.name(knock?.host || knock?.from || '') });
  }

  override says(move: string) {
    const [word = '', first = '', card = ''] = move.split(' ');
    if (word === 'knock') return t('knock.door', { name: this.name(first), card: cardName(card) });
    if (word === 'choose') return this.choice(first);
    return word === 'accept' ? t('open') : t('refuse');
  }

  /** What a choice means: a single guest for the vamp, else a whole kind. */
  choice(choice: string) {
    const knock = this.scene?.knock;
    if (knock?.card !== 'child' && knock?.card !== 'taxi') return t('choose.guest', { card: cardName(choice) });
    const n = this.scene!.parties[number(knock.host)]!.filter((card) => kindOf(card) === choice).length;
    const guests = maybe(`guests.${choice}`, '', { n });
    return t(knock.card === 'child' ? 'choose.flee' : 'choose.ride', { guests });
  }

  tale(said: Said) {
    return sentence(said, (seat) => this.name(seat));
  }

  standing() {
    const score = (seat: Seat) => this.scene?.scores[number(seat)] ?? 0;
    const seats = this.scene ? seatsOf(this.scene) : [];
    return seats.sort((a, b) => score(b) - score(a)).map((seat) => ({ seat, is: t('points', { n: score(seat) }) }));
  }

  victory() {
    return t('end.party', { n: this.scene?.scores[number(this.you)] ?? 0 });
  }

  override settle() {
    this.#picked = -1;
  }
}

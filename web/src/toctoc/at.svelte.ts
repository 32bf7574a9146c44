import { tick } from 'svelte';
import { maybe, t } from '../messages/language.svelte';
import { AtTable } from '../table/at.svelte';
import { number, type Said, type Seat } from '../wire/protocol';
import { readMoves } from './moves';
import { seatsOf, type Scene } from './scene';
import { does, sentence } from './sentence';

/** A reader at a party. */
export class AtParties extends AtTable<Scene> {
  /** Which card of the hand is about to be put before a door. */
  #picked = $state(-1);

  offered = $derived.by(() => readMoves(this.moves));
  /** The card that was picked, as its place in the hand; the last one of all is picked by itself. */
  picked = $derived.by(() => {
    const hand = this.scene?.hand ?? [];
    return this.offered.doors.size && hand.length === 1 ? 0 : this.offered.doors.has(hand[this.#picked] ?? '') ? this.#picked : -1;
  });
  card = $derived.by(() => this.scene?.hand[this.picked] ?? '');
  /** Whose doors it may be put before. */
  doors = $derived.by((): Seat[] => this.offered.doors.get(this.card) ?? []);

  /** Somebody waits for an answer, not for a card of the hand. */
  answering = $derived.by(() => this.offered.answers || this.offered.choices.length > 0);

  /** A card was pressed: it is picked, or laid back; or the player is told what he is asked instead. */
  async pick(i: number, byKey = false) {
    if (!this.offered.doors.size) return this.tell(this.instead());
    this.tell('');
    this.#picked = this.picked === i ? -1 : i;
    await tick();
    if (byKey && this.picked === i) document.querySelector<HTMLElement>('.knocks')?.focus();
  }

  /** A door was pressed. */
  knock(seat: Seat) {
    if (this.doors.includes(seat)) void this.play(`knock ${seat} ${this.card}`);
    else this.tell(t('ask.knock'));
  }

  question(moves: string[]) {
    const { doors, answers, choices } = readMoves(moves);
    return doors.size ? 'knock' : answers ? 'accept' : choices.length ? 'choose' : '';
  }

  ask(question: string) {
    const knock = this.scene?.knock;
    if (question === 'knock') return this.card ? t('ask.door', { does: does(this.card) }) : t('ask.knock');
    if (question === 'accept') return t('ask.accept', { name: this.name(knock?.from ?? '') });
    return t(this.#taken(), { name: this.name(knock?.host ?? '') });
  }

  /** How the guests are lost among whom a rival chooses. */
  #taken() {
    const card = this.scene?.knock?.card;
    return card === 'child' ? 'ask.flee' : card === 'taxi' ? 'ask.ride' : 'ask.lure';
  }

  cite(question: string) {
    return question === 'choose' ? (this.#taken() === 'ask.lure' ? 'Q7' : 'Q8') : question === 'accept' ? 'Q6' : 'Q5';
  }

  wait() {
    const { asked, turn } = this.frame!;
    const knock = this.scene?.knock;
    return maybe(`wait.${asked}`, '', { name: this.name(turn), to: this.name(knock?.host || knock?.from || '') });
  }

  tale(said: Said) {
    return sentence(said, (seat) => this.name(seat));
  }

  victory() {
    return t('end.party', { n: this.scene?.scores[number(this.you)] ?? 0 });
  }

  /** Digits pick a card, or whom to take; the letter of a seat knocks at his door; O opens, R refuses. */
  pressed({ code, key }: KeyboardEvent) {
    const digit = Number(/^Digit([1-9])$/.exec(code)?.[1] ?? 0);
    if (digit && this.offered.choices.length) return this.#says(`choose ${this.offered.choices[digit - 1]}`);
    if (digit && digit <= (this.scene?.hand.length ?? 0)) return void this.pick(digit - 1), true;
    if (code === 'KeyO') return this.#says('accept');
    if (code === 'KeyR') return this.#says('refuse');
    const seat = /^[a-z]$/i.test(key) ? key.toUpperCase() : code.slice(-1);
    if (!this.offered.doors.size || seat === this.you || !this.scene || !seatsOf(this.scene).includes(seat)) return false;
    this.knock(seat);
    return true;
  }

  #says(move: string): boolean {
    const listed = this.moves.includes(move);
    if (listed) void this.play(move);
    return listed;
  }

  settle() {
    this.#picked = -1;
    const goes = document.activeElement?.matches('.knocks, .answers button, .choices button');
    if (goes) document.querySelector<HTMLElement>('.fan .focus')?.focus({ preventScroll: true });
  }
}

import { learner, type Lesson, type Pupil, type Step, type Teacher, type Teaching } from '../table/lesson';
import type { Words } from '../messages/language.svelte';
import type { Seat } from '../wire/protocol';

/** Somebody's move at a table: to the house in the page. */
export type Play = (seat: Seat, seq: number, move: string) => void;

/** Whose move it is, in a record's words, and what he does. */
const split = (words: string): [Seat, string] => [words.slice(0, 1), words.slice(2)];

/**
 * Somebody is taken through a lesson, from one of its steps on. What he reads is followed by what he presses; his move by what the others
 * answer, each when the one before has been looked at; and that by the next step.
 */
export class Course implements Teacher {
  step = $state(0);
  /** What he said was not what was meant. */
  #tried = $state(false);
  /** How many moves of this step have been made, and the frame after which the last one was. */
  #made = $state(0);
  #since = $state(0);

  constructor(
    readonly lesson: Lesson,
    private words: Words,
    from: number,
    private others: Play,
  ) {
    this.step = from;
  }

  now = $derived.by((): Step | undefined => this.lesson.steps[this.step]);
  over = $derived.by(() => this.step >= this.lesson.steps.length);
  #next = $derived.by(() => this.now?.moves?.[this.#made] ?? '');
  /** The learner's move that is awaited; '' if none is. */
  wants = $derived.by(() => (this.#made === 0 && this.#next.startsWith(`${learner} `) ? split(this.#next)[1] : ''));

  /** What is said at the table. */
  teaching(at: Pupil): Teaching {
    const { now, wants } = this;
    const names = Object.fromEntries((at.frame?.seats ?? []).map(({ seat }) => [seat, at.name(seat)]));
    return {
      says: now && !this.#made ? this.words.maybe(now.says, '', names) : '',
      wants,
      lit: !now?.remember || this.#tried,
      shows: now?.shows ?? '',
      on: now && !wants && this.#made === 0 ? () => this.#on(at) : null,
      takes: (move) => this.#takes(move, at),
    };
  }

  /** The table rests: the others answer, or what comes next is told. */
  rests(at: Pupil) {
    if (!this.#made || at.show.busy || !at.frame || at.frame.seq <= this.#since || at.frame.seq < at.show.seq) return;
    if (this.#next) this.#plays(at);
    else this.#goesOn();
  }

  #on(at: Pupil) {
    if (this.#next) this.#plays(at);
    else this.#goesOn();
  }

  #takes(move: string, at: Pupil): boolean {
    this.#tried = move !== this.wants;
    if (!this.#tried) this.#makes(at);
    return !this.#tried;
  }

  #plays(at: Pupil) {
    const [seat, move] = split(this.#next);
    const seq = at.frame!.seq;
    this.#makes(at);
    this.others(seat, seq, move);
  }

  #makes(at: Pupil) {
    this.#made++;
    this.#since = at.frame!.seq;
  }

  #goesOn() {
    this.step++;
    this.#made = 0;
    this.#tried = false;
  }
}

import type { Message } from '../messages/format';
import type { Language } from '../messages/language.svelte';
import { letter, type Agreed, type Frame, type Seat } from '../wire/protocol';

// What a game brings for those who do not know it yet: a deal that was prepared, and one idea after the other.

/** One idea. It is told; then the learner does what was said, or watches what the others do, or he has only read. */
export interface Step {
  /** The key of its sentences. */
  says: string;
  /** What is played then, in the words of a record: one move of the learner's and what the others answer, or moves of the others alone. */
  moves?: string[];
  /** The place that is meant, as sentences point at it, where no move says it. */
  shows?: string;
  /** He is to remember: nothing is lit before he has tried. */
  remember?: true;
}

/** A record as far as a lesson needs it. Its moves are those of the steps, so that the house can replay it. */
export interface Prepared {
  game: string;
  edition?: string;
  players: string[];
  moves: string[];
}

export interface Lesson {
  /** As its rulebook is called. */
  name: string;
  record: Prepared;
  steps: Step[];
}

/** All that a game brings. It knows no page, so that none is loaded in more pieces for its sake. */
export interface Lessons {
  lessons: Lesson[];
  /** Their sentences in every language. */
  own: Record<Language, Record<string, Message>>;
}

/** The learner's seat. */
export const learner: Seat = letter(0);

/** What a lesson says at a table, and what it waits for. */
export interface Teaching {
  /** '' while something happens. */
  says: string;
  /** The move that is meant, in the learner's words; '' while he reads. */
  wants: string;
  /** It is lit. */
  lit: boolean;
  shows: string;
  /** On to what comes next, where it is for him to say so. */
  on: (() => void) | null;
  /** Whether this is what is meant; what is not may be lit from then on. */
  takes(move: string): boolean;
}

/** Whoever gives a lesson; whose table it is he learns each time. */
export interface Teacher {
  teaching(at: Pupil): Teaching;
}

/** What of a table a lesson needs. */
export interface Pupil {
  readonly frame: Frame | null;
  readonly show: { readonly busy: boolean; readonly seq: number };
  name(seat: Seat): string;
}

/** How many moves have been made before this step. */
export const before = ({ steps }: Lesson, step: number): number =>
  steps.slice(0, step).reduce((sum, { moves = [] }) => sum + moves.length, 0);

/** What its table agrees on: it begins where this step does. */
export const agreed = (lesson: Lesson, step: number): Partial<Agreed> & { record: object; ply: number } => ({
  record: lesson.record,
  ply: before(lesson, step),
  game: lesson.record.game,
  edition: lesson.record.edition ?? '',
  seats: lesson.record.players.length,
});

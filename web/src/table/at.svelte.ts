import { list, maybe, t, type Words } from '../messages/language.svelte';
import { citation } from '../rules/citation';
import { nameAndKind, nameOf } from '../parts/names';
import { adviceAt, codeOf } from '../wire/http';
import type { Command, Info, Refused, Said, Seat, Sitter } from '../wire/protocol';
import type { Pressed, TableKey } from './keys';
import type { Teacher, Teaching } from './lesson';
import { aboutPeople, ending, peopleSentence, proposed } from './people';
import type { Show } from './show.svelte';

/** A player's word to the house, and its refusal. */
export type Say = (command: Command) => Promise<Refused | null>;

/** Who stands how: `2 vampires`, `7 points`. */
export interface Standing {
  seat: Seat;
  is: string;
}

/** What is played here: what the house says of it, the words for it, and the keys that each know their own kind of reader. */
export interface Here {
  info: Info;
  words: Words;
  keys: TableKey<never>[];
  /** It is played in the house in this page: nobody comes from elsewhere, and there are no links to it. */
  within?: boolean;
}

/** So many turns the bots may be ahead while all goes on as it should: nothing is said of fewer. */
const usual = 6;

/** A reader at a table: what is offered to him, what he is told, and his word to the house. Each game has its own kind. */
export abstract class AtTable<S = unknown> {
  /** A short word to the player: why something cannot be done. */
  notice = $state('');
  /** What forbids it, where a rulebook does. */
  rule = $state('');
  /** How often something was told: what is told twice is said twice. */
  told = $state(0);
  /** The number of the frame in which the last move was said. */
  #said = $state(0);
  #noticed: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly table: string,
    readonly show: Show<S>,
    readonly here: Here,
    private say: Say,
    /** What the reader calls himself, '' if he has no name. */
    readonly me: () => string = () => '',
  ) {}

  frame = $derived.by(() => this.show.frame);
  scene = $derived.by(() => this.show.scene);
  you = $derived.by(() => this.frame?.you ?? '');
  host = $derived.by(() => this.frame?.host ?? false);

  /** What those who are there are asked to agree to. */
  proposal = $derived.by(() => this.frame?.proposal ?? null);
  /** The number of the last proposal that was spoken: it is spoken once. */
  heard = 0;
  /** The reader has proposed it. Whoever has no seat is known by his name alone. */
  proposes = $derived.by(() => {
    const { proposal, you } = this;
    return (
      proposal !== null && proposal.by === you && (you !== '' || (proposal.name !== '' && proposal.name === this.me()))
    );
  });
  /** His word is awaited. */
  consulted = $derived.by(() => {
    const { proposal, you } = this;
    return you !== '' && proposal !== null && proposal.asked.includes(you) && !proposal.agreed.includes(you);
  });
  /** What is proposed, and whether he is asked. */
  wish = $derived.by((): string => {
    if (!this.proposal) return '';
    const wish = proposed(this.proposal, this.you, (seat) => this.name(seat));
    return this.consulted ? `${wish} ${t('propose.you')}` : wish;
  });

  /** Somebody is taught here, by whom. */
  teacher = $state.raw<Teacher | null>(null);
  /** What he is told just now. */
  lesson = $derived.by((): Teaching | null => this.teacher?.teaching(this) ?? null);

  /** The moves can be made only when the show has come to where they belong, and once. Whoever is to read first has none. */
  moves = $derived.by(() => {
    const frame = this.frame;
    if (this.lesson?.wants === '') return [];
    const current = frame && !this.show.busy && frame.seq === this.show.seq && frame.seq !== this.#said;
    return current ? frame.moves : [];
  });
  /** The move that a lesson means, and lights. */
  meant = $derived.by(() => (this.lesson?.lit && this.moves.length ? this.lesson.wants : ''));
  /** What the reader is asked: a word of his game. */
  asked = $derived.by(() => (this.moves.length ? this.frame!.asked : ''));

  /** The question in the reader's words. */
  abstract ask(question: string): string;
  /** What the others wait for, while somebody else is asked. */
  abstract wait(): string;
  /** What happened in the game, as a sentence; '' where there is nothing to say. */
  abstract tale(said: Said): string;
  /** What is said to a player who has won alone. */
  abstract victory(): string;

  /** Everybody as he stands in the end, whoever has come furthest first. */
  abstract standing(): Standing[];
  /** Where whoever plays by keyboard belongs just now: the name of elements in the page, of which one takes the focus. */
  abstract home: string;
  /** A move in the reader's words, as its button says it. */
  says(move: string): string {
    return move;
  }
  /** A move was made: what was about to be done with it is forgotten. */
  settle() {}

  /** How a sentence of the game names a place on the table, in a group of its own; null where it names none. */
  readonly places: RegExp | null = null;
  /** The place that a sentence points at. */
  pointed = $state('');
  #pointing: ReturnType<typeof setTimeout> | undefined;

  /** Points at it now, or in a while. */
  point(place: string, after = 0) {
    clearTimeout(this.#pointing);
    if (after) this.#pointing = setTimeout(() => (this.pointed = place), after);
    else this.pointed = place;
  }

  /** How often the reader has asked to be brought home. */
  sought = $state(0);

  seek(): true {
    this.sought++;
    return true;
  }

  /** Whether the key meant something just now. */
  pressed(key: Pressed): boolean {
    return this.here.keys.some((one) => one.press?.(this as never, key));
  }

  get over(): boolean {
    return this.frame?.outcome !== null && this.frame?.outcome !== undefined;
  }

  /** A bot plays for the reader, until he takes his seat again. */
  standin = $derived.by(() => this.frame?.state === 'running' && (this.sitter(this.you)?.standin ?? false));

  /** It is the reader's turn, though he may not have been shown yet how it came. */
  called = $derived.by(() => (this.show.newest?.moves.length ?? 0) > 0 && this.show.seq !== this.#said);

  /** How far behind the reader is with looking, where that is to be said. */
  lag = $derived.by(() => {
    if (!this.show.busy) return '';
    if (this.show.behind >= (this.show.late ? 1 : usual)) return t('behind', { n: this.show.behind });
    return this.show.newest?.moves.length && this.show.newest !== this.frame ? t('behind.you') : '';
  });

  /** What happens now, or what the reader is asked; the question stays until its answer has come back as a frame. */
  line = $derived.by((): string => {
    const { frame } = this;
    const telling = this.show.told.map((said) => this.sentence(said)).filter(Boolean);
    if (telling.length || !frame) return telling.join(' ');
    if (this.lesson?.says) return this.lesson.says;
    if (this.over) return t('why.over');
    if (this.standin) return t('wait.you');
    if (frame.moves.length) return this.ask(frame.asked);
    if (frame.waits) return t('wait.busy', { name: this.name(frame.turn) });
    return frame.turn ? this.wait() : '';
  });

  /** How the game ended. */
  ending = $derived.by((): string => {
    const { winners = [], why = '' } = this.frame?.outcome ?? {};
    if (!winners.length) return maybe(`end.${why}`, t('end.stopped'));
    if (winners.length === 1 && winners[0] === this.you) return this.victory();
    return this.wins(winners);
  });

  /** That these have won, for whoever it is told. */
  wins = (winners: Seat[]) => t('end.won', { names: list(winners.map((seat) => this.name(seat))), n: winners.length });

  /**
   * What whoever hears the table is told: less than is shown, for speech is slower than the game. Whose turn it is he hears when
   * it begins, and a question until he has answered it.
   */
  saying = $derived.by(() => {
    const { frame } = this;
    if (this.over && !this.show.busy) return this.ending;
    if (this.show.telling) return this.sentence(this.show.telling);
    if (this.lesson) return this.show.busy ? '' : this.lesson.says;
    if (!frame || this.standin) return this.line;
    if (frame.moves.length) return this.show.busy || this.moves.length ? this.line : '';
    return frame.log || frame.events.some(({ verb }) => verb === 'turn') ? this.line : '';
  });

  sitter(seat: Seat): Sitter | undefined {
    return this.frame?.seats.find((s) => s.seat === seat);
  }

  name(seat: Seat): string {
    const sitter = this.sitter(seat);
    return sitter ? nameOf(sitter) : t('seat', { seat });
  }

  /** The same, and that it is a bot where it is one. */
  fullName(seat: Seat): string {
    const sitter = this.sitter(seat);
    return sitter ? nameAndKind(sitter) : this.name(seat);
  }

  /** Whoever sits around the table, clockwise from the reader's left; all of them, if he only watches. */
  others(seats: Seat[]): Seat[] {
    const me = seats.indexOf(this.you);
    return [...seats.slice(me + 1), ...seats.slice(0, Math.max(0, me))];
  }

  sentence(said: Said): string {
    return aboutPeople(said) ? peopleSentence(said, (seat) => this.name(seat)) : this.tale(said);
  }

  async play(move: string) {
    if (this.lesson) {
      const why = this.instead();
      if (!this.lesson.takes(move)) return this.tell(why);
    }
    const seq = this.frame!.seq;
    this.#said = seq;
    this.tell('');
    this.settle();
    const refused = await this.say({ do: 'play', table: this.table, seat: this.you, seq, move });
    if (!refused) return;
    if (this.#said === seq) this.#said = 0;
    this.refuse(refused);
  }

  /** Nothing is proposed any more: the reader is told what has come of it. */
  ended() {
    const last = this.show.log.findLast(({ said }) => ending(said))?.said;
    if (last && !this.over) this.tell(this.sentence(last));
  }

  /** The last attempt at the deal has failed, and all begins again. */
  beganAgain() {
    const { shut } = this.frame!.seal!.failed.at(-1)!;
    this.tell(t('seal.again', { names: list(shut.map((seat) => this.name(seat))), n: shut.length }));
  }

  /** Says it, tells why where it was not done, and answers whether it was. */
  async do(command: Command): Promise<boolean> {
    const refused = await this.say(command);
    if (refused) this.refuse(refused);
    else this.tell('');
    return !refused;
  }

  /** Tells what somebody good would do who knows what lies on the table now, and no more. */
  async advise() {
    try {
      this.tell(t('advice.is', { move: this.says(await adviceAt(this.table)) }));
    } catch (error) {
      this.refuse(codeOf(error));
    }
  }

  /** Whose word is awaited, when what was pressed means nothing now. */
  instead(): string {
    if (this.lesson?.wants)
      return t(this.lesson.lit ? 'lesson.first' : 'lesson.think', { move: this.says(this.lesson.wants) });
    if (this.lesson?.on) return t('lesson.read');
    if (this.over) return t('why.over');
    if (this.asked) return t('why.asked', { ask: this.ask(this.asked) });
    if (this.show.busy) return t('why.busy');
    return t('why.turn', { name: this.name(this.frame?.turn ?? '') });
  }

  refuse(refused: Refused) {
    this.tell(reason(refused, this.here.words), refused.rule);
  }

  tell(text: string, rule = '') {
    this.notice = text;
    this.told++;
    this.rule = rule;
    this.fade();
  }

  /** What was told goes after a while, unless somebody is at it. */
  fade() {
    this.stay();
    if (this.notice) this.#noticed = setTimeout(() => this.tell(''), 6000);
  }

  stay() {
    clearTimeout(this.#noticed);
  }
}

/** The refusal in the reader's language, with the paragraph that forbids it. */
export function reason({ code, rule }: Refused, { maybe }: Pick<Words, 'maybe'>): string {
  const text = maybe(`code.${code}`, t('code.other'));
  return rule ? t('because', { text, rule: citation(rule) }) : text;
}

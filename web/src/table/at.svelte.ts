import { maybe, t } from '../messages/language.svelte';
import { citation } from '../rules/citation';
import type { Command, Refused, Said, Seat, Sitter } from '../wire/protocol';
import { aboutPeople, peopleSentence } from './people';
import type { Show } from './show.svelte';

/** A reader at a table: what is offered to him, what he is told, and his word to the house. Each game has its own kind. */
export abstract class AtTable<S = unknown> {
  /** A short word to the player: why something cannot be done. */
  notice = $state('');
  /** What forbids it, where a rulebook does. */
  rule = $state('');
  #played = $state(0);
  #noticed: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly table: string,
    readonly show: Show<S>,
    private say: (command: Command) => Promise<Refused | null>,
  ) {}

  frame = $derived.by(() => this.show.frame);
  scene = $derived.by(() => this.show.scene);
  you = $derived.by(() => this.frame?.you ?? '');
  host = $derived.by(() => this.frame?.seats.some((s) => s.host && s.seat === this.you && this.you !== '') ?? false);

  /** The moves can be made only when the show has come to where they belong, and once. */
  moves = $derived.by(() => {
    const frame = this.frame;
    const current = frame && !this.show.busy && frame.seq === this.show.seq && frame.seq !== this.#played;
    return (current && frame.moves) || [];
  });
  asked = $derived.by(() => this.question(this.moves));

  /** What the moves ask for: one word for the sentence that tells a player what to do; '' where there are none. */
  abstract question(moves: string[]): string;
  /** The question in the reader's words. */
  abstract ask(question: string): string;
  /** What a rulebook says of the question: a citation, or '' where nothing is said. */
  abstract cite(question: string): string;
  /** What the others wait for, while somebody else is asked. */
  abstract wait(): string;
  /** What happened in the game, as a sentence; '' where there is nothing to say. */
  abstract tale(said: Said): string;
  /** Whether the key meant something just now. */
  abstract pressed(key: KeyboardEvent): boolean;
  /** What is said to a player who has won alone. */
  abstract victory(): string;
  /** A move was made: its button is about to go, and takes the focus with it. */
  abstract settle(): void;

  sitter(seat: Seat): Sitter | undefined {
    return this.frame?.seats.find((s) => s.seat === seat);
  }

  name(seat: Seat): string {
    const sitter = this.sitter(seat);
    return sitter ? nameOf(sitter) : t('seat', { seat });
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
    const seq = this.frame!.seq;
    this.#played = seq;
    this.tell('');
    this.settle();
    const refused = await this.say({ do: 'play', table: this.table, seat: this.you, seq, move });
    if (!refused) return;
    if (this.#played === seq) this.#played = 0;
    this.tell(reason(refused), refused.rule);
  }

  async do(command: Command) {
    const refused = await this.say(command);
    this.tell(refused ? reason(refused) : '', refused?.rule);
  }

  /** Whose word is awaited, when what was pressed means nothing now. */
  instead(): string {
    if (this.frame?.outcome.over) return t('why.over');
    if (this.asked) return t('why.asked', { ask: this.ask(this.asked) });
    if (this.show.busy) return t('why.busy');
    return t('why.turn', { name: this.name(this.frame?.turn ?? '') });
  }

  tell(text: string, rule = '') {
    this.notice = text;
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
export function reason({ code, rule }: Refused): string {
  const text = maybe(`code.${code}`, t('code.other'));
  return rule ? t('because', { text, rule: citation(rule) }) : text;
}

/** What a bot is called: its strength, for it has no other name. */
export function botName(bot: string): string {
  const strength = bot.split(':').at(-1)!;
  return maybe(`bot.${strength}`, strength);
}

/** What a sitter is called: a bot has its seat's letter too, since others may be as strong. */
export const nameOf = ({ seat, name, bot }: { seat: Seat; name: string; bot: string }) =>
  name || (bot ? `${botName(bot)} ${seat}` : t('seat', { seat }));

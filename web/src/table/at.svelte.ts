import { maybe, t } from '../messages/language.svelte';
import type { Command, Grave, Refused, Seat, Sitter } from '../wire/protocol';
import { question, readMoves, type OfGrave } from '../dawn/moves';
import { toTheGraves } from './spots';
import type { Show } from './show.svelte';

/** A reader at a table: what is offered to him, what he is told, and his word to the house. */
export class AtTable {
  /** A short word to the player: why something cannot be done. */
  notice = $state('');
  /** The gift that is about to be put at an end of the row. */
  gift = $state('');
  /** He is about to set a bat, instead of opening a grave. */
  #withBat = $state(false);
  #played = $state(0);
  #noticed: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly table: string,
    readonly show: Show,
    private say: (command: Command) => Promise<Refused | null>,
  ) {}

  frame = $derived.by(() => this.show.frame);
  scene = $derived.by(() => this.show.scene);
  you = $derived.by(() => this.frame?.you ?? '');
  host = $derived.by(() => this.frame?.seats.some((s) => s.host && s.seat === this.you && this.you !== '') ?? false);

  /** The moves can be made only when the show has come to where they belong, and once. */
  offered = $derived.by(() => {
    const frame = this.frame;
    const current = frame && !this.show.busy && frame.seq === this.show.seq && frame.seq !== this.#played;
    return readMoves((current && frame.moves) || []);
  });
  asked = $derived.by(() => question(this.offered));

  /** What pressing a grave says. */
  word = $derived.by((): OfGrave => (this.offered.count.size ? 'count' : this.#withBat && this.offered.bat.size ? 'bat' : 'open'));
  /** The graves of which it can be said. */
  lit = $derived.by(() => this.offered[this.word]);

  /** The gift in hand that the ends are offered for: the one that was picked, or the only one. */
  chosen = $derived.by(() => (this.offered.take.has(this.gift) ? this.gift : [...this.offered.take.keys()][0] ?? ''));

  sitter(seat: Seat): Sitter | undefined {
    return this.frame?.seats.find((s) => s.seat === seat);
  }

  name(seat: Seat): string {
    const sitter = this.sitter(seat);
    return sitter ? nameOf(sitter) : t('seat', { seat });
  }

  async play(move: string) {
    const seq = this.frame!.seq;
    this.#played = seq;
    this.#withBat = false;
    this.tell('');
    toTheGraves();
    const refused = await this.say({ do: 'play', table: this.table, seat: this.you, seq, move });
    if (!refused) return;
    if (this.#played === seq) this.#played = 0;
    this.tell(reason(refused));
  }

  async do(command: Command) {
    const refused = await this.say(command);
    this.tell(refused ? reason(refused) : '');
  }

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

  /** Whose word is awaited, when it is not a grave's turn. */
  instead(): string {
    if (this.frame?.outcome.over) return t('why.over');
    if (this.asked) return t('why.asked', { ask: this.ask(this.asked) });
    if (this.show.busy) return t('why.busy');
    return t('why.turn', { name: this.name(this.frame?.turn ?? '') });
  }

  /** The question in the reader's words. */
  ask(question: string): string {
    return maybe(`ask.${this.#kind(question)}`, t('ask.other'), this.values());
  }

  #kind(question: string): string {
    const { scene, frame } = this;
    if (question === 'rest' && scene?.graves.some((g) => g.at === scene.at && g.lid === 'lifted')) return frame?.moves?.includes('leave') ? 'lay.free' : 'lay';
    if (question !== 'open' && question !== 'more') return question;
    if (this.word === 'bat') return 'bat';
    if (scene?.plague) return 'plague';
    const events = frame?.events ?? [];
    const went = events.some((e) => e.verb === 'rest' && e.seat === this.you) && events.every((e) => e.verb !== 'turn');
    return question === 'open' && went ? 'on' : question;
  }

  values() {
    const { scene } = this;
    return { at: scene?.bat?.on || scene?.at || '', to: this.name(scene?.gifts?.to ?? ''), name: this.name(scene?.turn ?? '') };
  }

  tell(text: string) {
    clearTimeout(this.#noticed);
    this.notice = text;
    if (text) this.#noticed = setTimeout(() => (this.notice = ''), 6000);
  }
}

/** The refusal in the reader's language, with the paragraph that forbids it. */
export function reason({ code, rule }: Refused): string {
  const text = maybe(`code.${code}`, t('code.other'));
  return rule ? t('because', { text, rule: rule.replace('ch.', t('chapter')) }) : text;
}

/** What a bot is called: its strength, for it has no other name. */
export function botName(bot: string): string {
  const strength = bot.split(':').at(-1)!;
  return maybe(`bot.${strength}`, strength);
}

/** What a sitter is called: a bot has its seat's letter too, since others may be as strong. */
export const nameOf = ({ seat, name, bot }: { seat: Seat; name: string; bot: string }) =>
  name || (bot ? `${botName(bot)} ${seat}` : t('seat', { seat }));

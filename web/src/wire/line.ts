import { Frames, type Terse } from './frames';
import type { Answer, Command, Frame, Phrase, Refused, TableCard, Word } from './protocol';

/** The little of a WebSocket that a line needs, so that a test can hand in its own. */
export interface Wire {
  send(text: string): void;
  close(): void;
  /** It leads out of this page no further than to its own worker, which says so if it breaks; while it thinks it is silent, however long. */
  near?: true;
  onopen: (() => void) | null;
  onmessage: ((message: { data: string }) => void) | null;
  onclose: ((close: { code: number }) => void) | null;
}

export interface Listener {
  frame(table: string, frame: Frame): void;
  phrase?(table: string, phrase: Phrase): void;
  lobby(cards: TableCard[]): void;
  /** Whether the line stands; if not, how often in a row it could not be opened. */
  up(up: boolean, tries: number): void;
  refused(table: string, why: Refused): void;
  reload(): void;
  /** The session has ended, and one is somebody else by now. */
  ended(): void;
}

const firstWait = 250;
const longestWait = 8000;
const pingEvery = 20_000;
const pongWithin = 6000;
/** Why a table may not be looked at now, and may be soon. */
const passing = ['busy', 'storage'];

/**
 * The one connection to the house. What was not answered when it broke is sent again with the same id, which counts
 * once; every table that is watched is asked for from the last frame that came.
 */
export class Line {
  #wire: Wire | null = null;
  #up = false;
  #tries = 0;
  #count = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #ping: ReturnType<typeof setTimeout> | undefined;
  #unanswered = new Map<string, { text: string; settle: (answer: Answer) => void }>();
  #watched = new Map<string, () => number>();
  #frames = new Frames();
  #asked = new Map<string, string>(); // which table a `watch` was said of
  #lobby = false;
  #page = Math.random().toString(36).slice(2, 12); // ids are never another page's

  constructor(
    private dial: () => Wire,
    private listener: Listener,
  ) {}

  /** Connects, or connects again: at once, whatever the last try was. */
  connect() {
    clearTimeout(this.#retry);
    this.#hangUp();
    this.#tries++;
    const wire = this.dial();
    this.#wire = wire;
    wire.onopen = () => this.#opened();
    wire.onmessage = ({ data }) => this.#heard(JSON.parse(data) as Word);
    wire.onclose = ({ code }) => this.#closed(code);
  }

  /** Nobody is to be dialled, until somebody connects again. */
  stop() {
    clearTimeout(this.#retry);
    clearTimeout(this.#ping);
    this.#hangUp();
  }

  /** The network is known to be gone: do not wait to find out. */
  lost() {
    this.#hangUp();
    this.#closed(1006);
  }

  /** The page was asleep, and the line may have died unheard: a sign of life is wanted soon. */
  check() {
    if (!this.#up) return this.connect();
    if (this.#wire?.near) return;
    this.#tell({ do: 'ping' });
    this.#expectWord();
  }

  /** Sends a command; the answer comes sooner or later, however often the line breaks. */
  say(command: Command): Promise<Answer> {
    const id = this.#id();
    const text = JSON.stringify({ id, ...command });
    return new Promise((settle) => {
      this.#unanswered.set(id, { text, settle });
      if (this.#up) this.#wire?.send(text);
    });
  }

  watch(table: string, last: () => number) {
    this.#watched.set(table, last);
    this.#watch(table);
  }

  unwatch(table: string) {
    this.#watched.delete(table);
    this.#frames.forget(table);
    this.#tell({ do: 'unwatch', table });
  }

  /** A frame is missing: ask for the table again. */
  again(table: string) {
    this.#watch(table);
  }

  lobby(wanted: boolean) {
    this.#lobby = wanted;
    this.#tell({ do: wanted ? 'lobby' : 'unlobby' });
  }

  #opened() {
    this.#up = true;
    this.#tries = 0;
    if (this.#lobby) this.#tell({ do: 'lobby' });
    for (const table of this.#watched.keys()) this.#watch(table);
    for (const { text } of this.#unanswered.values()) this.#wire?.send(text);
    this.#keepAlive();
    this.listener.up(true, 0);
  }

  #heard(word: Word) {
    this.#keepAlive();
    if (word.frame && word.table) this.#told(word.table, word.frame as Terse);
    else if (word.phrase && word.table) this.listener.phrase?.(word.table, word.phrase);
    else if (word.lobby) this.listener.lobby(word.lobby);
    else if (word.re) this.#answered(word as Answer);
    else if (word.error?.code === 'reload') this.#outOfDate();
    else if (word.error && word.error.code !== 'flood') this.#misunderstood(word.error);
  }

  /** Something that was said was no command, and nobody knows what: nothing is waited for, or it would be said again for ever. */
  #misunderstood(error: Refused) {
    for (const re of [...this.#unanswered.keys()]) this.#answered({ re, error });
  }

  #told(table: string, said: Terse) {
    if (!this.#watched.has(table)) return;
    const frame = this.#frames.whole(table, said);
    if (frame) this.listener.frame(table, frame);
    else this.#watch(table);
  }

  #answered(answer: Answer) {
    const asked = this.#unanswered.get(answer.re);
    this.#unanswered.delete(answer.re);
    asked?.settle(answer);
    const table = this.#asked.get(answer.re);
    this.#asked.delete(answer.re);
    if (!answer.error || !table) return;
    this.listener.refused(table, answer.error);
    if (passing.includes(answer.error.code))
      setTimeout(() => this.#watched.has(table) && this.#watch(table), longestWait);
  }

  #closed(code: number) {
    this.#wire = null;
    this.#up = false;
    clearTimeout(this.#ping);
    clearTimeout(this.#retry);
    this.listener.up(false, this.#tries);
    if (code === 4000) return this.#outOfDate();
    if (code === 4001) this.listener.ended();
    // A little chance keeps a whole house of browsers from knocking at the same instant.
    const wait = Math.min(longestWait, firstWait * 2 ** Math.max(0, this.#tries - 1)) * (0.75 + Math.random() / 2);
    this.#retry = setTimeout(() => this.connect(), wait);
  }

  /** The house speaks another protocol by now: only a newer page helps. */
  #outOfDate() {
    this.#hangUp();
    clearTimeout(this.#ping);
    this.listener.reload();
  }

  #hangUp() {
    const wire = this.#wire;
    this.#wire = null;
    this.#up = false;
    if (!wire) return;
    wire.onopen = wire.onmessage = wire.onclose = null;
    wire.close();
  }

  /** A line that has been silent is asked for a sign of life, and dialled again when none comes. */
  #keepAlive() {
    clearTimeout(this.#ping);
    if (this.#wire?.near) return;
    this.#ping = setTimeout(() => {
      this.#tell({ do: 'ping' });
      this.#expectWord();
    }, pingEvery);
  }

  #expectWord() {
    clearTimeout(this.#ping);
    this.#ping = setTimeout(() => this.lost(), pongWithin);
  }

  #watch(table: string) {
    const id = this.#id();
    this.#asked.set(id, table);
    this.#tell({ id, do: 'watch', table, seq: this.#watched.get(table)?.() ?? 0 });
  }

  #tell(words: object) {
    if (this.#up) this.#wire?.send(JSON.stringify({ id: this.#id(), ...words }));
  }

  #id() {
    return `${this.#page}-${this.#count++}`;
  }
}

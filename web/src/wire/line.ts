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
/** A house of several nodes says every second that the node lives; where one has gone another is to be had at once. */
const signWithin = 3000;
/** How soon one may be led again to where one was, or could not come to. */
const leadEvery = 60_000;
/** An alarm that rings so much too late has found the page asleep. */
const wakeTime = 500;
/** Why a table may not be looked at now, and may be soon. */
const passing = ['busy', 'storage'];

/** How long to wait after so many tries that failed. A little chance keeps a whole house of browsers from knocking at the same instant. */
const backOff = (tries: number) =>
  Math.min(longestWait, firstWait * 2 ** Math.max(0, tries)) * (0.75 + Math.random() / 2);

/** Nothing is heard of a connection any more. */
function mute(wire: Wire | null | undefined) {
  if (wire) wire.onopen = wire.onmessage = wire.onclose = null;
  return wire ?? null;
}

/**
 * The connection to the house: one, and for a moment two where one is led to another node. What was not answered when it broke is sent again with the same id, which counts
 * once; every table that is watched is asked for from the last frame that came.
 */
export class Line {
  #wire: Wire | null = null;
  #next: { wire: Wire; node: string } | null = null; // by which one is led to a table; not open yet
  #last: Wire | null = null; // by which one came before: it is mute, but others see one there by it until one watches by this one
  #node = ''; // by which one comes; '' by any
  #led = new Map<string, number>(); // until when one is not led again by a table to a node, or to one that did not open at all
  #up = false;
  #signs = false; // whether the house says that it lives
  #tries = 0;
  #count = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #ping: ReturnType<typeof setTimeout> | undefined;
  #patience: ReturnType<typeof setTimeout> | undefined; // for the next one
  #unanswered = new Map<string, { text: string; settle: (answer: Answer) => void }>();
  #watched = new Map<string, () => number>();
  #frames = new Frames();
  #asked = new Map<string, string>(); // which table a `watch` was said of
  #refused = new Map<string, number>(); // how often in a row a table could not be looked at just then
  #lobby = false;
  #page = Math.random().toString(36).slice(2, 12); // ids are never another page's

  constructor(
    private dial: (node: string) => Wire,
    private listener: Listener,
  ) {}

  /** Connects, or connects again: at once, whatever the last try was. */
  connect() {
    clearTimeout(this.#retry);
    clearTimeout(this.#ping);
    this.#hangUp();
    this.#tries++;
    this.#use(this.dial(this.#node));
    this.#signs = false;
  }

  #use(wire: Wire) {
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
    this.#withdraw();
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
    if (this.#watched.size > 0) return;
    this.#node = '';
    this.#stay();
    this.#withdraw();
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
    this.#asked.clear();
    if (this.#lobby) this.#tell({ do: 'lobby' });
    for (const table of this.#watched.keys()) this.#watch(table);
    for (const { text } of this.#unanswered.values()) this.#wire?.send(text);
    this.#keepAlive();
    this.listener.up(true, 0);
  }

  #heard(word: Word) {
    if (word.alive) this.#signs = true;
    this.#keepAlive();
    if (word.node && word.table) this.#lead(word.table, word.node);
    else if (word.frame && word.table) this.#told(word.table, word.frame as Terse);
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

  /**
   * Another node has the table, and one comes to it by a shorter way, as soon as that is open. Where it leads elsewhere, or
   * nowhere, it is left alone for a while: any way will do.
   */
  #lead(table: string, node: string) {
    const [way, now] = [`${table} ${node}`, Date.now()];
    if (!this.#watched.has(table) || node === this.#node || node === this.#next?.node) return;
    if ([way, node].some((led) => now < (this.#led.get(led) ?? 0))) return;
    this.#led.set(way, now + leadEvery);
    this.#stay();
    const wire = this.dial(node);
    const fails = () => {
      this.#led.set(node, Date.now() + leadEvery);
      this.#stay();
    };
    this.#next = { wire, node };
    wire.onopen = () => this.#move(wire, node);
    wire.onclose = fails;
    this.#patience = setTimeout(fails, signWithin);
  }

  /** One is not led anywhere any more. */
  #stay() {
    clearTimeout(this.#patience);
    mute(this.#next?.wire)?.close();
    this.#next = null;
  }

  /** Goes on by a line that is open: there is said again what is not answered, and told what comes from now on. */
  #move(wire: Wire, node: string) {
    clearTimeout(this.#patience);
    clearTimeout(this.#retry);
    this.#withdraw();
    this.#last = mute(this.#wire);
    this.#next = null;
    this.#node = node;
    this.#signs = true; // there are several nodes
    this.#use(wire);
    this.#opened();
  }

  /** Nobody sees one there any more by the line before. */
  #withdraw() {
    mute(this.#last)?.close();
    this.#last = null;
  }

  #answered(answer: Answer) {
    const asked = this.#unanswered.get(answer.re);
    this.#unanswered.delete(answer.re);
    asked?.settle(answer);
    const table = this.#asked.get(answer.re);
    this.#asked.delete(answer.re);
    if (!table) return;
    const times = this.#refused.get(table) ?? 0;
    this.#refused.delete(table);
    const soon = passing.includes(answer.error?.code ?? '');
    if (!soon) this.#withdraw();
    if (answer.error) this.listener.refused(table, answer.error);
    if (!soon) return;
    this.#refused.set(table, times + 1);
    setTimeout(() => this.#watched.has(table) && this.#watch(table), backOff(times + 2));
  }

  #closed(code: number) {
    this.#wire = null;
    this.#up = false;
    clearTimeout(this.#ping);
    clearTimeout(this.#retry);
    if (code === 4000 && this.#node) return this.#outOfDate();
    if (this.#tries > 0) this.#node = ''; // it was not opened
    this.listener.up(false, this.#tries);
    if (code === 4000) return this.#outOfDate();
    if (code === 4001) this.listener.ended();
    this.#retry = setTimeout(() => this.connect(), backOff(this.#tries - 1));
  }

  /** The house speaks another protocol by now: only a newer page helps. */
  #outOfDate() {
    this.#hangUp();
    clearTimeout(this.#ping);
    if (this.#node) {
      this.#node = ''; // that one does; another, which brought the page, may not
      return this.connect();
    }
    this.listener.reload();
  }

  #hangUp() {
    this.#stay();
    mute(this.#wire)?.close();
    this.#wire = null;
    this.#up = false;
  }

  /** A line that has been silent is asked for a sign of life, and dialled again when none comes. */
  #keepAlive() {
    clearTimeout(this.#ping);
    if (this.#wire?.near) return;
    if (this.#signs) return this.#expectWord(signWithin);
    this.#ping = setTimeout(() => {
      this.#tell({ do: 'ping' });
      this.#expectWord();
    }, pingEvery);
  }

  #expectWord(within = pongWithin) {
    clearTimeout(this.#ping);
    this.#expect(Date.now() + within, within);
  }

  /** A page that was busy, or asleep, hears what has come meanwhile only after its alarms: it waits once more. Those of a hidden page are always late. */
  #expect(due: number, within: number, again = false) {
    this.#ping = setTimeout(() => {
      if (again || Date.now() < due + wakeTime) {
        this.#node = ''; // whoever leads there may not know yet that nobody answers
        return this.lost();
      }
      this.#expect(Date.now() + within, within, true);
    }, within);
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

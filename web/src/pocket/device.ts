import { codeOf, HttpRefusal } from '../wire/http';
import type { Wire } from '../wire/line';
import type { Info, PlayedGame, Refused, Seat, Setup, TableCard } from '../wire/protocol';
import { own } from './own';

/** An answer, what a line tells, whether the browser has no room for what is played, or that another page has played meanwhile. */
type Heard = { n: number; said?: string; heard?: string } | { unkept: boolean } | { overtaken: true };

/** The little of a worker that is needed, so that a test can hand in its own. */
export interface Thread {
  postMessage(word: object): void;
  onmessage: ((message: { data: Heard }) => void) | null;
  /** It has broken. */
  onerror: (() => void) | null;
  terminate(): void;
}

/** What there is to play here, and against whom. */
export interface Shelf {
  games: Info[];
  bots: string[];
}

/** A game that is over, and the name by which a house keeps it as well. */
export interface HerePlayed extends PlayedGame {
  kept?: string;
}

/** The house in this page, as its pages speak with it: questions and answers, and lines that are as a socket's. */
export class Device {
  #count = 0;
  #asked = new Map<number, (said: string) => void>();
  #wires = new Map<number, Wire>();
  #opened: Promise<Shelf> | undefined;
  #thread: Thread | undefined;
  #unkept = false;
  #told: ((unkept: boolean) => void) | null = null;

  constructor(
    /** Its tables are there again when the page is opened again. */
    private keeps = true,
    private begin: () => Thread = () => new Worker(own('/pocket.js')) as unknown as Thread,
  ) {}

  /** Says whether what is played is lost when the page is closed, and whenever that changes; until somebody else wants to know. */
  tellsUnkept(told: (unkept: boolean) => void) {
    this.#told = told;
    told(this.#unkept);
  }

  /** Opens the house, the first time; it fails where its rules cannot be fetched. */
  open(): Promise<Shelf> {
    this.#thread ??= this.#listen(this.begin());
    this.#opened ??= this.#ask<Shelf>({ do: 'open', keeps: this.keeps });
    this.#opened.catch(() => (this.#opened = undefined)); // so that one may try again
    return this.#opened;
  }

  /** Has a table made for people, who are called so by seat, and begun. */
  async make(setup: Setup, names: Record<Seat, string>): Promise<string> {
    return (await this.ask<{ table: string }>({ what: 'make', setup, names })).table;
  }

  tables = () => this.ask<TableCard[]>({ what: 'tables' });

  /** Those that are over, the newest first; the house is not opened where there is none. */
  async played(): Promise<HerePlayed[]> {
    this.#thread ??= this.#listen(this.begin());
    const { some } = await this.#ask<{ some?: boolean }>({ do: 'any' });
    return some ? this.ask<HerePlayed[]>({ what: 'played' }) : [];
  }
  /** Notes that a house keeps a game as well, by that name. */
  kept = (table: string, kept: string) => this.ask<object>({ what: 'kept', table, kept });
  /** The game through somebody's eyes, as the engine tells it. */
  replay = <T>(table: string, eyes: string) => this.ask<T>({ what: 'replay', table, eyes });
  drop = (table: string) => this.ask<object>({ what: 'drop', table });
  record = (table: string) => this.ask<object>({ what: 'record', table });

  /** What the house could not do because another page had played meanwhile it is asked again, when it knows of that. */
  async ask<T>(question: object): Promise<T> {
    await this.open();
    return this.#ask<T>({ do: 'ask', question: JSON.stringify(question) }).catch((why: unknown) => {
      if (codeOf(why).code !== 'overtaken') throw why;
      return this.ask<T>(question);
    });
  }

  /** A line to a table, for whoever has that seat; '' is everybody around the device. */
  dial(table: string, seat: Seat): Wire {
    const n = this.#count++;
    const tell = (word: object) => this.#thread?.postMessage({ n, ...word });
    const wire: Wire = {
      near: true,
      onopen: null,
      onmessage: null,
      onclose: null,
      send: (text) => tell({ do: 'say', text }),
      close: () => {
        this.#wires.delete(n);
        tell({ do: 'hang' });
      },
    };
    this.#wires.set(n, wire);
    this.open().then(
      () => {
        if (!this.#wires.has(n)) return;
        tell({ do: 'dial', table, seat });
        wire.onopen?.();
      },
      () => this.#wires.delete(n) && wire.onclose?.({ code: 1006 }),
    );
    return wire;
  }

  #listen(thread: Thread): Thread {
    thread.onmessage = ({ data }) => {
      if ('unkept' in data) {
        this.#unkept = data.unkept;
        return this.#told?.(data.unkept);
      }
      if ('overtaken' in data) return this.#broke('overtaken');
      const { n, said, heard } = data;
      if (said !== undefined) {
        this.#asked.get(n)?.(said);
        this.#asked.delete(n);
      } else if (heard !== undefined) this.#wires.get(n)?.onmessage?.({ data: heard });
    };
    thread.onerror = () => this.#broke();
    return thread;
  }

  /** Whoever waits is told why, and may try again: what was kept is there. */
  #broke(code = 'unreachable') {
    this.#thread?.terminate();
    this.#thread = this.#opened = undefined;
    const [asked, wires] = [[...this.#asked.values()], [...this.#wires.values()]];
    this.#asked.clear();
    this.#wires.clear();
    for (const answer of asked) answer(JSON.stringify({ error: { code } }));
    for (const wire of wires) wire.onclose?.({ code: 1006 });
  }

  #ask<T>(word: object): Promise<T> {
    const n = this.#count++;
    return new Promise((done, failed) => {
      this.#asked.set(n, (said) => {
        const answer = JSON.parse(said) as T & { error?: Refused };
        if (answer.error) failed(new HttpRefusal(answer.error));
        else done(answer);
      });
      this.#thread!.postMessage({ n, ...word });
    });
  }
}

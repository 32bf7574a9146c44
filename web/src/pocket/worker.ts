// The house in the page, in a thread of its own: a bot that thinks keeps nobody from scrolling. It is a file of its own, imports nothing, and
// is told by messages what to do (device.ts). What its log says it keeps in the browser's database before it answers.

/** Does what a text says, and calls back with whether that is durable. */
type Does = (text: string, done: (did: boolean) => void) => void;

interface Engine {
  Go: new () => { importObject: WebAssembly.Imports; run(instance: WebAssembly.Instance): Promise<void> };
  caveauOpen(kept: string, keep: Does, forget: Does, done: (said: string) => void): void;
  caveauAsk(question: string, done: (said: string) => void): void;
  caveauLine(table: string, seat: string, tell: (text: string) => void): Talk;
  importScripts(path: string): void;
  postMessage(word: object): void;
}
interface Talk {
  say(text: string): void;
  hang(): void;
}
type Word =
  | { do: 'open'; n: number; keeps: boolean }
  | { do: 'any'; n: number }
  | { do: 'ask'; n: number; question: string }
  | { do: 'dial'; n: number; table: string; seat: string }
  | { do: 'say'; n: number; text: string }
  | { do: 'hang'; n: number };

const engine = self as unknown as Engine;
const talks = new Map<number, Talk>();

const database = () =>
  new Promise<IDBDatabase>((done, failed) => {
    const asked = indexedDB.open('caveau', 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore('log', { autoIncrement: true });
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => failed(asked.error!);
  });

/** What a log is known by: its keys only grow, so where the newest is the same, and as many lie before it, nothing has come or gone. */
function mark(log: IDBObjectStore, told: (mark: string) => void) {
  const counted = log.count();
  const newest = log.openKeyCursor(null, 'prev');
  newest.onsuccess = () => told(JSON.stringify([newest.result?.key, counted.result]));
}

const read = (db: IDBDatabase) =>
  new Promise<{ lines: string[]; known: string }>((done, failed) => {
    const log = db.transaction('log').objectStore('log');
    const asked = log.getAll();
    asked.onerror = () => failed(asked.error!);
    mark(log, (known) => done({ lines: asked.result as string[], known }));
  });

/** Whether there is anything; that needs no engine. */
async function any(): Promise<boolean> {
  const counted = (await database()).transaction('log').objectStore('log').count();
  return new Promise((done) => {
    counted.onsuccess = () => done(counted.result > 0);
    counted.onerror = () => done(false);
  });
}

/** Whether a line is of that table, or of one of those who sat there. */
function isOf(text: string): (line: string) => boolean {
  const { table, guests } = JSON.parse(text) as { table: string; guests: string[] };
  return (line) => {
    const said = JSON.parse(line) as { table?: string; guest?: string };
    return said.table === table || guests.includes(said.guest ?? '');
  };
}

/**
 * A log in the browser's database. What it has no room for is owed, told of, and kept with the next line for which there is room. Where it is
 * not as this house knows it another page has written meanwhile: then nothing is written, nor answered, and the house is to begin anew.
 */
function written(db: IDBDatabase, known: string): { keep: Does; forget: Does } {
  let owed: string[] = [];
  const write = (does: (log: IDBObjectStore, then: () => void) => void, done: (did: boolean) => void) => {
    const writing = db.transaction('log', 'readwrite');
    const log = writing.objectStore('log');
    let next = '';
    writing.onabort = () => done(false);
    mark(log, (now) => {
      if (now !== known) return engine.postMessage({ overtaken: true });
      writing.oncomplete = () => {
        known = next;
        done(true);
      };
      does(log, () => mark(log, (is) => (next = is)));
    });
  };
  const add = (lines: string[], done: () => void) => {
    owed = [];
    write(
      (log, then) => {
        lines.forEach((line) => log.add(line));
        then();
      },
      (did) => {
        if (!did) owed = [...lines, ...owed];
        engine.postMessage({ unkept: owed.length > 0 });
        done();
      },
    );
  };
  return {
    // One plays on, as where nothing is kept.
    keep: (line, done) => add([...owed, line], () => done(true)),
    forget: (text, done) => {
      const goes = isOf(text);
      const erase = (log: IDBObjectStore, then: () => void) => {
        const walk = log.openCursor();
        walk.onsuccess = () => {
          const at = walk.result;
          if (!at) return then();
          if (goes(at.value as string)) at.delete();
          at.continue();
        };
      };
      write(erase, (did) => {
        owed = owed.filter((line) => !goes(line));
        add(owed, () => done(did));
      });
    },
  };
}

const nowhere: Does = (_, done) => done(true);

/** Where nothing is kept, one plays as long as the page is open. */
async function open(keeps: boolean): Promise<string> {
  const db = keeps ? await database().catch(() => null) : null;
  const log = db ? await read(db).catch(() => null) : null;
  const { keep, forget } = db && log ? written(db, log.known) : { keep: nowhere, forget: nowhere };
  if (keeps && !log) engine.postMessage({ unkept: true });
  engine.importScripts('/engine.js');
  const go = new engine.Go();
  const { instance } = await WebAssembly.instantiateStreaming(fetch('/engine.wasm'), go.importObject);
  void go.run(instance);
  return new Promise((done) => engine.caveauOpen(`[${(log?.lines ?? []).join()}]`, keep, forget, done));
}

self.onmessage = ({ data }: MessageEvent<Word>) => {
  const answer = (said: string) => engine.postMessage({ n: data.n, said });
  if (data.do === 'open')
    open(data.keeps).then(answer, (why) =>
      answer(JSON.stringify({ error: { code: 'unreachable', message: String(why) } })),
    );
  else if (data.do === 'any')
    any().then(
      (some) => answer(JSON.stringify({ some })),
      () => answer('{}'),
    );
  else if (data.do === 'ask') engine.caveauAsk(data.question, answer);
  else if (data.do === 'say') talks.get(data.n)?.say(data.text);
  else if (data.do === 'dial') {
    const { n } = data;
    const tell = (heard: string) => engine.postMessage({ n, heard });
    talks.set(n, engine.caveauLine(data.table, data.seat, tell));
  } else {
    talks.get(data.n)?.hang();
    talks.delete(data.n);
  }
};

export {}; // it has names of its own

// The rules of the house as WebAssembly: loaded when somebody wants a record checked, and asked nothing else.

import type { Given, Seat } from '../wire/protocol';

export interface Verdict {
  ok: boolean;
  checks: { what: 'read' | 'whole' | 'seals' | 'deal' | 'bots' | 'moves'; fault: string }[];
  game: string;
  edition: string;
  options: Record<string, number> | null;
  players: string[] | null;
  moves: number;
  over: boolean;
  winners: Seat[] | null;
  seal: string;
  numbers: Given[] | null;
  /** The attempts before, in order, in which a number was not opened. */
  failed: { seal: string; numbers: Given[] }[] | null;
  /** Who could have chosen the deal, if anybody: one of few cases, and the numbers in it. */
  claim: { case: 'unchosen' | 'rejected' | 'picked' | 'house'; deals: number; gave: Seat[]; shut: Seat[][] };
  first: Seat;
  choices: Record<string, string[]> | null;
}

interface Go {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}
declare global {
  interface Window {
    Go: new () => Go;
    caveauVerify?: (record: string) => string;
  }
}

let loading: Promise<void> | undefined;

/** Checks a record; the first time the engine is fetched. Fails where it cannot be. */
export async function verify(record: string): Promise<Verdict> {
  loading ??= load();
  try {
    await loading;
  } catch (error) {
    loading = undefined; // so that one may try again
    throw error;
  }
  return JSON.parse(window.caveauVerify!(record)) as Verdict;
}

async function load() {
  await script('/engine.js');
  const go = new window.Go();
  const { instance } = await WebAssembly.instantiateStreaming(fetch('/engine.wasm'), go.importObject);
  void go.run(instance); // until the page goes; it has made caveauVerify by the time this returns
}

const script = (src: string) =>
  new Promise<void>((done, failed) => {
    const tag = Object.assign(document.createElement('script'), {
      src,
      onload: () => done(),
      onerror: () => failed(new Error(src)),
    });
    document.head.append(tag);
  });

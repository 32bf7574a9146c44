// The rules of the house as WebAssembly: loaded when somebody wants a record checked or played again, and asked nothing else.

import { Frames, type Terse } from '../wire/frames';
import type { Frame, Given, Seat, Story } from '../wire/protocol';

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
    caveauReplay?: (record: string, eyes: string) => string;
  }
}

let loading: Promise<void> | undefined;

/** Checks a record. Fails where the engine cannot be fetched. */
export async function verify(record: string): Promise<Verdict> {
  await engine();
  return JSON.parse(window.caveauVerify!(record)) as Verdict;
}

/** The record as the frames of whoever sees it: a seat, a watcher (''), or somebody who sees all that is hidden (`all`). */
export async function replay(record: string, eyes: string): Promise<{ frames: Frame[]; story: Story }> {
  await engine();
  return filmOf(JSON.parse(window.caveauReplay!(record, eyes)) as Told);
}

/** A game as the engine tells it. */
export interface Told {
  frames: Terse[] | null;
  story: Story;
}

export function filmOf(told: Told): { frames: Frame[]; story: Story } {
  const frames = new Frames();
  return { ...told, frames: (told.frames ?? []).map((frame) => frames.whole('', frame)!) };
}

/** The first time it is fetched. */
async function engine() {
  loading ??= load();
  try {
    await loading;
  } catch (error) {
    loading = undefined; // so that one may try again
    throw error;
  }
}

async function load() {
  await script('/engine.js');
  const go = new window.Go();
  const { instance } = await WebAssembly.instantiateStreaming(fetch('/engine.wasm'), go.importObject);
  void go.run(instance); // until the page goes; it has made what is asked above by the time this returns
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

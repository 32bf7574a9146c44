import type { Wire } from './line';
import type { Frame } from './protocol';

/** What was asked of the house before this page was there (../early.ts), each to be taken once. */
export interface Early {
  /** Who one is. */
  hello?: Promise<{ ok: boolean; said: unknown }>;
  /** A line as whoever that is, which table was asked for by it, '' none, and what has been heard, and when. */
  line?: { wire: WebSocket; asked: string; heard: { data: string; at: number }[] } | undefined;
}

declare global {
  interface Window {
    /** There once a page has begun: from then on nothing is asked early. */
    early?: Early;
  }
}

/** Who one was found to be; whoever asks again may be somebody else, and has no line of before. */
export function earlyHello(): Early['hello'] {
  const hello = window.early?.hello;
  if (!hello) earlyLine()?.close();
  else window.early = { line: window.early?.line };
  return hello;
}

/** The line that was opened: what came by it from the table that it asked for is the answer to whoever asks for that table first. */
export function earlyLine(): Wire | undefined {
  const line = window.early?.line;
  window.early = {};
  return line && taken(line);
}

function taken({ wire, asked, heard }: NonNullable<Early['line']>): Wire {
  let held: (() => void)[] | null = asked ? [] : null; // until the page asks for the table
  let id = '';
  const tell = (word: object) => line.onmessage?.({ data: JSON.stringify(word) });
  const hear = (data: string, at: number) => {
    const word = JSON.parse(data) as { re?: string; table?: string; frame?: Partial<Frame> };
    const told = () => tell(word.re === 'early' ? { ...word, re: id } : younger(word, performance.now() - at));
    if (held && (word.re === 'early' || word.table === asked)) held.push(told);
    else told();
  };
  const line: Wire = {
    onopen: null,
    onmessage: null,
    onclose: null,
    close: () => wire.close(),
    send(text) {
      const said = JSON.parse(text) as { id: string; do: string; table?: string; seq?: number };
      const words = said.table === asked ? held : null;
      if (!words) return wire.send(text);
      // Whatever else is said of the table stands for itself, and what came before is not wanted.
      held = null;
      if (said.do !== 'watch' || said.seq) return wire.send(text);
      id = said.id;
      words.forEach((told) => queueMicrotask(told));
    },
  };
  wire.onmessage = ({ data }: MessageEvent<string>) => hear(data, performance.now());
  wire.onclose = ({ code }) => line.onclose?.({ code });
  wire.onopen = () => line.onopen?.();
  if (wire.readyState === WebSocket.OPEN) {
    queueMicrotask(() => line.onopen?.());
    for (const { data, at } of heard) queueMicrotask(() => hear(data, at));
  }
  return line;
}

/** What was told so many milliseconds ago: of the time that somebody had left then, that much is gone. */
function younger(word: { frame?: Partial<Frame> }, age: number) {
  const clock = word.frame?.clock;
  return clock ? { ...word, frame: { ...word.frame, clock: { ...clock, left: clock.left - age } } } : word;
}

import type { Wire } from './line';

/** What was asked of the house before this page was there (../early.ts), each to be taken once. */
export interface Early {
  /** Who one is. */
  hello?: Promise<{ ok: boolean; said: unknown }>;
  /** A line as whoever that is, what has been heard by it, and which table it was asked for: '' none. */
  line?: { wire: WebSocket; heard: string[]; asked: string };
}

declare global {
  interface Window {
    early?: Early;
  }
}

/** Who one was found to be; whoever asks again may be somebody else, and has no line of before. */
export function earlyHello(): Early['hello'] {
  const early = window.early;
  const hello = early?.hello;
  delete early?.hello;
  if (!hello) earlyLine()?.close();
  return hello;
}

/** The line that was opened: what came by it from the table that it was asked for is the answer to whoever asks for that table first. */
export function earlyLine(): Wire | undefined {
  const line = window.early?.line;
  if (!line) return undefined;
  delete window.early;
  const { wire, heard, asked } = line;
  let held: string[] | null = asked ? [] : null; // until the page asks
  let id = '';
  const hear = (data: string) => {
    const word = JSON.parse(data) as { re?: string; table?: string };
    if (held && (word.re === 'early' || word.table === asked)) held.push(data);
    else if (word.re === 'early') taken.onmessage?.({ data: JSON.stringify({ ...word, re: id }) });
    else taken.onmessage?.({ data });
  };
  const taken: Wire = {
    onopen: null,
    onmessage: null,
    onclose: null,
    close: () => wire.close(),
    send(text) {
      const said = JSON.parse(text) as { id: string; do: string; table?: string; seq?: number };
      if (!held || said.do !== 'watch' || said.table !== asked || said.seq) return wire.send(text);
      const words = held;
      [held, id] = [null, said.id];
      queueMicrotask(() => words.forEach(hear));
    },
  };
  wire.onmessage = ({ data }: MessageEvent<string>) => hear(data);
  wire.onclose = ({ code }) => taken.onclose?.({ code });
  wire.onopen = () => taken.onopen?.();
  if (wire.readyState === WebSocket.OPEN)
    queueMicrotask(() => {
      taken.onopen?.();
      heard.forEach(hear);
    });
  return taken;
}

import type { Early } from './wire/early';
import { protocol, type Hello } from './wire/protocol';

// Comes before the rest of the page and runs while that comes: has the sentences fetched that this reader seems to read, asks the house who he is, and
// at a table has a line opened and asks, where he is somebody, for what is on it. On a slow line the page finds there what it would otherwise have
// to ask for, one after the other. Where this has not come in time (a page in development has none) it asks by itself.

/** A page that has not begun by then never will: nobody is to be taken for there. */
const longest = 20_000;

if (!window.early) begin();

function begin() {
  const tongues = [localStorage.getItem('caveau.language') ?? '', ...navigator.languages, 'en'];
  const sentences = tongues.flatMap((tongue) => [...document.getElementsByName(`sentences-${tongue.slice(0, 2)}`)])[0];
  if (sentences instanceof HTMLMetaElement)
    document.head.append(
      Object.assign(document.createElement('link'), { rel: 'modulepreload', href: sentences.content }),
    );

  const hello = fetch('/api/hello').then(async (answer) => ({ ok: answer.ok, said: await answer.json() }));
  const early: Early = (window.early = { hello });
  hello.catch(() => {}); // whoever takes it is told
  const table = /^\/t\/(\w+)\/?$/.exec(location.pathname)?.[1];
  if (table) early.line = ask(table, hello);
}

function ask(table: string, hello: NonNullable<Early['hello']>): Early['line'] {
  const wire = new WebSocket(`${location.origin.replace('http', 'ws')}/ws?protocol=${protocol}`);
  const line: NonNullable<Early['line']> = { wire, asked: '', heard: [] };
  const opened = new Promise((open) => (wire.onopen = open));
  // A stranger is greeted first, and seen at no table.
  Promise.all([hello, opened]).then(
    ([{ ok, said }]) => {
      if (!ok || !(said as Hello).guest || window.early?.line !== line) return;
      wire.send(JSON.stringify({ id: 'early', do: 'watch', table, seq: 0 }));
      line.asked = table;
    },
    () => {},
  );
  wire.onmessage = ({ data }: MessageEvent<string>) => line.heard.push({ data, at: performance.now() });
  // Perhaps he is somebody else by now, or the page is too old: it asks anew.
  wire.onclose = () => window.early?.line === line && delete window.early;
  setTimeout(() => window.early?.line === line && wire.close(), longest);
  return line;
}

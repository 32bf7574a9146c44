import type { Early } from './wire/early';
import { protocol, type Hello } from './wire/protocol';

// Comes before the rest of the page and runs while that comes: has the sentences fetched that this reader seems to read, asks the house who one is, and at a
// table has a line opened and asks for whoever is somebody what is on it. On a slow line the page finds there what it would otherwise have to ask for, one after the other. Where this has
// not come (a page in development has none) it asks by itself.

const tongues = [localStorage.getItem('caveau.language') ?? '', ...navigator.languages, 'en'];
const sentences = tongues.flatMap((tongue) => [...document.getElementsByName(`sentences-${tongue.slice(0, 2)}`)])[0];
if (sentences instanceof HTMLMetaElement)
  document.head.append(
    Object.assign(document.createElement('link'), { rel: 'modulepreload', href: sentences.content }),
  );

const early: Early = {
  hello: fetch('/api/hello').then(async (answer) => ({ ok: answer.ok, said: await answer.json() })),
};
window.early = early;

const table = /^\/t\/(\w+)\/?$/.exec(location.pathname)?.[1];
if (table) {
  const wire = new WebSocket(`${location.origin.replace('http', 'ws')}/ws?protocol=${protocol}`);
  const line = (early.line = { wire, heard: [] as string[], asked: '' });
  wire.onmessage = ({ data }: MessageEvent<string>) => line.heard.push(data);
  // Perhaps one is somebody else by now, or the page is too old: it asks anew.
  wire.onclose = () => delete window.early;
  const open = new Promise((opened) => (wire.onopen = opened));
  // A stranger is greeted first, and seen at no table.
  void Promise.all([early.hello!, open]).then(
    ([{ ok, said }]) => {
      if (!ok || !(said as Hello).guest || window.early?.line !== line) return;
      wire.send(JSON.stringify({ id: 'early', do: 'watch', table, seq: 0 }));
      line.asked = table;
    },
    () => {},
  );
} else void early.hello?.catch(() => {}); // whoever takes it is told

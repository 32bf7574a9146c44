import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { earlyHello, earlyLine } from './early';
import { hello } from './http';
import { Line } from './line';
import type { Frame } from './protocol';

/** A socket of the browser, by which the test says what a house would. */
class Socket {
  static OPEN = 1;
  readyState = 0;
  sent: { id: string; do: string; table?: string; seq?: number }[] = [];
  closed = false;
  onopen: (() => void) | null = null;
  onmessage: ((word: { data: string }) => void) | null = null;
  onclose: ((close: { code: number }) => void) | null = null;
  constructor(readonly url: string) {
    sockets.push(this);
  }
  send(text: string) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.closed = true;
  }
  opens() {
    this.readyState = 1;
    this.onopen?.();
  }
  says(word: object) {
    this.onmessage?.({ data: JSON.stringify(word) });
  }
}

let sockets: Socket[];
let guest: object | null;
const asked = vi.fn(async () => Response.json({ guest }));

beforeEach(() => {
  [sockets, guest] = [[], { id: 'a', name: 'Ana' }];
  asked.mockClear();
  vi.stubGlobal('WebSocket', Socket);
  vi.stubGlobal('fetch', asked);
});
afterEach(() => {
  delete window.early;
  vi.unstubAllGlobals();
  history.replaceState(null, '', '/');
});

/** Somebody comes to a page, of which only the first script is there. */
async function comesTo(path: string) {
  vi.resetModules();
  history.replaceState(null, '', path);
  await import('../early');
}

/** The socket of the first script, open, by which the table was asked for. */
async function open() {
  sockets[0]!.opens();
  await vi.waitFor(() => expect(sockets[0]!.sent).toHaveLength(1));
  return sockets[0]!;
}
const about = { state: 'open', setup: { game: 'dawn-under', seats: 4 } };

/** The page is there, and looks at a table by a line. */
function looks(table: string) {
  const frames: Frame[] = [];
  const refused: string[] = [];
  const dialled: string[] = [];
  const line = new Line((node) => earlyLine() ?? (dialled.push(node), new Socket('') as never), {
    frame: (_, frame) => frames.push(frame),
    lobby: () => {},
    up: () => {},
    refused: (_, why) => refused.push(why.code),
    reload: () => {},
    ended: () => {},
  });
  line.connect();
  line.watch(table, () => frames.at(-1)?.seq ?? 0);
  return { line, frames, refused, dialled };
}

test('who comes to a table finds there who he is, an open line and what is on the table, each asked for once', async () => {
  await comesTo('/t/k3x');
  await open();
  expect(sockets[0]!.url).toMatch(/\/ws\?protocol=3$/);
  expect(sockets[0]!.sent).toEqual([{ id: 'early', do: 'watch', table: 'k3x', seq: 0 }]);
  sockets[0]!.says({ re: 'early', ok: true, seq: 7 });
  sockets[0]!.says({ table: 'k3x', frame: { seq: 7, about } });
  sockets[0]!.says({ table: 'k3x', frame: { seq: 8, about } });

  expect((await hello()).guest).toEqual(guest);
  const { frames, dialled } = looks('k3x');
  await vi.waitFor(() => expect(frames.map(({ seq }) => seq)).toEqual([7, 8]));
  expect(sockets[0]!.sent).toHaveLength(1);
  expect(asked).toHaveBeenCalledTimes(1);
  expect(dialled).toEqual([]);
});

test('a big screen asks for nothing before it is known whether somebody who plays there has opened it', async () => {
  await comesTo('/t/k3x/screen');
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(1));
  await window.early!.hello;
  await new Promise((done) => setTimeout(done, 10));
  expect(window.early!.line).toBeUndefined();
  expect(sockets).toEqual([]);
});

test('what comes after the page is there comes at once, the answer too', async () => {
  await comesTo('/t/k3x');
  await open();
  const { line, frames, refused } = looks('k3x');
  await Promise.resolve();
  sockets[0]!.says({ re: 'early', error: { code: 'no_table' } });
  expect(refused).toEqual(['no_table']);
  sockets[0]!.says({ table: 'k3x', frame: { seq: 7, about } });
  expect(frames).toHaveLength(1);
  line.again('k3x');
  expect(sockets[0]!.sent.at(-1)).toMatchObject({ do: 'watch', table: 'k3x', seq: 7 });
});

test('a line that is not open yet is waited for, and asked then', async () => {
  await comesTo('/t/k3x');
  await vi.waitFor(() => expect(sockets).toHaveLength(1));
  const { frames } = looks('k3x');
  expect(sockets).toHaveLength(1);
  sockets[0]!.opens();
  expect(sockets[0]!.sent).toMatchObject([{ do: 'watch', table: 'k3x' }]);
  expect(sockets[0]!.sent[0]!.id).not.toBe('early');
  sockets[0]!.says({ table: 'k3x', frame: { seq: 7, about } });
  expect(frames).toHaveLength(1);
  await earlyHello();
  expect(sockets[0]!.sent).toHaveLength(1);
});

test('a stranger is seen at no table before he says so', async () => {
  guest = null;
  await comesTo('/t/k3x');
  sockets[0]!.opens();
  expect((await hello()).guest).toBe(null);
  expect(sockets[0]!.sent).toEqual([]);
  looks('k3x');
  await vi.waitFor(() => expect(sockets[0]!.sent).toHaveLength(1));
});

test('where the page has begun without it, nothing is asked twice', async () => {
  await hello();
  await comesTo('/t/k3x');
  await hello();
  expect(asked).toHaveBeenCalledTimes(2);
  expect(sockets).toEqual([]);
});

test('a page that begins before one is known asks by that line itself', async () => {
  let answer = (_: Response) => {};
  asked.mockReturnValueOnce(new Promise((answered) => (answer = answered)));
  await comesTo('/t/k3x');
  sockets[0]!.opens();
  const said = hello();
  expect(looks('k3x').dialled).toEqual([]);
  answer(Response.json({ guest }));
  await said;
  await vi.waitFor(() => expect(sockets[0]!.sent).toHaveLength(1));
  expect(sockets[0]!.sent[0]!.id).not.toBe('early');
});

test('whoever has five seconds left when he comes has as many less as his page takes', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(1000);
  await comesTo('/t/k3x');
  (await open()).says({ table: 'k3x', frame: { seq: 7, about, clock: { left: 5000, of: 30_000 } } });
  now.mockReturnValue(3000);
  const { frames } = looks('k3x');
  await vi.waitFor(() => expect(frames[0]?.clock).toEqual({ left: 3000, of: 30_000 }));
  now.mockRestore();
});

test('what comes of another matter first takes the place of what came early', async () => {
  await comesTo('/t/k3x');
  (await open()).says({ table: 'k3x', frame: { seq: 7, about } });
  const line = earlyLine()!;
  const heard = vi.fn();
  line.onmessage = heard;
  line.send(JSON.stringify({ id: 'b', do: 'watch', table: 'k3x', seq: 6 }));
  await Promise.resolve();
  expect(sockets[0]!.sent.at(-1)).toMatchObject({ id: 'b', seq: 6 });
  sockets[0]!.says({ table: 'k3x', frame: { seq: 8, about } });
  expect(heard).toHaveBeenLastCalledWith({ data: expect.stringContaining('"seq":8') as string });
});

test('nobody is there by a page that never begins', async () => {
  vi.useFakeTimers();
  await comesTo('/t/k3x');
  sockets[0]!.opens();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(sockets[0]!.closed).toBe(true);
  vi.useRealTimers();
});

test('whoever asks anew who he is may be another, and has a line of his own', async () => {
  await comesTo('/t/k3x');
  await open();
  await hello();
  await hello();
  expect(asked).toHaveBeenCalledTimes(2);
  expect(sockets[0]!.closed).toBe(true);
  expect(looks('k3x').dialled).toEqual(['']);
});

test('a line that has ended is not taken, and nothing is that was heard with it', async () => {
  await comesTo('/t/k3x');
  await open();
  sockets[0]!.onclose!({ code: 4001 });
  await hello();
  expect(asked).toHaveBeenCalledTimes(2);
  expect(looks('k3x').dialled).toEqual(['']);
});

test('elsewhere only who one is is asked; that nobody answers is told to whoever asks', async () => {
  asked.mockRejectedValueOnce(new TypeError('network'));
  await comesTo('/rules');
  expect(sockets).toEqual([]);
  await expect(hello()).rejects.toMatchObject({ refused: { code: 'unreachable' } });
  expect((await hello()).guest).toEqual(guest);
  await comesTo('/t/k3x/screen');
  expect(sockets).toEqual([]);
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Line, type Wire } from './line';
import type { Frame } from './protocol';

/** A small socket whose other end is the test. */
class FakeWire implements Wire {
  sent: { id: string; do: string; [more: string]: unknown }[] = [];
  onopen: Wire['onopen'] = null;
  onmessage: Wire['onmessage'] = null;
  onclose: Wire['onclose'] = null;
  send(text: string) {
    this.sent.push(JSON.parse(text));
  }
  close() {}
  says(word: object) {
    this.onmessage?.({ data: JSON.stringify(word) });
  }
  commands(verb: string) {
    return this.sent.filter((c) => c.do === verb);
  }
}

let wires: FakeWire[];
let heard: { frames: Frame[]; up: boolean[]; refused: string[]; reloads: number; ends: number };
let line: Line;

beforeEach(() => {
  vi.useFakeTimers();
  wires = [];
  heard = { frames: [], up: [], refused: [], reloads: 0, ends: 0 };
  line = new Line(() => (wires.push(new FakeWire()), wires.at(-1)!), {
    frame: (_, f) => heard.frames.push(f),
    lobby: () => {},
    up: (up) => heard.up.push(up),
    refused: (_, why) => heard.refused.push(why.code),
    reload: () => heard.reloads++,
    ended: () => heard.ends++,
  });
  line.connect();
});
afterEach(() => vi.useRealTimers());

const wire = () => wires.at(-1)!;
const about = { state: 'running', setup: { game: 'dawn-under', seats: 4 } };
const play = { do: 'play', table: 't', seat: 'A', seq: 10, move: 'open d3' } as const;

test('what is said before the line stands is sent when it does', () => {
  void line.say(play);
  expect(wire().sent).toEqual([]);
  wire().onopen!();
  expect(wire().commands('play')).toHaveLength(1);
});

test('an answer finds its command', async () => {
  wire().onopen!();
  const answer = line.say(play);
  wire().says({ re: wire().commands('play')[0]!.id, ok: true, seq: 11 });
  expect(await answer).toMatchObject({ ok: true, seq: 11 });
});

test('when the line breaks, the unanswered command is sent again with the same id, the answered one is not', async () => {
  wire().onopen!();
  const first = line.say(play);
  wire().says({ re: wire().commands('play')[0]!.id, ok: true });
  await first;
  void line.say({ ...play, seq: 11 });
  const id = wire().commands('play')[1]!.id;
  wire().onclose!({ code: 1006 });
  await vi.advanceTimersByTimeAsync(1000);
  wire().onopen!();
  expect(wires).toHaveLength(2);
  expect(
    wire()
      .commands('play')
      .map((c) => [c.id, c['seq']]),
  ).toEqual([[id, 11]]);
});

test('a table that is watched is asked for from the last frame that came', async () => {
  let seq = 0;
  line.watch('t', () => seq);
  wire().onopen!();
  expect(wire().commands('watch')[0]).toMatchObject({ table: 't', seq: 0 });
  wire().says({ table: 't', frame: { seq: 17, about } });
  expect(heard.frames.map((f) => [f.seq, f.state])).toEqual([[17, 'running']]);
  seq = 17;
  line.lost();
  await vi.advanceTimersByTimeAsync(1000);
  wire().onopen!();
  expect(wire().commands('watch')[0]).toMatchObject({ seq: 17 });
  expect(heard.up).toEqual([true, false, true]);
});

test('a frame of a table of which it was never said what it is leads to asking again', () => {
  line.watch('t', () => 0);
  wire().onopen!();
  wire().says({ table: 't', frame: { seq: 17 } });
  wire().says({ table: 'u', frame: { seq: 3, about } });
  expect([heard.frames, wire().commands('watch').length]).toEqual([[], 2]);
});

test('tries to connect grow apart, and knowing better connects at once', async () => {
  for (let i = 0; i < 6; i++) {
    wire().onclose!({ code: 1006 });
    await vi.advanceTimersByTimeAsync(20_000);
  }
  const tries = wires.length;
  wire().onclose!({ code: 1006 });
  await vi.advanceTimersByTimeAsync(3000);
  expect(wires).toHaveLength(tries);
  line.connect();
  expect(wires).toHaveLength(tries + 1);
});

test('a line that has gone silent is dialled again', async () => {
  wire().onopen!();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(wire().commands('ping')).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(8000);
  expect(wires).toHaveLength(2);
});

test('an old page is told to load again, once, and does not dial any more', () => {
  wire().says({ error: { code: 'reload', message: '' } });
  wire().onclose?.({ code: 4000 });
  expect(heard.reloads).toBe(1);
});

test('a line whose session has ended says so, and is dialled again as whoever one is by now', async () => {
  wire().onopen!();
  wire().onclose!({ code: 4001 });
  await vi.advanceTimersByTimeAsync(1000);
  expect([heard.ends, wires.length]).toEqual([1, 2]);
});

test('a table that cannot be watched says why', () => {
  line.watch('t', () => 0);
  wire().onopen!();
  wire().says({ re: wire().commands('watch')[0]!.id, error: { code: 'no_table', message: '' } });
  expect(heard.refused).toEqual(['no_table']);
});

test('the house is told that one looks at a table no more, so that nobody is counted there who is not', () => {
  line.watch('t', () => 0);
  wire().onopen!();
  wire().says({ re: wire().commands('watch')[0]!.id, ok: true, seq: 3 });
  line.unwatch('t');
  expect(wire().commands('unwatch')).toMatchObject([{ table: 't' }]);
});

test('a table that cannot be watched just now is asked for again, unless nobody wants it any more', async () => {
  line.watch('t', () => 0);
  line.watch('u', () => 0);
  line.watch('v', () => 0);
  wire().onopen!();
  const refuse = (n: number, code: string) =>
    wire().says({ re: wire().commands('watch')[n]!.id, error: { code, message: '' } });
  refuse(0, 'storage');
  refuse(1, 'busy');
  refuse(2, 'no_table');
  expect(heard.refused).toEqual(['storage', 'busy', 'no_table']);
  line.unwatch('u');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(
    wire()
      .commands('watch')
      .map((c) => c['table']),
  ).toEqual(['t', 'u', 'v', 't']);
});

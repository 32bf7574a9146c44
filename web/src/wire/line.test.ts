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
  closed = false;
  close() {
    this.closed = true;
  }
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
let nodes: string[]; // by which each wire was dialled

beforeEach(() => {
  vi.useFakeTimers();
  [wires, nodes] = [[], []];
  heard = { frames: [], up: [], refused: [], reloads: 0, ends: 0 };
  line = new Line((node) => (nodes.push(node), wires.push(new FakeWire()), wires.at(-1)!), {
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

test('where the house says every second that it lives, a line is dialled again after three without', async () => {
  wire().onopen!();
  for (let second = 0; second < 30; second++) {
    wire().says({ alive: true });
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(wires).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2500);
  expect(wires).toHaveLength(2);
  expect(wires[0]!.commands('ping')).toHaveLength(0);
});

test('a page that was busy for long first hears what has come meanwhile', async () => {
  wire().onopen!();
  wire().says({ alive: true });
  vi.setSystemTime(Date.now() + 5000); // its alarms ring when it has time again
  await vi.advanceTimersByTimeAsync(3000);
  expect(wires).toHaveLength(1);
  vi.setSystemTime(Date.now() + 900); // and are late again, as a hidden page's are
  await vi.advanceTimersByTimeAsync(3500);
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

test('whoever cannot be told of his table just now asks again soon, and then less and less often', async () => {
  line.watch('t', () => 0);
  wire().onopen!();
  const asks = () => wire().commands('watch').length;
  const refused = () => wire().says({ re: wire().commands('watch').at(-1)!.id, error: { code: 'busy', message: '' } });
  refused();
  await vi.advanceTimersByTimeAsync(1300);
  expect(asks(), 'a second later').toBe(2);
  refused();
  await vi.advanceTimersByTimeAsync(1300);
  expect(asks(), 'not yet').toBe(2);
  await vi.advanceTimersByTimeAsync(1300);
  expect(asks(), 'and two').toBe(3);
  wire().says({ re: wire().commands('watch').at(-1)!.id, ok: true, seq: 3 });
  line.again('t');
  refused();
  await vi.advanceTimersByTimeAsync(1300);
  expect(asks(), 'and a second when all was well meanwhile').toBe(5);
});

/** The line watches, is open, and told that it comes to its table by node b. */
function led(last = () => 17) {
  line.watch('t', last);
  wire().onopen!();
  wire().says({ table: 't', node: 'b' });
  expect(nodes).toEqual(['', 'b']);
}
/** Of a wire the first watch is answered. */
const grants = (to: FakeWire) => to.says({ re: to.commands('watch')[0]!.id, ok: true, seq: 17 });

test('who is told by which node he comes to his table dials there at once, and loses nothing', () => {
  line.watch('t', () => 17);
  wire().onopen!();
  void line.say(play);
  const said = wire().commands('play');
  wire().says({ table: 't', node: 'b' });
  expect(nodes).toEqual(['', 'b']);
  wire().onopen!();
  expect(wire().commands('watch')).toMatchObject([{ table: 't', seq: 17 }]);
  expect(wire().commands('play')).toEqual(said);
  expect(heard.up).toEqual([true, true]); // nobody is told that the line has gone
});

test('until the line to which one is led is open the old one is in use', async () => {
  let seq = 17;
  led(() => seq);
  const old = wires[0]!;
  old.says({ table: 't', frame: { seq: ++seq, about } });
  const answer = line.say(play);
  const said = old.commands('play');
  expect(said).toHaveLength(1);
  old.says({ re: said[0]!.id, ok: true, seq: 19 });
  expect(await answer).toMatchObject({ ok: true });
  void line.say({ ...play, seq: 18 });
  wire().onopen!();
  expect(wire().commands('watch'), 'he was told of one more').toMatchObject([{ seq: 18 }]);
  expect(wire().commands('play'), 'and answered').toEqual(old.commands('play').slice(1));
  expect(heard.frames.map((f) => f.seq)).toEqual([18]);
});

test('when it is open nothing is told twice, and whoever looks at him sees him there by the old one until he watches by the new one', () => {
  led();
  const old = wires[0]!;
  wire().onopen!();
  old.says({ table: 't', frame: { seq: 18, about } });
  wire().says({ alive: true });
  expect([heard.frames.length, old.closed]).toEqual([0, false]);
  grants(wire());
  expect(old.closed).toBe(true);
  wire().says({ table: 't', frame: { seq: 18, about } });
  expect(heard.frames.map((f) => f.seq)).toEqual([18]);
  expect(wire().closed).toBe(false);
});

test('who cannot watch there just now is seen by the old line until he can', async () => {
  led();
  wire().onopen!();
  const refused = () => wire().says({ re: wire().commands('watch').at(-1)!.id, error: { code: 'busy', message: '' } });
  refused();
  expect(wires[0]!.closed).toBe(false);
  await vi.advanceTimersByTimeAsync(1300);
  wire().says({ re: wire().commands('watch').at(-1)!.id, ok: true, seq: 17 });
  expect(wires[0]!.closed).toBe(true);
});

test('who looks at no table any more is led nowhere, and leaves no line behind', () => {
  led();
  line.unwatch('t');
  expect([wires[0]!.closed, wires[1]!.closed, wires[1]!.onopen]).toEqual([false, true, null]);
  line.watch('u', () => 0);
  wires[0]!.says({ table: 'u', node: 'c' });
  wire().onopen!();
  expect(wires[0]!.closed).toBe(false);
  line.unwatch('u');
  expect([wires[0]!.closed, wire().closed]).toEqual([true, false]);
});

test.each([
  ['is being opened', () => led()],
  ['is open', () => (led(), wire().onopen!())],
])('no line is left when all is stopped while the one to which one is led %s', (_, goes) => {
  goes();
  line.stop();
  expect(wires.map(({ closed }) => closed)).toEqual([true, true]);
});

test('whose line breaks while he is led goes on as soon as the next is open', async () => {
  led();
  wires[0]!.onclose!({ code: 1001 });
  wires[1]!.onopen!();
  await vi.advanceTimersByTimeAsync(1000);
  expect(nodes).toEqual(['', 'b']);
  expect(heard.up).toEqual([true, false, true]);
});

test('who is led to one node by two tables dials there once', () => {
  line.watch('u', () => 0);
  led();
  wires[0]!.says({ table: 'u', node: 'b' });
  wire().onopen!();
  wire().says({ table: 'u', node: 'b' });
  expect(nodes).toEqual(['', 'b']);
});

test('who is not led where he was told stays where he is', () => {
  line.watch('t', () => 0);
  wire().onopen!();
  wire().says({ table: 't', node: 'b' });
  wire().onopen!();
  wire().says({ table: 't', node: 'b' });
  line.unwatch('t');
  line.watch('t', () => 0);
  wire().says({ table: 't', node: 'b' });
  wire().says({ table: 'u', node: 'c' }); // he looks at no such table
  expect(nodes).toEqual(['', 'b']);
});

test('whose table goes to and fro between two nodes is led to each once', () => {
  led();
  for (const node of ['b', 'c', 'b', 'c', 'b']) {
    wire().onopen?.();
    wire().says({ table: 't', node });
  }
  expect(nodes).toEqual(['', 'b', 'c']);
});

test('who was led where nothing comes any more finds out as soon as anybody at a house of several nodes', async () => {
  line.watch('t', () => 0);
  wire().onopen!();
  wire().says({ table: 't', node: 'b' });
  wire().onopen!();
  await vi.advanceTimersByTimeAsync(3500);
  expect(wires).toHaveLength(3);
});

test('who looks at tables of two nodes comes to rest', () => {
  line.watch('t', () => 0);
  line.watch('u', () => 0);
  for (let n = 0; n < 9 && nodes.length > n; n++) {
    wire().onopen!();
    const here = nodes.at(-1);
    if (here !== 'b') wire().says({ table: 't', node: 'b' });
    if (here !== 'c') wire().says({ table: 'u', node: 'c' });
  }
  expect(nodes.length).toBeLessThan(4);
});

test.each([
  ['does not let him in', () => wire().onclose!({ code: 1006 })],
  ['speaks a newer protocol', () => wire().onclose!({ code: 4000 })],
  [
    'is silent',
    async () => {
      for (let second = 0; second < 4; second++, await vi.advanceTimersByTimeAsync(1000))
        wires[0]!.says({ alive: true });
    },
  ],
])('whoever was led to a node that %s stays where he is, and is led there again after a minute', async (_, fails) => {
  line.watch('u', () => 0);
  led();
  await fails();
  await vi.advanceTimersByTimeAsync(1000);
  const [old, other] = wires as [FakeWire, FakeWire];
  expect([old.closed, other.closed, other.onopen]).toEqual([false, true, null]);
  old.says({ table: 't', node: 'b' });
  old.says({ table: 'u', node: 'b' }); // nor by another table
  old.says({ table: 't', frame: { seq: 18, about } });
  void line.say(play);
  expect([nodes, heard.up, heard.frames.length, old.commands('play').length]).toEqual([['', 'b'], [true], 1, 1]);
  vi.setSystemTime(Date.now() + 60_000);
  old.says({ table: 't', node: 'b' });
  expect(nodes).toEqual(['', 'b', 'b']);
  expect(heard.reloads).toBe(0);
});

test.each([
  ['speaks a newer protocol', () => wire().says({ error: { code: 'reload', message: '' } })],
  ['says nothing', () => vi.advanceTimersByTimeAsync(3500)],
])('who was let in by a node that %s goes on by any other, and is led there again after a minute', async (_, fails) => {
  led();
  wire().onopen!();
  await fails();
  await vi.advanceTimersByTimeAsync(1000);
  expect(nodes).toEqual(['', 'b', '']);
  wire().onopen!();
  expect(
    wires.map(({ closed }) => closed),
    'he is seen there',
  ).toEqual([false, true, false]);
  grants(wire());
  expect(wires[0]!.closed).toBe(true);
  wire().says({ table: 't', node: 'b' });
  expect(nodes).toHaveLength(3);
  wire().onclose!({ code: 1001 });
  await vi.advanceTimersByTimeAsync(400);
  expect(nodes).toEqual(['', 'b', '', '']);
  wire().onopen!();
  vi.setSystemTime(Date.now() + 60_000);
  wire().says({ table: 't', node: 'b' });
  expect(nodes).toEqual(['', 'b', '', '', 'b']);
  expect(heard.reloads).toBe(0);
});

test('a line that breaks is dialled by the same node, and by another when the table has gone there', async () => {
  line.watch('t', () => 0);
  wire().onopen!();
  wire().says({ table: 't', node: 'b' });
  wire().onopen!();
  line.lost();
  await vi.advanceTimersByTimeAsync(1000);
  wire().onopen!();
  wire().says({ table: 't', node: 'c' });
  expect(nodes).toEqual(['', 'b', 'b', 'c']);
});

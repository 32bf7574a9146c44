import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Line } from '../wire/line';
import { Device, type Thread } from './device';

/** A worker whose other end is the test: its house opens at once, and says nothing by itself. */
class FakeThread implements Thread {
  told: { do: string; n: number; text?: string }[] = [];
  onmessage: Thread['onmessage'] = null;
  onerror: Thread['onerror'] = null;
  ended = false;
  postMessage(word: object) {
    const said = word as FakeThread['told'][number];
    this.told.push(said);
    if (said.do === 'open') queueMicrotask(() => this.onmessage?.({ data: { n: said.n, said: '{}' } }));
  }
  terminate() {
    this.ended = true;
  }
  commands = () =>
    this.told.filter((one) => one.do === 'say').map(({ text }) => (JSON.parse(text!) as { do: string }).do);
}

let threads: FakeThread[];
let ups: boolean[];
let device: Device;
let line: Line;

beforeEach(async () => {
  vi.useFakeTimers();
  [threads, ups] = [[], []];
  device = new Device(true, () => (threads.push(new FakeThread()), threads.at(-1)!));
  line = new Line(() => device.dial('t', 'A'), {
    ...{ frame() {}, lobby() {}, refused() {}, reload() {}, ended() {} },
    up: (up) => ups.push(up),
  });
  line.watch('t', () => 0);
  line.connect();
  await vi.advanceTimersByTimeAsync(0);
});
afterEach(() => vi.useRealTimers());

test('while a bot thinks the worker is silent, and the line stands', async () => {
  line.check(); // the page was asleep
  await vi.advanceTimersByTimeAsync(120_000);
  expect(ups).toEqual([true]);
  expect(threads.map((one) => one.commands())).toEqual([['watch']]);
});

test('when the worker breaks the line is dialled again, to a new one, and whoever has asked is told', async () => {
  const asked = expect(device.tables()).rejects.toThrow('unreachable');
  await vi.advanceTimersByTimeAsync(0);
  threads[0]!.onerror!();
  await asked;
  expect(threads[0]!.ended).toBe(true);
  await vi.advanceTimersByTimeAsync(1000);
  expect(ups).toEqual([true, false, true]);
  expect(threads[1]!.commands()).toEqual(['watch']);
});

test('when another page has played meanwhile the house begins anew, the line is dialled again, and what was asked is asked again', async () => {
  const asked = device.tables();
  await vi.advanceTimersByTimeAsync(0);
  threads[0]!.onmessage!({ data: { overtaken: true } });
  await vi.advanceTimersByTimeAsync(1000);
  expect([threads.length, threads[0]!.ended, ups]).toEqual([2, true, [true, false, true]]);
  expect(threads[1]!.commands()).toEqual(['watch']);
  const again = threads[1]!.told.find((one) => one.do === 'ask')!;
  threads[1]!.onmessage!({ data: { n: again.n, said: '[]' } });
  expect(await asked).toEqual([]);
});

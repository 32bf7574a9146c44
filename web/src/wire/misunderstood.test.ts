import { expect, test } from 'vitest';
import { Line, type Wire } from './line';

/** A line, and what is said over its other end. */
function dialled() {
  const sent: string[] = [];
  const wire: Wire = { send: (text) => sent.push(text), close() {}, onopen: null, onmessage: null, onclose: null };
  const nothing = () => {};
  const line = new Line(() => wire, {
    frame: nothing,
    lobby: nothing,
    up: nothing,
    refused: nothing,
    reload: nothing,
    ended: nothing,
  });
  line.connect();
  wire.onopen!();
  return { line, sent, wire, says: (word: object) => wire.onmessage!({ data: JSON.stringify(word) }) };
}

const play = { do: 'play', table: 't', seat: 'A', seq: 10, move: 'open d3' } as const;

test('what was no command to the house is not waited for, nor said again', async () => {
  const { line, sent, wire, says } = dialled();
  const answer = line.say(play);
  says({ error: { code: 'too_long', message: '' } });
  expect(await answer).toMatchObject({ error: { code: 'too_long' } });
  const before = sent.length;
  wire.onopen!();
  expect(sent.slice(before)).toEqual([]);
  line.lost();
});

test('what was said too fast waits for the next line', () => {
  const { line, sent, wire, says } = dialled();
  void line.say(play);
  says({ error: { code: 'flood', message: '' } });
  wire.onopen!();
  expect(sent.filter((text) => text.includes('open d3'))).toHaveLength(2);
  line.lost();
});

import { expect, test } from 'vitest';
import { recordText } from './http';

// The digest of a record is of its bytes, and Go escapes what might be markup.
test('a record is handed out as a house writes it', () => {
  const written = String.raw`{"players":["Tom \u0026 \u003cAnn\u003e","É\u2028"],"moves":["A open b5"]}`;
  expect(recordText(JSON.parse(written))).toBe(written);
});

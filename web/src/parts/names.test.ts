import { expect, test } from 'vitest';
import { nameOf } from './names';

test('whom one could take for somebody else has the letter of his seat', () => {
  expect(nameOf({ seat: 'A', name: 'Ana', bot: '' })).toBe('Ana');
  expect(nameOf({ seat: 'C', name: 'Ana', bot: '', alike: true })).toBe('Ana C');
});

import { expect, test } from 'vitest';
import { halves, short } from './picture';

test('a long sentence stands on two lines that are nearly as long', () => {
  expect(halves('Ana wins!', 30)).toEqual(['Ana wins!']);
  expect(halves('Ana, Bernadette and Clementine win together!', 30)).toEqual([
    'Ana, Bernadette and',
    'Clementine win together!',
  ]);
  expect(halves('Nabuchodonosorissimusque!', 10)).toEqual(['Nabuchodonosorissimusque!']);
});

test('a name that has no room loses its end', () => {
  expect(short('Ana', 5)).toBe('Ana');
  expect(short('Anna Maria', 6)).toBe('Anna…');
});

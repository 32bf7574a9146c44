import { en } from '../en';
import type { Tongue } from '../tongue';

// All that is said in English, by the page and by its games, in one file.
export const tongue: Tongue = {
  page: en,
  games: import.meta.glob('../../games/*/messages/en.ts', { eager: true, import: 'en' }),
};

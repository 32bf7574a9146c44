import { ru } from '../ru';
import type { Tongue } from '../tongue';

// All that is said in Russian, by the page and by its games, in one file.
export const tongue: Tongue = {
  page: ru,
  games: import.meta.glob('../../games/*/messages/ru.ts', { eager: true, import: 'ru' }),
};

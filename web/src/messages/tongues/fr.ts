import { fr } from '../fr';
import type { Tongue } from '../tongue';

// All that is said in French, by the page and by its games, in one file.
export const tongue: Tongue = {
  page: fr,
  games: import.meta.glob('../../games/*/messages/fr.ts', { eager: true, import: 'fr' }),
};

import { en } from './messages/en';
import { fr } from './messages/fr';
import { ru } from './messages/ru';

/** What is said in the lessons. */
export const own = { en, fr, ru };

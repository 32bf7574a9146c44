import { words } from '../messages/language.svelte';
import { en } from './messages/en';
import { fr } from './messages/fr';
import { ru } from './messages/ru';

/** What only the owner's page says. */
export const here = words({ en, fr, ru });

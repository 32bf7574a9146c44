import { words } from '../../src/messages/language.svelte';
import { en } from './messages/en';
import { fr } from './messages/fr';
import { ru } from './messages/ru';

export const here = words({ en, fr, ru });
export const { t, maybe } = here;

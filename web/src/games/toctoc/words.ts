import { words } from '../../messages/language.svelte';
import { en } from './messages/en';
import { fr } from './messages/fr';
import { ru } from './messages/ru';

export const here = words({ en, fr, ru });
export const { t, maybe } = here;
export type Key = Parameters<typeof t>[0];

import { words } from '../../../messages/language.svelte';
import { en } from './messages/en';
import { fr } from './messages/fr';
import { ru } from './messages/ru';

export const here = words({ en, fr, ru });

import { said, words } from '../../messages/language.svelte';
import type { en } from './messages/en';

export const here = words(said<typeof en>('toctoc'));
export const { t, maybe } = here;
export type Key = Parameters<typeof t>[0];

import type { en } from './en';
import type { Message } from './format';

export type Key = keyof typeof en;

/** All that is said in one language: by the page, and by each game under the name of its file. */
export interface Tongue {
  page: Record<Key, Message>;
  games: Record<string, Record<string, Message>>;
}

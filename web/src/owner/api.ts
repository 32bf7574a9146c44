// What whoever runs the house asks it for, in the words of docs/owner.md.
import { ask } from '../wire/http';
import type { TableCard } from '../wire/protocol';

export interface Invitation {
  n: number;
  for: string;
  link: string;
  until: string;
  /** For how many people; 0: as many as come. */
  times: number;
  used: number;
  good: boolean;
}

export interface Now {
  version: string;
  opened: string;
  tables: Record<string, number>;
  sockets: number;
  invited: boolean;
  /** It was started so, and cannot be switched here. */
  forced: boolean;
  invitations: Invitation[];
}

/** A table as he sees it: its door sign, and the ids of those whom it names. */
export interface Sight extends TableCard {
  guests: string[] | null;
  hostId: string;
  awake: boolean;
  /** Why nothing is known of it. */
  code?: string;
}

const at = (...parts: (string | number)[]) => ['/api/owner', ...parts.map(encodeURIComponent)].join('/');

export const enter = (key: string) => ask<unknown>(at('enter'), { key });
export const leave = () => ask<unknown>(at('leave'), {});
export const now = () => ask<Now>(at('house'));
export const setInvited = (invited: boolean) => ask<unknown>(at('house'), { invited }, 'PUT');
export const tables = (from: number) => ask<{ all: number; tables: Sight[] }>(`${at('tables')}?from=${from}`);
export const table = (id: string) => ask<Sight>(at('tables', id));
export const closeTable = (id: string) => ask<unknown>(at('tables', id, 'close'), {});
export const unlist = (id: string) => ask<unknown>(at('tables', id, 'unlist'), {});
export const turnOut = (id: string, guest: string) => ask<unknown>(at('tables', id, 'out'), { guest });
export const nameless = (guest: string) => ask<unknown>(at('guests', guest, 'nameless'), {});
export const endSessions = (guest: string) => ask<unknown>(at('guests', guest, 'out'), {});
export const invite = (made: { for: string; days: number; times: number }) =>
  ask<{ n: number; link: string }>(at('invitations'), made);
export const takeBack = (n: number) => ask<unknown>(at('invitations', n), {}, 'DELETE');
export const codeOfInvitation = (n: number) => at('invitations', n, 'qr.svg');

/** How many tables are on a page. */
export const pageOf = 20;

import { earlyHello } from './early';
import type {
  Guest,
  Hello,
  Mine,
  Notice,
  Passkey,
  PlayedGame,
  Program,
  Refused,
  Setup,
  Story,
  TableCard,
} from './protocol';

/** A refusal that came over HTTP; its code names the sentence that people read. */
export class HttpRefusal extends Error {
  constructor(readonly refused: Refused) {
    super(refused.code);
  }
}

/** What is asked of a table, and answered. */
export type Within = (what: 'record' | 'story' | 'advice') => Promise<unknown>;
const within = new Map<string, Within>();
/** A house in this page answers for this table of its own; null: no more. */
export const answersFor = (table: string, answer: Within | null) =>
  answer ? within.set(table, answer) : within.delete(table);

const about = <T>(table: string, what: Parameters<Within>[0]): Promise<T> =>
  (within.get(table)?.(what) as Promise<T> | undefined) ?? ask<T>(`/api/tables/${encodeURIComponent(table)}/${what}`);

export async function ask<T>(path: string, body?: object, method = 'POST'): Promise<T> {
  return read<T>(
    path,
    body ? { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) } : {},
  );
}

async function read<T>(path: string, how: RequestInit): Promise<T> {
  let answer: { ok: boolean; said: unknown };
  try {
    answer = await ((path === aboutMe && earlyHello()) || heardOf(await fetch(path, how)));
  } catch {
    throw new HttpRefusal({ code: 'unreachable' });
  }
  if (!answer.ok) throw new HttpRefusal(answer.said as Refused);
  return answer.said as T;
}

const heardOf = async (answer: Response) => ({
  ok: answer.ok,
  said: (await answer.json().catch(() => ({ code: 'unreachable' }))) as unknown,
});

const aboutMe = '/api/hello';
export const hello = () => ask<Hello>(aboutMe);
/** Whoever hears no answer asks again with the same `tried`, and is one guest. */
export const beGuest = (name: string, tried: string, invitation?: string) =>
  ask<Guest>('/api/guest', { name, try: tried, ...(invitation && { invitation }) });
/** The house knows one's name no more, and the browser does not know who one was. It has nothing to say to that. */
export const beNobody = () => read<unknown>('/api/guest', { method: 'DELETE' });
/** The session of this browser ends. */
export const endSession = () => ask<unknown>('/api/guest/end', {});
/** All others of its guest end, and it has a new one. Whoever hears no answer comes back by `tried`, as by a way. */
export const endOthers = (tried: string) => ask<unknown>('/api/guest/end', { others: true, try: tried });
export const passkeys = () => ask<Passkey[]>('/api/passkeys');
export const removePasskey = (id: string) => read<unknown>(`/api/passkeys/${id}`, { method: 'DELETE' });
export const askedToMake = () => ask<{ publicKey: PublicKeyCredentialCreationOptionsJSON }>('/api/passkeys/make', {});
export const makePasskey = (name: string, made: object) => ask<Passkey>('/api/passkeys', { name, made });
export const askedForPasskey = () => ask<{ publicKey: PublicKeyCredentialRequestOptionsJSON }>('/api/passkeys/ask', {});
export const showPasskey = (shown: object) => ask<Guest>('/api/passkeys/show', shown);
/** A link by which another device of his is the same guest, drawn too; good once, for so many seconds. */
export const makeWay = (table: string) =>
  ask<{ link: string; qr: string; seconds: number }>('/api/guest/way', { table });
/** To whom such a link leads; and that it is taken. */
export const askWay = (code: string) => ask<{ name: string }>('/api/guest/way/take', { code });
export const takeWay = (code: string) => ask<Guest>('/api/guest/way/take', { code, sure: true });
export const programs = () => ask<Program[]>('/api/programs');
export const makeProgram = (name: string) => ask<Program>('/api/programs', { name });
export const removeProgram = (id: string) => read<unknown>(`/api/programs/${id}`, { method: 'DELETE' });
/** Where this browser is told something while its page is closed, and that it is not any more. */
export const addNotice = (subscription: object, language: string) =>
  ask<unknown>('/api/notices', { subscription, language });
export const removeNotice = (endpoint: string) => ask<unknown>('/api/notices', { endpoint }, 'DELETE');
export const notices = () => ask<Notice[]>('/api/notices');
export const tableCard = (table: string) => ask<TableCard>(`/api/tables/${encodeURIComponent(table)}`);
export const myTables = () => ask<Mine[]>('/api/tables/mine');
/** One's games that are over, the newest first, so many at once: `page`. */
export const playedGames = (after = '') =>
  ask<PlayedGame[]>(`/api/tables/played${after && `?after=${encodeURIComponent(after)}`}`);
export const page = 20;
/** Has the house keep a game that was played on a device, whose record this is. */
export const keepGame = (record: object) => ask<{ table: string }>('/api/tables/played', record);
export const dropGame = (table: string) =>
  read<unknown>(`/api/tables/played/${encodeURIComponent(table)}`, { method: 'DELETE' });
export const makeTable = (setup: Setup) => ask<{ table: string; link: string }>('/api/tables', setup);
/** The record of a game that is over, as it is written. */
export const recordOf = async (table: string) => recordText(await about<object>(table, 'record'));

/** A record as a house writes it, to the byte: its digest is of that, and Go spells a few letters otherwise than browsers do. */
export const recordText = (record: unknown) =>
  JSON.stringify(record).replace(/[<>&\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
/** What somebody good would do where one is asked at a table. */
export const adviceAt = async (table: string) => (await about<{ move: string }>(table, 'advice')).move;
export const storyOf = (table: string) => about<Story>(table, 'story');

/** The code of whatever went wrong. */
export const codeOf = (error: unknown): Refused =>
  error instanceof HttpRefusal ? error.refused : { code: 'unreachable' };

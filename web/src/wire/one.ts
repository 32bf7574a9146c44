// The house still speaks protocol 1; the page thinks in protocol 2. What one means in the other stands here alone.

import type { Edition, Frame, Hello, Info, Setup } from './protocol';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- of the old message only the names are known
type Old<T> = { [K in keyof T]?: any };

/** A whole frame, of a message of protocol 1. */
export function whole(old: Old<Frame>): Frame {
  const { bare, ...setup } = old.setup;
  const over = old.outcome?.over;
  return {
    ...old,
    setup: { first: '', options: {}, ...setup, choices: bare?.length ? { bare } : {} },
    events: old.events ?? [],
    log: old.log ?? null,
    shown: old.shown ?? undefined,
    moves: old.moves ?? [],
    clock: old.clock ?? null,
    outcome: over ? { winners: old.outcome.winners ?? [], why: old.outcome.why, scores: [] } : null,
  } as Frame;
}

export const wholeHello = (hello: Hello): Hello => ({ ...hello, games: hello.games.map(asked) });

/** What a set-up may ask was known to the page alone. */
function asked(info: Info): Info {
  const graves = (info.board as { graves: { at: string }[] } | null)?.graves.map(({ at }) => at);
  if (!graves) return info;
  const of = (edition: Edition): Edition => ({
    ...edition,
    options: edition.name === '2017' ? [{ name: 'maxVampires', least: 1, most: 12 }] : [],
    choices: [{ name: 'bare', of: graves, count: 20, players: [2] }],
  });
  return { ...info, editions: info.editions.map(of) };
}

export function oldSetup({ choices, ...setup }: Setup): object {
  return { ...setup, ...(choices?.['bare'] ? { bare: choices['bare'] } : {}) };
}

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
    own: old.shown?.hand && { hand: old.shown.hand },
    ...asks(old),
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

/** What is asked, and by which paragraph, was worked out by the page. */
function asks({ asked = '', moves, shown }: Old<Frame>): { asked: string; cites: string } {
  const lifted = shown?.graves?.some(
    (grave: { at: string; lid: string }) => grave.at === shown.at && grave.lid === 'lifted',
  );
  const word =
    {
      open: shown?.plague ? 'plague' : moves?.includes('stop') ? 'more' : 'open',
      rest: lifted ? (moves?.includes('leave') ? 'lay.free' : 'lay') : 'rest',
    }[asked as 'open' | 'rest'] ?? asked;
  return { asked: word, cites: rulings[word] ?? '' };
}

const rulings: Record<string, string> = {
  open: 'O1',
  more: 'O2',
  plague: 'P3',
  rest: 'O3',
  give: 'G1',
  take: 'G3',
  garlic: 'K1',
  believe: 'B3',
  present: 'B7',
  count: 'C3',
  lay: 'B4',
  'lay.free': 'B6',
  knock: 'Q5',
  accept: 'Q6',
  choose: 'Q8',
};

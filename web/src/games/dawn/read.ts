import type { Frame, Info } from '../../wire/protocol';
import type { Bat, Board, Cemetery, Count, Gifts, Grave, Plague, Row, Seen } from './types';

type Part<T> = Partial<T> | null;

/** `shown` as a frame says it: what is as at the start, nothing, empty or 0 it leaves out. */
interface Shown extends Partial<
  Pick<Cemetery, 'stakes' | 'garlic' | 'stakesLeft' | 'reserve' | 'at' | 'just' | 'bats'>
> {
  graves?: ({ at: string; recall?: Part<Seen> } & Partial<Omit<Grave, 'recall'>>)[];
  rows: Partial<Row>[];
  turn: string;
  plague?: Part<Plague>;
  gifts?: Part<Gifts>;
  bat?: Part<Bat>;
  count?: Part<Count>;
}

/** So many stakes lie in the middle at first, and so much garlic before everyone. */
const stakesInAll = 13;
const garlicEach = 3;

/** A grave as it is before anything has happened to it. */
export const closed = (at: string): Grave => ({ at, lid: 'closed', under: '', holds: '', mark: false, recall: null });

/** The scene that a frame shows. */
export function read({ shown }: Pick<Frame, 'shown'>, { board }: Pick<Info, 'board'>): Cemetery {
  const said = shown as Shown;
  const each = (n: number) => said.rows.map(() => n);
  return {
    graves: graves((board as Board).graves, said.graves ?? []),
    rows: said.rows.map((row) => ({ left: row.left ?? [], down: row.down ?? 0, right: row.right ?? [] })),
    stakes: said.stakes ?? each(0),
    garlic: said.garlic ?? each(garlicEach),
    stakesLeft: said.stakesLeft ?? stakesInAll,
    reserve: said.reserve ?? 0,
    turn: said.turn,
    at: said.at ?? '',
    plague: said.plague ? { rat: '', holder: '', goer: '', ...said.plague, out: said.plague.out ?? [] } : null,
    gifts: said.gifts ? { to: said.gifts.to ?? '', have: said.gifts.have ?? [], from: said.gifts.from ?? [] } : null,
    just: said.just ?? '',
    bats: said.bats ?? each(0),
    bat: said.bat ? { on: '', doubter: '', ...said.bat, asks: said.bat.asks ?? [] } : null,
    count: said.count ? { holder: '', on: '', ...said.count } : null,
  };
}

/** Every grave of the board; those of which nothing is said are closed. */
function graves(places: Board['graves'], said: NonNullable<Shown['graves']>): Grave[] {
  const changed = new Map(said.map((grave) => [grave.at, grave]));
  return places.map(({ at }) => {
    const { recall, ...change } = changed.get(at) ?? { at };
    return { ...closed(at), ...change, recall: recall ? { under: '', holds: '', ...recall } : null };
  });
}

import type { Frame, Info } from '../../wire/protocol';
import type { Board, Cemetery, Grave } from './types';

/** A grave as it is before anything has happened to it. */
export const closed = (at: string): Grave => ({ at, lid: 'closed', under: '', holds: '', mark: false, recall: null });

/** The scene that a frame shows: what it leaves out is as at the start. */
export function read({ shown }: Pick<Frame, 'shown'>, { board }: Pick<Info, 'board'>): Cemetery {
  const said = shown as Cemetery;
  const changed = new Map(said.graves.map((grave) => [grave.at, grave]));
  return { ...said, graves: (board as Board).graves.map(({ at }) => ({ ...closed(at), ...changed.get(at) })) };
}

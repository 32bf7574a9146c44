import type { Frame } from '../../wire/protocol';
import type { Scene } from './scene';

/** The scene that a frame shows: what lies there for all, and one's own hand. */
export function read({ shown, own }: Pick<Frame, 'shown' | 'own'>): Scene {
  return { ...(shown as Scene), ...(own as Partial<Scene> | undefined) };
}

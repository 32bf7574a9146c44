import { aboutPeople } from '../../table/people';
import type { Line, Script } from '../../table/show.svelte';
import type { Said } from '../../wire/protocol';
import type { Cemetery } from './types';
import { act, flight, isOpen } from './scene';

/** What brings a grave before everyone's eyes. */
const uncovering = new Set(['open', 'lift', 'reserved', 'lose']);

export const script: Script<Cemetery> = {
  act,
  flight,
  beats: {
    open: 0.3,
    occupied: 0.3,
    smell: 0.35,
    plague: 0.5,
    stake: 0.2,
    worn: 0.5,
    endplague: 0.3,
    win: 0.4,
    turn: 0.1,
    pass: 0.15,
    stop: 0.1,
    timeout: 0.2,
    believe: 0.25,
    doubt: 0.4,
    lift: 0.5,
    reserved: 0.5,
    another: 0.4,
  },
  patience: 0.6,
  sounds: { open: 'lid', lift: 'lid', garlic: 'garlic', smell: 'garlic', rest: 'match' },
  looks: uncovering,
  uncovers: ({ verb, at }) => (uncovering.has(verb) && at) || '',
  open: (scene) => new Set(scene.graves.filter(isOpen).map((g) => g.at)),
  faded,
};

/** A line forgets its place and what was seen there when the lid is closed: the log does not remember for you. */
export function faded(line: Line, open: Set<string>, shown: Cemetery | null = null): Line {
  const { at, what, ...kept } = line.said;
  if (at === undefined && what === undefined) return line;
  if (aboutPeople(line.said) || standsThere(line.said, shown)) return line;
  const stillOpen = at && /\d/.test(at) ? open.has(at) : open.size > 0;
  return stillOpen ? line : { id: line.id, said: kept };
}

/** A bat and the Count are seen where they are, and tell nothing of what lies below. */
const standsThere = ({ verb, at }: Said, shown: Cemetery | null) =>
  (verb === 'bat' && at === shown?.bat?.on) || (verb === 'count' && at === shown?.count?.on);

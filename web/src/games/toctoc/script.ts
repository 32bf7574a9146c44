import { aboutPeople } from '../../table/people';
import type { Line, Script } from '../../table/show.svelte';
import { act, flight, type Scene } from './scene';

export const script: Script<Scene> = {
  act,
  flight,
  beats: { knock: 0.35, accept: 0.55, refuse: 0.55, nothing: 0.45, draw: 0.8, turn: 0.1, win: 0.4, timeout: 0.2 },
  sounds: { knock: 'lid', join: 'match', draw: 'lid' },
  looks: new Set(['draw']),
  // A card that was revealed and another that was drawn are to be seen before one is asked.
  patience: 1.5,
  uncovers: () => '',
  open: () => new Set(),
  faded,
};

/** What lay before a door, and who drew what, is for each to remember. All else that was seen lies on the table, or is out of the game. */
export function faded(line: Line): Line {
  if (!remembered.has(line.said.verb) || aboutPeople(line.said)) return line;
  const { what: _, ...kept } = line.said;
  return { id: line.id, said: kept };
}

const remembered = new Set(['knock', 'draw']);

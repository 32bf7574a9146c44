import { isPerson } from '../parts/names';
import type { Frame } from '../wire/protocol';

// The way from a game that is over to the next one: whoever takes it has said that he wants it, and who was there with him.

const way = '#again-';

/** The address of the next table, for whoever comes from this one, on a big screen from another. */
export const again = ({ next, seats }: Pick<Frame, 'next' | 'seats'>, at = '/t/', screen = false): string => {
  const present = seats.filter((sitter) => isPerson(sitter) && sitter.here && !sitter.standin);
  return `${at}${next}${screen ? '/screen' : ''}${way}${present.map(({ seat }) => seat).join('')}`;
};

/** Who was there, if the reader comes from a game that is over; else nothing. */
export const cameFrom = (hash: string): string | undefined =>
  hash.startsWith(way) ? hash.slice(way.length) : undefined;

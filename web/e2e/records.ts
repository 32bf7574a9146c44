import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** A game that was played: a record of the archive. */
export interface Played {
  players: string[];
  moves: string[];
}

const read = (path: string): Played => JSON.parse(readFileSync(resolve(import.meta.dirname, path), 'utf8'));

export const archived = (name: string) => read(`../../record/testdata/archive/${name}.json`);
/** What is played in a lesson. */
export const taught = (game: string, name: string) => read(`../src/games/${game}/lessons/${name}.json`);

/** What is pressed, one after the other, by whoever makes this move, in the words of a record: the selectors of its buttons. */
export function presses(move: string): string[] {
  const [word, first, second] = move.split(' ');
  switch (word) {
    case 'open':
    case 'count':
      return [grave(first!)];
    case 'bat':
      return ['.both button + button', grave(first!)];
    case 'stop':
      return ['.prompt button.main'];
    case 'rest':
    case 'give':
      return [`button.end.${first}`];
    case 'take':
      return [`.hand [data-word="${first}"]`, `button.end.${second}`];
    case 'present':
      return [`.seat-${first} button.receives`];
    case 'knock':
      return [`.fan.lit [data-word="${second}"]`, door(first!)];
    case 'choose':
      return [`.choices [data-word="${first}"]`];
    case 'accept':
    case 'refuse':
      return [`.answers .${word}`];
    default:
      return [`.choice [data-word="${word}"]`];
  }
}

export const grave = (at: string) => `.asked .grave.lit[data-at="${at}"]`;
export const door = (seat: string) => `.seat-${seat} .knocks.ready`;

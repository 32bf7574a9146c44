import { games as shipped } from '../src/games';
import { pebbles } from './pebbles';

/** The games of a page for tests: those that are shipped, and one that nobody is served (`vite build --mode pebbles`). */
export const games = [...shipped, pebbles];

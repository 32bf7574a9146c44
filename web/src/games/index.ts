import type { Game } from '../table/game';
import { dawn } from './dawn';
import { toctoc } from './toctoc';

/** Every game that this page can draw. No other file names them. */
export const games: Game[] = [dawn, toctoc];

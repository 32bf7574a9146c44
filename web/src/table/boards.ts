import type { Component } from 'svelte';
import { AtCemetery } from '../dawn/at.svelte';
import DawnBoard from '../dawn/Board.svelte';
import DawnResult from '../dawn/Result.svelte';
import type { AtTable } from './at.svelte';

type Drawing = Component<{ at: any }>;

/** What each game is drawn with: its reader, its board, and what its end shows. */
interface Drawn { At: new (...rest: ConstructorParameters<typeof AtTable<any>>) => AtTable; Board: Drawing; Result: Drawing }

export const boards: Record<string, Drawn> = {
  'dawn-under': { At: AtCemetery, Board: DawnBoard, Result: DawnResult },
};

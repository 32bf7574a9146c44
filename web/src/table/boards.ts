import type { Component } from 'svelte';
import { AtCemetery } from '../dawn/at.svelte';
import DawnBoard from '../dawn/Board.svelte';
import DawnHelp from '../dawn/Help.svelte';
import DawnResult from '../dawn/Result.svelte';
import { AtParties } from '../toctoc/at.svelte';
import TocTocBoard from '../toctoc/Board.svelte';
import TocTocHelp from '../toctoc/Help.svelte';
import TocTocResult from '../toctoc/Result.svelte';
import type { AtTable } from './at.svelte';

type Drawing = Component<{ at: any }>;

/** What each game is drawn with: its reader, its board, what its end shows, and its help. */
interface Drawn { At: new (...rest: ConstructorParameters<typeof AtTable<any>>) => AtTable; Board: Drawing; Result: Drawing; Help: Component }

export const boards: Record<string, Drawn> = {
  'dawn-under': { At: AtCemetery, Board: DawnBoard, Result: DawnResult, Help: DawnHelp },
  'toc-toc-toc': { At: AtParties, Board: TocTocBoard, Result: TocTocResult, Help: TocTocHelp },
};

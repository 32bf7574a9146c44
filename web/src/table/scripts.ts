import { script as dawn } from '../dawn/script';
import { script as toctoc } from '../toctoc/script';
import type { Script } from './show.svelte';

/** How each game is shown. Only the game itself knows what its scene is made of. */
export const scripts: Record<string, Script<any>> = { 'dawn-under': dawn, 'toc-toc-toc': toctoc };

import type { Lesson } from '../../../table/lesson';
import record from './toc-toc-toc.json';

/** One knocks, opens, refuses, and remembers what somebody drew. */
const evening: Lesson = {
  name: 'toc-toc-toc',
  record,
  steps: [
    { says: 'toc.welcome', shows: 'A' },
    { says: 'toc.hand', shows: 'hand' },
    { says: 'toc.knock', moves: ['A knock B ghost', 'B refuse'] },
    { says: 'toc.mine', moves: ['B knock A scarecrow'] },
    { says: 'toc.open', moves: ['A accept'] },
    { says: 'toc.three', moves: ['C knock A child'] },
    { says: 'toc.refuse', moves: ['A refuse'] },
    { says: 'toc.musician', moves: ['A knock C ghost-musician', 'C refuse'] },
    { says: 'toc.doubled', moves: ['B knock A taxi'] },
    { says: 'toc.remember', moves: ['A refuse'], remember: true },
    { says: 'toc.choose', moves: ['A choose ghost'] },
  ],
};

export const lessons = [evening];
export { own } from './words';

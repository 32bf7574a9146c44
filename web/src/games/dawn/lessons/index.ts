import type { Lesson } from '../../../table/lesson';
import count from './rucola.json';
import dance from './2017.json';
import base from './2004.json';

/** One finds one's first graves, and remembers one. */
const first: Lesson = {
  name: '2004',
  record: base,
  steps: [
    { says: 'base.welcome' },
    { says: 'base.row', shows: 'row' },
    { says: 'base.open', moves: ['A open c3'] },
    { says: 'base.fits', moves: ['A open f2'] },
    { says: 'base.leave', moves: ['A leave'] },
    { says: 'base.watch', moves: ['B open g7', 'B garlic'] },
    { says: 'base.garlic', shows: 'g7' },
    { says: 'base.sleeper', moves: ['C open c3'] },
    { says: 'base.stake', moves: ['A open b2'] },
    { says: 'base.remember', moves: ['A open f2'], remember: true },
    { says: 'base.stop', moves: ['A stop'] },
    { says: 'base.others', moves: ['B open c6', 'B open d7', 'B stop', 'C stop'] },
    { says: 'base.plague', moves: ['A open c7'] },
    { says: 'base.pass', moves: ['A stop'] },
  ],
};

/** What the Count and the bats add. */
const night: Lesson = {
  name: 'rucola',
  record: count,
  steps: [
    { says: 'count.open', moves: ['A open c3'] },
    { says: 'count.stays', moves: ['A open f2'] },
    { says: 'count.third', moves: ['A open b7'] },
    { says: 'count.comes', moves: ['A stop'] },
    { says: 'count.put', moves: ['A count d7'] },
    { says: 'count.others', moves: ['B open g6', 'B leave', 'C open h8', 'C leave'] },
    { says: 'count.lay', moves: ['A rest left'] },
    { says: 'count.moves', moves: ['A count g7'] },
    { says: 'count.bat', moves: ['A bat b2', 'B believe', 'C doubt'] },
    { says: 'count.true', moves: ['A rest right'] },
  ],
};

/** What is otherwise in the new edition. */
const danced: Lesson = {
  name: '2017',
  record: dance,
  steps: [
    { says: 'dance.open', moves: ['A open c3'] },
    { says: 'dance.on', moves: ['A open f2'] },
    { says: 'dance.leave', moves: ['A leave'] },
    { says: 'dance.watch', moves: ['B open b2', 'B leave'] },
    { says: 'dance.again', moves: ['C open b2', 'C leave'] },
    { says: 'dance.stake', moves: ['A open c6'] },
    { says: 'dance.rat', moves: ['A open b7'] },
    { says: 'dance.pass', moves: ['A stop'] },
  ],
};

export const lessons = [first, night, danced];
export { own } from './words';

import { expect, test } from 'vitest';
import { row, said, shown } from '../../fixtures';
import { closed } from './read';
import { act, answer, end, flight } from './scene';

const graveAt = (scene: ReturnType<typeof shown>, at: string) => scene.graves.find((g) => g.at === at)!;

test('an opened lid shows its colour and what sleeps there, at once', () => {
  const events = [said('open', { at: 'd3', what: 'red' }), said('occupied', { at: 'd3', what: 'vampire blue' })];
  const scene = act(shown(), events, 0, shown());
  expect(graveAt(scene, 'd3')).toMatchObject({ lid: 'open', under: 'red', holds: 'vampire blue' });
});

test('an opened lid over garlic shows whose it is', () => {
  const events = [said('open', { at: 'd3', what: 'red' }), said('smell', { at: 'd3', to: 'B' })];
  expect(graveAt(act(shown(), events, 0, shown()), 'd3').holds).toBe('garlic B');
});

test('a vampire that goes to rest leaves its end and lies in the grave', () => {
  const after = shown({ rows: [{ left: ['blue'], down: 11, right: ['green', 'white'] }, row(), row(), row()] });
  const events = [said('open', { at: 'd3', what: 'red' }), said('rest', { at: 'd3', what: 'red' })];
  const opened = act(shown(), events, 0, after);
  expect(graveAt(opened, 'd3').holds).toBe('');
  expect(flight(opened, events[1]!)).toEqual({ piece: 'vampire red', from: 'end-A-left', to: 'grave-d3' });
  const rested = act(opened, events, 1, after);
  expect(graveAt(rested, 'd3').holds).toBe('vampire red');
  expect(rested.rows[0]).toEqual(after.rows[0]);
});

test('gifts pass from an end to a hand, and from the hand to an end', () => {
  const give = said('give', { seat: 'B', to: 'A', what: 'white' });
  expect(flight(shown(), give)).toEqual({ piece: 'vampire white', from: 'end-B-right', to: 'hand-A' });
  const given = act(shown(), [give], 0, shown());
  expect(given.gifts).toEqual({ to: 'A', have: ['white'], from: ['B'] });
  const take = said('take', { at: 'left', what: 'white' });
  expect(flight(given, take)).toEqual({ piece: 'vampire white', from: 'hand-A', to: 'end-A-left' });
  expect(act(given, [take], 0, shown()).gifts).toBeNull();
});

test('of several gifts that one player gives at once, each leaves its own end', () => {
  const events = [
    said('give', { seat: 'B', to: 'A', what: 'red' }),
    said('give', { seat: 'B', to: 'A', what: 'white' }),
  ];
  const after = shown();
  expect(act(shown(), events, 0, after).rows[1]).toEqual({ left: ['blue'], down: 11, right: ['green', 'white'] });
});

test('garlic goes from its owner into the grave and home again', () => {
  const put = act(shown(), [said('garlic', { at: 'c2' })], 0, shown());
  expect([graveAt(put, 'c2').holds, put.garlic[0]]).toEqual(['garlic A', 2]);
  const home = act(put, [said('home', { at: 'c2' })], 0, shown());
  expect([graveAt(home, 'c2').holds, home.garlic[0]]).toEqual(['', 3]);
});

test('a verb that this page does not know changes nothing', () => {
  const before = shown();
  expect(act(before, [said('knock', { to: 'B' })], 0, shown())).toEqual(before);
});

test('the Count comes from the middle, stands on a grave, and goes to the left neighbour of whoever loses him', () => {
  const waits = shown({ count: { holder: '', on: '' } });
  expect(flight(waits, said('rucola', { seat: 'B' }))).toEqual({ piece: 'count', from: 'column', to: 'count-B' });
  const held = act(waits, [said('rucola', { seat: 'B' })], 0, waits);
  expect(flight(held, said('count', { seat: 'B', at: 'f2' }))).toMatchObject({ from: 'count-B', to: 'grave-f2' });
  const stands = act(held, [said('count', { seat: 'B', at: 'f2' })], 0, waits);
  expect(stands.count).toEqual({ holder: 'B', on: 'f2' });
  const lose = said('lose', { seat: 'B', at: 'f2', what: 'vampire red', to: 'C' });
  expect(flight(stands, lose)).toMatchObject({ from: 'grave-f2', to: 'count-C' });
  const lost = act(stands, [lose], 0, waits);
  expect(lost.count).toEqual({ holder: 'C', on: '' });
  expect(graveAt(lost, 'f2')).toMatchObject({ lid: 'lifted', under: '', holds: 'vampire red' });
});

test('a bat leaves its player, the others answer in turn, and the lid is held up without its colour', () => {
  const before = shown({ bats: [2, 2, 2, 2], count: { holder: '', on: '' } });
  const events = [
    said('bat', { at: 'c2' }),
    said('believe', { seat: 'B' }),
    said('doubt', { seat: 'C' }),
    said('lift', { at: 'c2', what: 'garlic D' }),
  ];
  const scenes = events.reduce((list, _, i) => [...list, act(list.at(-1)!, events, i, before)], [before]).slice(1);
  expect(scenes[0]).toMatchObject({ bats: [1, 2, 2, 2], bat: { on: 'c2', doubter: '', asks: ['B', 'C', 'D'] } });
  expect(scenes[1]!.bat!.asks).toEqual(['C', 'D']);
  expect(scenes[2]!.bat).toEqual({ on: 'c2', doubter: 'C', asks: [] });
  expect(graveAt(scenes[3]!, 'c2')).toMatchObject({ lid: 'lifted', under: '', holds: 'garlic D' });
  expect('ABCD'.split('').map((seat) => answer(scenes[2]!.bat!, 'A', seat))).toEqual(['', 'believes', 'doubts', '']);
});

test('a vampire that a bat has found goes from the grave into a hand', () => {
  const open = shown({}, [{ at: 'c2', lid: 'lifted', holds: 'vampire red' }]);
  const present = said('present', { seat: 'B', at: 'c2', what: 'red', to: 'A' });
  expect(flight(open, present)).toEqual({ piece: 'vampire red', from: 'grave-c2', to: 'hand-A' });
  const given = act(open, [present], 0, shown());
  expect([graveAt(given, 'c2').holds, given.gifts]).toEqual(['', { to: 'A', have: ['red'], from: [] }]);
});

test('a row of which all lie face up has both its ends on the left, and a row of one only one vampire', () => {
  expect(end({ left: ['red', 'blue', 'green'], down: 0, right: [] }, 'right')).toBe('green');
  expect(end({ left: ['red'], down: 0, right: [] }, 'right')).toBe('red');
  expect(end({ left: [], down: 0, right: [] }, 'left')).toBeUndefined();
});

test('a closed grave of the fixtures tells nothing', () => {
  expect(closed('a1')).toEqual({ at: 'a1', lid: 'closed', under: '', holds: '', mark: false, recall: null });
});

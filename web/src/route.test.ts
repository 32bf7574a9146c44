import { expect, test } from 'vitest';
import { route } from './route.svelte';

test.each([
  ['/t/k3x', { at: 'table', table: 'k3x' }],
  ['/t/k3x/screen#again-AB', { at: 'table', table: 'k3x', screen: true }],
  ['/t/k%203x/', { at: 'table', table: 'k 3x' }],
  ['/t/k%FF', { at: 'table', table: 'k%FF' }],
  ['/rules/2004#3.7', { at: 'rules', book: '2004', number: '3.7' }],
  ['/rules/%E0', { at: 'rules', book: '%E0', number: '' }],
  ['/verify#k3x', { at: 'verify', table: 'k3x' }],
  ['/here/k3x', { at: 'here', table: 'k3x' }],
  ['/here/k3x/replay#12-B', { at: 'here', table: 'k3x', moment: '#12-B' }],
  ['/replay/k3x#12-B', { at: 'replay', table: 'k3x', moment: '#12-B' }],
  ['/#new', { at: 'new' }],
  ['/i/7-abc_D', { at: 'invited', invitation: '7-abc_D' }],
  ['/move#ab12.k3x', { at: 'move', code: 'ab12', table: 'k3x' }],
  ['/move', { at: 'move', code: '', table: '' }],
  ['/learn', { at: 'learn', lesson: '' }],
  ['/learn/2004', { at: 'learn', lesson: '2004' }],
  ['/owner', { at: 'owner', key: '' }],
  ['/owner/#dk3.x-Y', { at: 'owner', key: 'dk3.x-Y' }],
  ['/', { at: 'hall' }],
])('%s leads to %j', (path, place) => {
  route.go(path);
  expect(route.now).toEqual(place);
});

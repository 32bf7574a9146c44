import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { frame } from '../fixtures';
import type { Seal } from '../wire/protocol';
import type { Verdict } from './engine';
import { broken, compare, give, kept, keptOf, sealNumber } from './number';

interface Vectors {
  proof: { seal: string; numbers: { seat: string; seal: string; number: string | null }[] };
}
const { proof } = JSON.parse(readFileSync('../docs/fair/vectors.json', 'utf8')) as Vectors;
const seal = (change: Partial<Seal> = {}): Seal => ({ seal: proof.seal, called: false, ...change });

const { setup } = frame();

afterEach(() => vi.unstubAllGlobals());
beforeEach(() => localStorage.setItem('caveau.numbers', '{}'));

test('a number is sealed as the page of the sealed deal says', () => {
  for (const { seat, seal, number } of proof.numbers)
    if (number) expect(sealNumber(proof.seal, seat, number)).toBe(seal);
});

test('a number is sealed once, opened when the start was said, and not before', () => {
  const first = give('one', { setup, state: 'open', you: 'B', seal: seal() });
  expect(first).toMatchObject({ do: 'seal', table: 'one' });
  const mine = (first as { bits: string }).bits;
  const numbers = [{ seat: 'B', seal: mine, number: null }];
  expect(give('one', { setup, state: 'open', you: 'B', seal: seal({ numbers }) })).toBeNull();
  const opened = give('one', { setup, state: 'open', you: 'B', seal: seal({ numbers, called: true }) });
  expect(opened).toEqual({ do: 'unseal', table: 'one', bits: kept('one')!.number });
  expect(sealNumber(proof.seal, 'B', kept('one')!.number)).toBe(mine);
  expect(
    give('one', {
      setup,
      state: 'open',
      you: 'B',
      seal: seal({ called: true, numbers: [{ seat: 'B', seal: mine, number: kept('one')!.number }] }),
    }),
  ).toBeNull();
  expect(give('one', { setup, state: 'running', you: 'B', seal: seal({ called: true }) })).toBeNull();
});

test('whoever changes seats seals anew, whoever watches gives nothing, and every table gets its own number', () => {
  const b = give('one', { setup, state: 'open', you: 'B', seal: seal() }) as { bits: string };
  expect(
    give('one', {
      setup,
      state: 'open',
      you: 'A',
      seal: seal({ numbers: [{ seat: 'B', seal: b.bits, number: null }] }),
    }),
  ).toMatchObject({ do: 'seal' });
  expect(give('two', { setup, state: 'open', you: '', seal: seal() })).toBeNull();
  expect(kept('two')!.seal).toBe(proof.seal);
  expect(kept('two')!.number).not.toBe(kept('one')!.number);
  expect(give('three', { setup, state: 'open', you: 'A', seal: null })).toBeNull();
});

test('a table that shows another seal later is found out, and gets no number', () => {
  give('one', { setup, state: 'open', you: 'A', seal: seal() });
  const other = seal({ seal: 'f'.repeat(64) });
  expect(broken('one', seal())).toBe(false);
  expect(broken('one', other)).toBe(true);
  expect(give('one', { setup, state: 'open', you: 'A', seal: other })).toBeNull();
});

test('of many tables the newest are remembered', () => {
  for (let i = 0; i < 60; i++) give(`t${i}`, { setup, state: 'open', you: '', seal: seal() });
  expect(kept('t0')).toBeUndefined();
  expect(kept('t59')).toBeDefined();
  expect(JSON.parse(localStorage.getItem('caveau.numbers')!)).toHaveProperty('t10');
});

test('where nothing more can be kept, a number holds as long as the page lives', () => {
  give('before', { setup, state: 'open', you: 'A', seal: seal() });
  const before = localStorage.getItem('caveau.numbers');
  vi.stubGlobal('localStorage', {
    getItem: () => before,
    setItem: () => {
      throw new Error('no room');
    },
  });
  const first = give('full', { setup, state: 'open', you: 'A', seal: seal() });
  expect(give('full', { setup, state: 'open', you: 'A', seal: seal() })).toEqual(first);
  expect(kept('before')).toBeDefined();
  vi.unstubAllGlobals();
  give('after', { setup, state: 'open', you: 'A', seal: seal() });
  expect(JSON.parse(localStorage.getItem('caveau.numbers')!)).toMatchObject({
    full: kept('full'),
    after: kept('after'),
  });
});

test('two pages that seal against each other get tired of it', () => {
  const other = { seat: 'A', seal: '5'.repeat(64), number: null };
  const words = Array.from({ length: 30 }, () =>
    give('two pages', { setup, state: 'open', you: 'A', seal: seal({ numbers: [other] }) }),
  );
  expect(words.filter((word) => word?.do === 'seal')).toHaveLength(20);
  expect(give('another', { setup, state: 'open', you: 'A', seal: seal({ numbers: [other] }) })).toMatchObject({
    do: 'seal',
  });
});

/** A table with four seats: A gives a number by this browser, B one that somebody chose. */
function opened(table: string, change: Partial<typeof setup> = {}): Verdict {
  const agreed = { ...setup, ...change };
  const sealed = (give(table, { setup: agreed, state: 'open', you: 'A', seal: seal() }) as { bits: string }).bits;
  const numbers = [
    { seat: 'A', seal: sealed, number: null },
    { seat: 'B', seal: '1'.repeat(64), number: null },
  ];
  expect(give(table, { setup: agreed, state: 'open', you: 'A', seal: seal({ called: true, numbers }) })).toMatchObject({
    do: 'unseal',
  });
  const given = [
    { ...numbers[0]!, number: kept(table)!.number },
    { ...numbers[1]!, number: '2'.repeat(64) },
  ];
  return {
    ok: true,
    checks: [],
    game: setup.game,
    edition: setup.edition,
    options: agreed.options ?? null,
    players: ['Ana', 'Ben', 'Cleo', 'x'],
    moves: 0,
    over: true,
    winners: [],
    seal: proof.seal,
    numbers: given,
    first: agreed.first ?? '',
    choices: Object.keys(agreed.choices).length ? agreed.choices : null,
  };
}

test.each([{}, { first: 'C' }, { choices: { bare: ['a1', 'h8'] } }, { options: { maxVampires: 6 } }])(
  'a record of what was seen, with the number that was given, is the one of this game: %j',
  (change) => {
    const table = JSON.stringify(change);
    const told = opened(table, change);
    expect(compare(kept(table)!, told)).toBe('both');
    expect(keptOf(told.seal)).toEqual(kept(table));
  },
);

test.each([
  ['bad', { seal: 'f'.repeat(64) }],
  ['terms', { first: 'B' }],
  ['terms', { choices: { bare: ['a1'] } }],
  ['terms', { edition: '2017' }],
  ['terms', { options: { maxVampires: 6 } }],
  ['terms', { players: ['Ana', 'Ben', 'Cleo'] }],
] as const)(
  'whoever changes what the deal follows from, when he knows the numbers, is found out: %s, %j',
  (what, change) => {
    const table = `but ${JSON.stringify(change)}`;
    const told = opened(table);
    expect(compare(kept(table)!, { ...told, ...(change as Partial<Verdict>) })).toBe(what);
  },
);

test('a number that somebody chose when he knew the others is found out, and so is one that was left out', () => {
  const told = opened('one');
  const [mine, ben] = [told.numbers![0]!, told.numbers![1]!];
  const late = { seat: 'C', seal: '3'.repeat(64), number: '4'.repeat(64) };
  expect(compare(kept('one')!, { ...told, numbers: [mine, ben, late] })).toBe('terms');
  expect(compare(kept('one')!, { ...told, numbers: [mine, { ...ben, seal: '3'.repeat(64) }] })).toBe('terms');
  expect(compare(kept('one')!, { ...told, numbers: [mine] })).toBe('terms');
  expect(compare(kept('one')!, { ...told, numbers: [{ ...mine, number: null }, ben] })).toBe('left');
});

test('what stood fast when the number was opened is kept; what is said later is not believed', () => {
  const told = opened('one');
  give('one', {
    setup: { ...setup, first: 'D' },
    state: 'open',
    you: 'A',
    seal: seal({ called: true, numbers: [{ ...told.numbers![0]!, number: null }] }),
  });
  expect(compare(kept('one')!, told)).toBe('both');
});

test('whoever only looked on knows the seal', () => {
  const told = opened('one');
  give('two', { setup, state: 'open', you: '', seal: seal() });
  expect(compare(kept('two')!, told)).toBe('seal');
});

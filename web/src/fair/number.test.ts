import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { frame } from '../fixtures';
import type { Given, Seal } from '../wire/protocol';
import type { Verdict } from './engine';
import { broken, compare, give, kept, keptOf, sealNumber } from './number';

interface Vectors {
  proof: Pick<Verdict, 'seal' | 'failed'> & { version: string; numbers: Given[] };
}
const vectors = ['vectors', 'vectors2'].map(
  (name) => (JSON.parse(readFileSync(`../docs/fair/${name}.json`, 'utf8')) as Vectors).proof,
);
const proof = vectors[0]!;
const seal = (change: Partial<Seal> = {}): Seal => ({
  version: 'caveau-deal/2',
  seal: proof.seal,
  called: false,
  failed: [],
  ...change,
});

const { setup } = frame();

afterEach(() => vi.unstubAllGlobals());
beforeEach(() => localStorage.setItem('caveau.numbers', '{}'));

test('a number is sealed as the page of the sealed deal says', () => {
  for (const { version, failed, ...last } of vectors)
    for (const attempt of [...(failed ?? []), last])
      for (const { seat, seal, number } of attempt.numbers)
        if (number) expect(sealNumber(version, attempt.seal, seat, number)).toBe(seal);
});

test('a number is sealed once, opened when the start was said, and not before', () => {
  const first = give('one', { setup, state: 'open', you: 'B', seal: seal() });
  expect(first).toMatchObject({ do: 'seal', table: 'one' });
  const mine = (first as { bits: string }).bits;
  const numbers = [{ seat: 'B', seal: mine, number: null }];
  expect(give('one', { setup, state: 'open', you: 'B', seal: seal({ numbers }) })).toBeNull();
  const opened = give('one', { setup, state: 'open', you: 'B', seal: seal({ numbers, called: true }) });
  expect(opened).toEqual({ do: 'unseal', table: 'one', bits: kept('one')!.number });
  expect(sealNumber('caveau-deal/2', proof.seal, 'B', kept('one')!.number)).toBe(mine);
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
    failed: null,
    claim: { case: 'unchosen', deals: 0, gave: ['A', 'B'], shut: [] },
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
    expect(keptOf(told)).toEqual(kept(table));
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

/** The seals of three attempts. */
const seals = ['a', 'b', 'c'].map((digit) => digit.repeat(64));
const other = { seat: 'B', seal: '1'.repeat(64), number: null };

/** A says what there is to be said in the attempt of that number, with B, after others failed whose numbers were not opened. */
function attempt(table: string, n: number, shut: string[][], change: Partial<Seal> = {}) {
  const failed = shut.map((seats, i) => ({ seal: seals[i]!, shut: seats }));
  return give(table, { setup, state: 'open', you: 'A', seal: seal({ seal: seals[n]!, failed, ...change }) }) as {
    do: string;
    bits: string;
  } | null;
}

/** A seals a number and opens it, in the attempt of that number; what the record has of it, where B kept his shut. */
function sealAndOpen(table: string, n: number, shut: string[][]) {
  const sealed = attempt(table, n, shut)!;
  expect(sealed.do).toBe('seal');
  const numbers = [{ seat: 'A', seal: sealed.bits, number: null }, ...(n === 0 ? [other] : [])];
  const number = attempt(table, n, shut, { called: true, numbers })!;
  expect(number.do).toBe('unseal');
  expect(sealNumber('caveau-deal/2', seals[n]!, 'A', number.bits)).toBe(sealed.bits);
  return { seal: seals[n]!, numbers: numbers.map((one) => (one.seat === 'A' ? { ...one, number: number.bits } : one)) };
}

/** A table at which the first attempt failed, since B kept his number shut; and its record. */
function begunAgain(table: string): Verdict {
  const first = sealAndOpen(table, 0, []);
  const second = sealAndOpen(table, 1, [['B']]);
  return {
    ...opened(`${table}, as if`),
    ...second,
    failed: [first],
    claim: { case: 'rejected', deals: 1, gave: ['A'], shut: [['B']] },
  };
}

const deals = (table: string, n: number, shut: string[][]) =>
  give(table, {
    setup,
    state: 'running',
    you: 'A',
    seal: seal({ seal: seals[n]!, called: true, failed: shut.map((seats, i) => ({ seal: seals[i]!, shut: seats })) }),
  });

test('when an attempt has failed another number is given, and the record has both', () => {
  const told = begunAgain('again');
  const [first, second] = [told.failed![0]!.numbers[0]!, told.numbers![0]!];
  expect(second.number).not.toBe(first.number);
  deals('again', 1, [['B']]);
  expect(compare(kept('again')!, told)).toBe('both');
  expect(keptOf(told)).toEqual(kept('again'));
  expect(keptOf({ ...told, failed: null, seal: seals[2]! })).toBeUndefined();
});

test('another seal is believed only where the attempt with the one before has failed', () => {
  attempt('one', 0, []);
  const before = kept('one');
  expect(attempt('one', 1, [])).toBeNull();
  expect(broken('one', seal({ seal: seals[1]! }))).toBe(true);
  const made = { seal: seals[1]!, failed: [{ seal: seals[2]!, shut: ['B'] }] };
  expect(give('one', { setup, state: 'open', you: 'A', seal: seal(made) })).toBeNull();
  expect(broken('one', seal(made))).toBe(true);
  expect(kept('one')).toEqual(before);
  expect(attempt('one', 1, [['B']])?.do).toBe('seal');
  expect(attempt('one', 0, [])).toBeNull(); // and there is no way back
});

test('whoever slept through an attempt goes on with the next', () => {
  attempt('one', 0, []);
  expect(attempt('one', 2, [['B'], ['C']])?.do).toBe('seal');
  expect(kept('one')!.before!.map((one) => one.seal)).toEqual([seals[0]]);
});

test('whoever was late once gives no number any more, and still knows what he sees', () => {
  attempt('one', 0, []);
  expect(attempt('one', 1, [['A']])).toBeNull();
  expect(attempt('one', 1, [['A']], { called: true })).toBeNull();
  expect(kept('one')).toMatchObject({ seal: seals[1], before: [{ seal: seals[0] }] });
});

test.each([
  ['bad', 'hides an attempt that failed', (told) => ({ failed: null, seal: told.seal })],
  ['bad', 'deals from an attempt that failed', (told) => ({ ...told.failed![0]!, failed: null })],
  ['bad', 'has the attempts in another order', (told) => ({ ...told.failed![0]!, failed: [told] })],
  [
    'bad',
    'has one more after the deal',
    (told) => ({ seal: seals[2]!, numbers: [], failed: [told.failed![0]!, told] }),
  ],
  [
    'terms',
    'has other seals in an attempt that failed',
    (told) => ({ failed: [{ ...told.failed![0]!, numbers: told.failed![0]!.numbers.slice(0, 1) }] }),
  ],
  [
    'left',
    'says of a number that was opened that it was not',
    (told) => ({
      failed: [{ ...told.failed![0]!, numbers: told.failed![0]!.numbers.map((one) => ({ ...one, number: null })) }],
    }),
  ],
] as [string, string, (told: Verdict) => Partial<Verdict>][])(
  '%s: a record that %s is found out',
  (what, _, change) => {
    const told = begunAgain('found');
    deals('found', 1, [['B']]);
    expect(compare(kept('found')!, { ...told, ...change(told) } as Verdict)).toBe(what);
  },
);

test('whoever saw only attempts that failed cannot say that he saw this seal before the game', () => {
  const told = begunAgain('all');
  give('gone', { setup, state: 'open', you: '', seal: seal({ seal: seals[0]! }) });
  expect(compare(kept('gone')!, told)).toBe('part');
  const { numbers } = sealAndOpen('left out too', 0, []);
  const seenByBoth = { ...told, failed: [{ seal: seals[0]!, numbers }] };
  expect(compare(kept('gone')!, seenByBoth)).toBe('part');
  deals('left out too', 1, [['B']]);
  expect(compare(kept('left out too')!, seenByBoth)).toBe('part');
  expect(compare(kept('left out too')!, { ...seenByBoth, seal: seals[2]! })).toBe('bad'); // nor is it what was shown when it was dealt
});

test('what an older page has kept is read', () => {
  const told = opened('one');
  const { seal: shownThen, number, on } = kept('one')!;
  localStorage.setItem('caveau.numbers', JSON.stringify({ old: { seal: shownThen, number, on } }));
  expect(compare(kept('old')!, told)).toBe('both');
  expect(broken('old', seal())).toBe(false);
});

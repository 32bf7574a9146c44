import { readFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import type { Seal } from '../wire/protocol';
import { broken, give, kept, sealNumber } from './number';

interface Vectors { proof: { seal: string; numbers: { seat: string; seal: string; number: string | null }[] } }
const { proof } = JSON.parse(readFileSync('../docs/fair/vectors.json', 'utf8')) as Vectors;
const seal = (change: Partial<Seal> = {}): Seal => ({ seal: proof.seal, called: false, ...change });

beforeEach(() => localStorage.clear());

test('a number is sealed as the page of the sealed deal says', () => {
  for (const { seat, seal, number } of proof.numbers) if (number) expect(sealNumber(proof.seal, seat, number)).toBe(seal);
});

test('a number is sealed once, opened when the start was said, and not before', () => {
  const first = give('one', { state: 'open', you: 'B', seal: seal() });
  expect(first).toMatchObject({ do: 'seal', table: 'one' });
  const mine = (first as { bits: string }).bits;
  const numbers = [{ seat: 'B', seal: mine, number: null }];
  expect(give('one', { state: 'open', you: 'B', seal: seal({ numbers }) })).toBeNull();
  const opened = give('one', { state: 'open', you: 'B', seal: seal({ numbers, called: true }) });
  expect(opened).toEqual({ do: 'unseal', table: 'one', bits: kept('one')!.number });
  expect(sealNumber(proof.seal, 'B', kept('one')!.number)).toBe(mine);
  expect(give('one', { state: 'open', you: 'B', seal: seal({ called: true, numbers: [{ seat: 'B', seal: mine, number: kept('one')!.number }] }) })).toBeNull();
  expect(give('one', { state: 'running', you: 'B', seal: seal({ called: true }) })).toBeNull();
});

test('whoever changes seats seals anew, whoever watches gives nothing, and every table gets its own number', () => {
  const b = give('one', { state: 'open', you: 'B', seal: seal() }) as { bits: string };
  expect(give('one', { state: 'open', you: 'A', seal: seal({ numbers: [{ seat: 'B', seal: b.bits, number: null }] }) })).toMatchObject({ do: 'seal' });
  expect(give('two', { state: 'open', you: '', seal: seal() })).toBeNull();
  expect(kept('two')!.seal).toBe(proof.seal);
  expect(kept('two')!.number).not.toBe(kept('one')!.number);
  expect(give('three', { state: 'open', you: 'A', seal: null })).toBeNull();
});

test('a table that shows another seal later is found out, and gets no number', () => {
  give('one', { state: 'open', you: 'A', seal: seal() });
  const other = seal({ seal: 'f'.repeat(64) });
  expect(broken('one', seal())).toBe(false);
  expect(broken('one', other)).toBe(true);
  expect(give('one', { state: 'open', you: 'A', seal: other })).toBeNull();
});

test('of many tables the newest are remembered', () => {
  for (let i = 0; i < 60; i++) give(`t${i}`, { state: 'open', you: '', seal: seal() });
  expect(kept('t0')).toBeUndefined();
  expect(kept('t59')).toBeDefined();
  expect(JSON.parse(localStorage.getItem('caveau.numbers')!)).toHaveProperty('t10');
});

import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Where what was seen is kept, for whoever wants to look at it. */
export const screens = resolve(import.meta.dirname, '../test-results/screens');

/** A picture that no page of Playwright's took. */
export function keep(name: string, png: Buffer) {
  mkdirSync(screens, { recursive: true });
  writeFileSync(join(screens, `${name}.png`), png);
}

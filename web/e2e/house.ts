import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, vi } from 'vitest';

export const binary = process.env['CAVEAU_BIN'] || resolve(import.meta.dirname, '../../bin/caveau');

export interface House {
  url: string;
  /** A link that opens the owner's page once. */
  ownersLink(): string;
  close(): Promise<void>;
}

/** The real house, on a port of its own with a database of its own. */
export async function house(): Promise<House> {
  if (!existsSync(binary)) throw new Error(`no house at ${binary}: build it, or name it in CAVEAU_BIN`);
  const room = mkdtempSync(join(tmpdir(), 'caveau-'));
  const url = `http://localhost:${await freePort()}`;
  const db = join(room, 'caveau.db');
  const run = spawn(binary, ['serve', '--addr', new URL(url).host, '--db', db], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let told = '';
  run.stderr.on('data', (words) => (told += words));
  const gone = new Promise<number | null>((done) => run.once('close', done));
  await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), { timeout: 15_000 });
  return {
    url,
    ownersLink: () =>
      execFileSync(binary, ['owner', '--db', db, '--public-url', url], { encoding: 'utf8' }).split('\n')[0]!,
    async close() {
      run.kill();
      const code = await gone;
      rmSync(room, { recursive: true });
      // Whatever people saw, nothing may have gone wrong in the house.
      expect(told).not.toMatch(/level=(ERROR|WARN)/);
      expect(code).toBe(0);
    },
  };
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0);
  await new Promise((done) => probe.once('listening', done));
  const { port } = probe.address() as AddressInfo;
  await new Promise((done) => probe.close(done));
  return port;
}

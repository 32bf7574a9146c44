import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { binary } from './house';
import { desktop, enter, look, phone, someone, with_ } from './support';

// A house of three nodes behind a proxy, whose nodes die one after the other under those who play.

/** Whatever one may be asked for at Dawn Under, as in here.test.ts. */
const moves =
  '.asked .grave.lit, .choice button, .hand button, button.end, .prompt button.main, .both button, .receives';

let url: string;
const nodes: number[] = [];
let database: number; // PostgreSQL's first process
let end: () => Promise<void>;

/** The processes that one has begun. */
const begun = (by: number, name: string) =>
  execFileSync('pgrep', ['-P', String(by), name], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(Number);

beforeAll(async () => {
  const cluster = binary.replace(/caveau$/, 'cluster');
  if (!existsSync(cluster)) throw new Error(`no cluster at ${cluster}: go build -o bin/cluster ./tools/cluster`);
  const run = spawn(cluster, ['-caveau', binary, '-addr', 'localhost:0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const gone = new Promise<number | null>((done) => run.once('close', done));
  end = async () => {
    run.kill('SIGINT');
    expect(await gone).toBe(0);
  };
  for await (const line of createInterface(run.stdout)) {
    url ||= /http:\S+/.exec(line)?.[0] ?? '';
    const pid = /kill -9 (\d+)/.exec(line)?.[1];
    if (pid) nodes.push(Number(pid));
    if (line.startsWith('Ctrl-C')) break;
  }
  [database] = begun(run.pid!, 'postgres') as [number];
}, 60_000);
afterAll(() => end?.());

/** Ana plays on a telephone, and Ben looks on; `moved` is how much he has seen, when she has done what she is asked for next. */
async function evening() {
  const ana = await someone(with_, { viewport: phone });
  await ana.page.goto(url);
  await ana.page.getByRole('button', { name: 'Play now' }).click();
  const next = ana.page.locator(moves).first();
  await next.waitFor();
  const ben = await someone(with_, { viewport: desktop });
  await enter(ben.page, url, 'Ben');
  await ben.page.goto(ana.page.url());
  const log = () => ben.page.getByRole('list', { name: 'What happened' }).locator('li').count();
  await expect.poll(log).toBeGreaterThan(0);
  const moved = async () => {
    await next.click({ timeout: 1000 }).catch(() => {}); // a gift is chosen, and then whose it is to be
    return log();
  };
  return { ana, ben, next, log, moved };
}

test('whoever plays goes on within five seconds when a node dies under him, and touches nothing', async () => {
  expect(nodes).toHaveLength(3);
  const { ana, ben, next, log, moved } = await evening();
  // Of the three one has Ana's line, one Ben's, one the table: perhaps the same.
  for (const [i, pid] of nodes.entries()) {
    await next.waitFor({ timeout: 60_000 });
    const before = await log();
    process.kill(pid, 'SIGKILL');
    const began = Date.now();
    await expect.poll(moved, { timeout: 20_000 }).toBeGreaterThan(before);
    console.info(`node ${i + 1} dies, and after ${((Date.now() - began) / 1000).toFixed(1)} s Ben sees what Ana does`);
    await new Promise((done) => setTimeout(done, 3000)); // it begins again
  }
  await look(ana.page, 'nodes-ana');
  await look(ben.page, 'nodes-ben');
});

test('whoever plays goes on when the database stood still for longer than any lease, and touches nothing', async () => {
  const { ana, ben, next, log, moved } = await evening();
  let loads = 0;
  for (const one of [ana, ben]) one.page.on('framenavigated', () => loads++);
  await next.waitFor({ timeout: 60_000 });
  process.kill(database, 'SIGSTOP'); // first, so that it begins no other
  const all = [...begun(database, 'postgres'), database];
  for (const pid of all) process.kill(pid, 'SIGSTOP');
  await new Promise((done) => setTimeout(done, 5000));
  await look(ana.page, 'nodes-ana-waits');
  for (const pid of all) process.kill(pid, 'SIGCONT');
  const began = Date.now();
  const before = await log();
  await expect.poll(moved, { timeout: 30_000 }).toBeGreaterThan(before);
  console.info(`the database is back, and after ${((Date.now() - began) / 1000).toFixed(1)} s Ben sees what Ana does`);
  expect(loads).toBe(0);
});

test('each page comes by the node that has its table', async () => {
  const ana = await someone(with_, { viewport: phone });
  await ana.page.goto(url);
  await ana.page.getByRole('button', { name: 'Play now' }).click();
  await ana.page.locator(moves).first().waitFor();
  const ben = await someone(with_, { viewport: desktop });
  await enter(ben.page, url, 'Ben');
  // How often he dials each time that he comes, and by which node; of three times two are by another than the table's.
  const came: string[][] = [];
  ben.page.on('framenavigated', () => came.push([])); // the page that he leaves may still dial until then
  ben.page.on('websocket', (line) => came.at(-1)?.push(new URL(line.url()).searchParams.get('node') ?? ''));
  const led = () => came.flat().filter(Boolean);
  while (led().length < 2 && came.length < 12) {
    // Requests go to the nodes in turn: one more before every second time, or he might always meet the same node.
    if (came.length % 2 === 0) await ben.page.request.get(`${url}/api/hello`);
    await ben.page.goto(ana.page.url());
    await ben.page.locator('.grave').first().waitFor();
  }
  expect(led()).toHaveLength(2);
  expect(new Set(led()).size, 'he is led to the one that has it').toBe(1);
  expect(Math.max(...came.map((lines) => lines.length)), 'and once').toBe(2);
});

/** A way to a house on which everything that is under way may stop for good, and nobody hangs up; who comes then comes through. */
async function way(to: string) {
  const { hostname: host, port } = new URL(to);
  const lines = new Set<Socket>();
  const door = createServer((from) => {
    const on = connect(Number(port), host);
    for (const [a, b] of [[from, on] as const, [on, from] as const]) {
      lines.add(a.on('error', () => b.destroy()).on('close', () => lines.delete(a)));
      a.pipe(b);
    }
  });
  await new Promise<void>((done) => door.listen(0, 'localhost', done));
  return {
    url: `http://localhost:${(door.address() as AddressInfo).port}/`,
    stops: () => lines.forEach((line) => line.unpipe()),
    close() {
      lines.forEach((line) => line.destroy());
      door.close();
    },
  };
}

test('whoever hears nothing any more, and nobody hangs up, goes on within five seconds as well', async () => {
  const through = await way(url);
  const ana = await someone(with_, { viewport: phone });
  await ana.page.goto(through.url);
  await ana.page.getByRole('button', { name: 'Play now' }).click();
  await ana.page.locator(moves).first().waitFor();
  const dialled = ana.page.waitForEvent('websocket', { timeout: 15_000 });
  through.stops();
  const began = Date.now();
  const line = await dialled;
  await line.waitForEvent('framereceived', {
    predicate: ({ payload }) => String(payload).includes('"frame"'),
    timeout: 15_000,
  });
  console.info(
    `everything stands still, and after ${((Date.now() - began) / 1000).toFixed(1)} s the page is told again`,
  );
  through.close();
});

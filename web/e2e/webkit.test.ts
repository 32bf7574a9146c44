import { spawn, type ChildProcess } from 'node:child_process';
import { afterAll, vi } from 'vitest';
import { gamesIn } from './elsewhere';
import { freePort } from './house';
import { keep } from './keep';

// The browser of Apple's devices, as WebKitGTK has it: with a driver for each page, which speaks WebDriver, on a screen of its own that
// nobody sees.

const drivers: ChildProcess[] = [];
afterAll(() => drivers.forEach(({ pid }) => process.kill(-pid!)));

/** What the driver answers; a refusal is an error with its words. */
async function say(url: string, method: 'POST' | 'GET', body?: unknown) {
  const answer = await fetch(url, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
  const { value } = await answer.json();
  if (!answer.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}

gamesIn('WebKit', async (errors) => {
  const port = await freePort();
  const driver = spawn('xvfb-run', ['-a', '-s', '-screen 0 1280x800x24', 'WebKitWebDriver', `--port=${port}`], {
    // Its drawing needs a graphics card otherwise, and its sandbox the rights of a user that it can give up.
    env: { ...process.env, WEBKIT_SKIA_ENABLE_CPU_RENDERING: '1', WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' },
    stdio: 'ignore',
    detached: true, // a group, that ends together
  });
  drivers.push(driver);
  const at = `http://127.0.0.1:${port}`;
  await vi.waitFor(() => say(`${at}/status`, 'GET'), { timeout: 30_000, interval: 100 });
  const options = { 'webkitgtk:browserOptions': { args: ['--automation', '--full-screen'] } };
  const { sessionId } = await say(`${at}/session`, 'POST', { capabilities: { alwaysMatch: options } });
  const page = `${at}/session/${sessionId}`;
  const found = async (css: string): Promise<string> =>
    Object.values(await say(`${page}/element`, 'POST', { using: 'css selector', value: css }))[0] as string;
  const ask = (f: (about: never) => unknown, about: unknown) =>
    say(`${page}/execute/async`, 'POST', {
      script: `Promise.resolve((${f})(arguments[0])).then(arguments[1])`,
      args: [about],
    });
  return {
    // A driver does not tell what goes wrong in a page: the page itself writes it down.
    async go(url) {
      await say(`${page}/url`, 'POST', { url });
      await ask(() => {
        const wrong: string[] = ((window as unknown as { wrong: string[] }).wrong = []);
        addEventListener('error', ({ message }) => wrong.push(message));
        addEventListener('unhandledrejection', ({ reason }) => wrong.push(String(reason)));
      }, null);
    },
    // What moves, or lies under something that moves, can be pressed a moment later.
    press: (css) =>
      vi.waitFor(async () => say(`${page}/element/${await found(css)}/click`, 'POST', {}), {
        timeout: 60_000,
        interval: 50,
      }),
    async there(css) {
      await vi.waitFor(() => found(css), { timeout: 120_000, interval: 200 });
      errors.push(...(await ask(() => (window as unknown as { wrong: string[] }).wrong, null)));
      keep(`webkit-${drivers.length}`, Buffer.from(await say(`${page}/screenshot`, 'GET'), 'base64'));
    },
    ask,
  };
});

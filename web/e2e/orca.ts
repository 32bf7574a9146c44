import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer, { type Page } from 'puppeteer-core';
import { vi } from 'vitest';

// Firefox with the Orca screen reader, on a screen that nobody sees. Orca speaks as it always does, to a voice of ours, which takes as long for a
// sentence as a voice takes and writes down what was said to its end, and what was cut off.

/** How fast somebody speaks, in letters a second: 175 words a minute. */
const speed = 15;

/** Something that the voice said. */
export interface Words {
  /** With plain spaces: the others make no sound. */
  said: string;
  /** To its end: nothing that came later has cut it off. */
  whole: boolean;
}

export interface Listener {
  page: Page;
  /** Goes to a page. */
  go(url: string): Promise<void>;
  /** Presses keys, by their names for xdotool: Tab, Return, space, F6. */
  press(...keys: string[]): Promise<void>;
  /** What was said since this was asked last, once it has been quiet for a moment; where something has to come, once that has. */
  hears(something?: boolean): Promise<Words[]>;
  /** The language in which the page is, as far as Orca knows. */
  tongue(): string;
  close(): Promise<void>;
}

/** Somebody who only hears. */
export async function listener(): Promise<Listener> {
  const room = mkdtempSync(join(tmpdir(), 'orca-'));
  const running: ChildProcess[] = [];
  const env: Record<string, string> = {
    PATH: process.env['PATH']!,
    HOME: room,
    XDG_RUNTIME_DIR: join(room, 'run'),
    DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(room, 'bus')}`,
    LANG: 'C.UTF-8',
    GNOME_ACCESSIBILITY: '1',
    NO_AT_BRIDGE: '0',
    MOZ_DISABLE_AUTO_SAFE_MODE: '1',
  };
  const run = (program: string, ...args: string[]) => {
    const one = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
    one.on('error', (error) => console.error(`${program}: ${error.message}`));
    running.push(one);
    return one;
  };
  mkdirSync(env['XDG_RUNTIME_DIR']!, { mode: 0o700 });
  furnish(room);

  env['DISPLAY'] =
    `:${await firstLine(run('Xvfb', '-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'))}`;
  run('dbus-daemon', '--session', '--nofork', `--address=${env['DBUS_SESSION_BUS_ADDRESS']}`);
  run('openbox');
  run('/usr/libexec/at-spi-bus-launcher', '--launch-immediately');
  run('orca', '--debug', '--debug-file', join(room, 'debug'));
  const heard = join(room, 'heard');
  const all = (): Words[] => {
    const words: Words[] = [];
    for (const line of readFileSync(heard, 'utf8').split('\n')) {
      const [what, said] = line.split('\t');
      if (what === 'says') words.push({ said: said!.trim().replace(/[\u00a0\u202f]/g, ' '), whole: false });
      if (what === 'said') words.at(-1)!.whole = true;
    }
    return words;
  };
  await vi.waitFor(() => all().length > 0 || Promise.reject(new Error('Orca says nothing')), { timeout: 60_000 });

  const firefox = await puppeteer.launch({
    browser: 'firefox',
    executablePath: process.env['FIREFOX'] || '/usr/bin/firefox-esr',
    headless: false,
    defaultViewport: null,
    env,
    extraPrefsFirefox: { 'accessibility.force_disabled': -1 },
  });
  const [page] = await firefox.pages();
  let known = 0;
  const press = async (...keys: string[]) => {
    for (const key of keys) await ended(run('xdotool', 'key', key));
  };
  return {
    page: page!,
    async go(url) {
      await page!.goto(url);
      await press('ctrl+l', 'F6'); // wherever the focus was, it is in the page
    },
    press,
    async hears(something = false) {
      const asked = Date.now();
      let [length, since] = [-1, asked];
      const waits = () => something && all().length === known && Date.now() - asked < 10_000;
      /** As long as what is said last takes; if it has been cut off, it never ends. */
      const quiet = () => {
        const last = all().at(-1);
        return last?.whole === false ? 3000 + (1000 * last.said.length) / speed : 1500;
      };
      while (waits() || Date.now() - since < quiet()) {
        await new Promise((done) => setTimeout(done, 100));
        const now = readFileSync(heard).length;
        if (now !== length) [length, since] = [now, Date.now()];
      }
      const words = all().slice(known);
      known += words.length;
      return words;
    },
    tongue: () =>
      readFileSync(join(room, 'debug'), 'utf8')
        .match(/(?<=voice requested with language=')\w+/g)
        ?.at(-1) ?? 'none',
    async close() {
      await firefox.close();
      for (const one of running.reverse()) one.kill();
      rmSync(room, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Presses a key until something is said. */
export async function find(ear: Pick<Listener, 'press' | 'hears'>, key: string, what: RegExp) {
  const all: string[] = [];
  await ear.hears(); // whatever is being said now is not what a key leads to
  for (let presses = 0; presses < 80; presses++) {
    await ear.press(key);
    const heard = await ear.hears(true);
    all.push(...heard.map(({ said }) => said));
    if (heard.some(({ said }) => what.test(said))) return;
  }
  throw new Error(`${key} never leads to ${what}, but to: ${all.join(' | ')}`);
}

function furnish(room: string) {
  const at = join(room, '.config/speech-dispatcher');
  mkdirSync(join(at, 'modules'), { recursive: true });
  mkdirSync(join(room, '.local/share/orca'), { recursive: true });
  const voice = join(room, 'voice');
  writeFileSync(
    voice,
    `#!/bin/sh
printf 'says\\t%s\\n' "$1" >>'${join(room, 'heard')}'
sleep $(awk -v t="$1" 'BEGIN { print length(t) / ${speed} }')
printf 'said\\n' >>'${join(room, 'heard')}'
`,
  );
  chmodSync(voice, 0o755);
  writeFileSync(join(room, 'heard'), '');
  writeFileSync(join(room, '.libao'), 'default_driver=null\n');
  writeFileSync(
    join(at, 'speechd.conf'),
    `LogLevel 3
LogDir "${room}"
AudioOutputMethod "libao"
AddModule "ear" "sd_generic" "ear.conf"
DefaultModule ear
`,
  );
  writeFileSync(
    join(at, 'modules/ear.conf'),
    `GenericExecuteSynth "${voice} '$DATA'"
GenericLanguage "en" "en" "utf-8"
AddVoice "en" "MALE1" "en"
`,
  );
  writeFileSync(
    join(room, '.local/share/orca/user-settings.conf'),
    JSON.stringify({
      general: { speechServerFactory: 'speechdispatcherfactory', firstStart: false, profile: ['Default', 'default'] },
      profiles: { default: { profile: ['Default', 'default'], enableKeyEcho: false } },
      pronunciations: {},
      keybindings: {},
    }),
  );
}

const firstLine = (one: ChildProcess) =>
  new Promise<string>((done, fail) => {
    one.stdio[3]!.once('data', (line) => done(String(line).trim()));
    one.once('exit', (code) => fail(new Error(`${one.spawnfile} ended with ${code}`)));
  });

const ended = (one: ChildProcess) => new Promise<void>((done) => one.once('exit', () => done()));

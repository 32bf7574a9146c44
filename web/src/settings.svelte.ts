// What this device remembers of its owner's taste.

export const looks = { slow: 4000, normal: 1600, fast: 1300 } as const;
export type Look = keyof typeof looks;

const lookKey = 'caveau.look';
const lettersKey = 'caveau.letters';
const listensKey = 'caveau.listens';
const soundKey = 'caveau.sound';
const callsKey = 'caveau.calls';
const phrasesKey = 'caveau.phrases';
const lastKey = 'caveau.last';
const learnedKey = 'caveau.learned';

class Settings {
  #look = $state(Number(localStorage.getItem(lookKey)) || looks.normal);
  #letters = $state(localStorage.getItem(lettersKey) !== 'off');
  #listens = $state(localStorage.getItem(listensKey) === 'on');
  #sound = $state(localStorage.getItem(soundKey) !== 'off');
  #calls = $state(localStorage.getItem(callsKey) === 'on');

  #learned = $state.raw((localStorage.getItem(learnedKey) ?? '').split(' '));

  #phrases = $state(localStorage.getItem(phrasesKey) !== 'off');

  /** How long an opened lid or card can be looked at, in milliseconds. */
  get look() {
    return this.#look;
  }
  set look(ms: number) {
    this.#look = ms;
    localStorage.setItem(lookKey, String(ms));
  }

  /** Whether single letters are commands at the table. */
  get letters() {
    return this.#letters;
  }
  set letters(on: boolean) {
    this.#letters = on;
    localStorage.setItem(lettersKey, on ? 'on' : 'off');
  }

  /** Whether the table waits until what happened has been read aloud. */
  get listens() {
    return this.#listens;
  }
  set listens(on: boolean) {
    this.#listens = on;
    localStorage.setItem(listensKey, on ? 'on' : 'off');
  }

  /** Whether the table is heard, and felt. */
  get sound() {
    return this.#sound;
  }
  set sound(on: boolean) {
    this.#sound = on;
    localStorage.setItem(soundKey, on ? 'on' : 'off');
  }

  /** Whether a notice comes at one's turn while the page is hidden. */
  get calls() {
    return this.#calls;
  }
  set calls(on: boolean) {
    this.#calls = on;
    localStorage.setItem(callsKey, on ? 'on' : 'off');
  }

  /** Whether phrases are shown that others say. */
  get phrases() {
    return this.#phrases;
  }
  set phrases(on: boolean) {
    this.#phrases = on;
    localStorage.setItem(phrasesKey, on ? 'on' : 'off');
  }

  /** The lessons that were gone through to the end, by their names. */
  get learned() {
    return this.#learned;
  }
  learn(lesson: string) {
    this.#learned = [...this.#learned.filter((one) => one !== lesson), lesson];
    localStorage.setItem(learnedKey, this.#learned.join(' '));
  }

  /** What was chosen for the last table. */
  get last(): object {
    try {
      return (JSON.parse(localStorage.getItem(lastKey) ?? '{}') as object | null) ?? {};
    } catch {
      return {};
    }
  }
  set last(chosen: object) {
    localStorage.setItem(lastKey, JSON.stringify(chosen));
  }
}

export const settings = new Settings();

export const motion = () => !matchMedia('(prefers-reduced-motion: reduce)').matches;

/** While the page is hidden, that it is looked at again. */
export const asleep = () => (document.hidden ? seen() : null);
const seen = () =>
  new Promise<void>((done) => document.addEventListener('visibilitychange', () => done(), { once: true }));

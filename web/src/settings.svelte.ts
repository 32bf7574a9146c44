// What this device remembers of its owner's taste.

export const looks = { slow: 4000, normal: 2500, fast: 1300 } as const;
export type Look = keyof typeof looks;

const lookKey = 'caveau.look';
const lettersKey = 'caveau.letters';
const listensKey = 'caveau.listens';
const lastKey = 'caveau.last';

class Settings {
  #look = $state(Number(localStorage.getItem(lookKey)) || looks.normal);
  #letters = $state(localStorage.getItem(lettersKey) !== 'off');
  #listens = $state(localStorage.getItem(listensKey) === 'on');

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

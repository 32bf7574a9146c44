import { cleanup, render } from '@testing-library/svelte';
import { tick } from 'svelte';
import { common } from '../src/messages/language.svelte';
import type { AtTable } from '../src/table/at.svelte';
import { comes, staged, type Game, type Played } from '../src/table/game';
import type { TableKey } from '../src/table/keys';
import Play from '../src/table/Play.svelte';
import { Show } from '../src/table/show.svelte';
import { spot } from '../src/table/spots';
import type { Frame, Info } from '../src/wire/protocol';

// What every game of this page keeps, over the frames of whole games: what the house lists can be pressed, what happens is
// said, what flies has where to go, and what the help promises, a key does.

export interface Report {
  /** Moves that no button says, with the question they answer. */
  unsaid: string[];
  /** Verbs of which nothing is told, and no reason is given. */
  untold: string[];
  /** Questions that have no sentence of their own. */
  unasked: string[];
  /** Spots that a flight names and no element bears. */
  nowhere: string[];
  /** The keys that had an effect, as the help prints them. */
  keys: Set<string>;
  /** How much was looked at: questions, verbs and flights. */
  seen: { questions: Set<string>; verbs: Set<string>; flights: Set<string> };
}

/**
 * Whoever reads these frames tries everything; `tried` are the questions that others have pressed through already. After each frame
 * `looks` may look at the page.
 */
export async function examine(
  game: Game,
  info: Info,
  frames: Frame[],
  tried = new Set<string>(),
  looks = () => {},
): Promise<Report> {
  const sitting = new Sitting({ game, info }, tried);
  for (const frame of frames) {
    await sitting.see(frame);
    looks();
  }
  cleanup();
  return sitting.report;
}

/** Somebody sits before the frames of one audience and tries everything. */
class Sitting {
  report: Report = {
    unsaid: [],
    untold: [],
    unasked: [],
    nowhere: [],
    keys: new Set(),
    seen: { questions: new Set(), verbs: new Set(), flights: new Set() },
  };
  #said: string[] = [];
  #show: Show;
  #at: AtTable;
  #drawn = false;

  constructor(
    private played: Played,
    private tried: Set<string>,
  ) {
    const stage = { look: () => 1, now: () => 0, wait: () => this.#wait(), asleep: () => null, moving: () => true };
    this.#show = new Show(stage, () => staged(played));
    this.#at = comes(played, 't', this.#show, async () => null);
    // What is said is written down, and the position stays as it is.
    this.#at.play = async (move) => void this.#said.push(move);
  }

  async see(frame: Frame) {
    this.#show.take(frame);
    while (this.#show.busy) await rest();
    if (!this.#drawn && this.#at.scene) {
      render(Play, { at: this.#at, game: this.played.game });
      this.#drawn = true;
    }
    await rest();
    this.#hears(frame);
    const question = `${frame.setup.edition} ${frame.asked}`;
    if (!frame.moves.length || this.tried.has(question)) return;
    this.tried.add(question);
    this.#reads(frame);
    await this.#presses(frame);
    await this.#types();
  }

  /** While something flies, both ends of its way are there. */
  async #wait() {
    await tick();
    const { flight } = this.#show;
    if (!flight || !this.#drawn) return;
    this.report.seen.flights.add(flight.piece.split(' ')[0]!);
    for (const name of [flight.from, flight.to]) if (!spot(name)) note(this.report.nowhere, `${flight.piece}: ${name}`);
  }

  /** What happened is a sentence, also when the log has forgotten what it need not remember. */
  #hears(frame: Frame) {
    const { game } = this.played;
    for (const said of frame.events) {
      this.report.seen.verbs.add(said.verb);
      const faded = game.script.faded({ id: 0, said }, new Set(), this.#at.scene).said;
      const told = this.#at.sentence(said) && this.#at.sentence(faded);
      if (!told && !game.silent?.[said.verb]) note(this.report.untold, said.verb);
    }
  }

  #reads({ asked }: Frame) {
    this.report.seen.questions.add(asked);
    const line = this.#at.ask(asked);
    if (!line || line === common.t('ask.other')) note(this.report.unasked, asked);
  }

  /** Every listed move is said by a button, or by one that another button brings forth. */
  async #presses({ moves, asked }: Frame) {
    const said = new Set<string>();
    let before = look();
    // What is asked stands at the end of the page more often than not.
    for (const i of [...buttons().keys()].reverse()) {
      if (moves.every((move) => said.has(move))) break;
      if ((await this.#press(i, said)) || look() === before) continue;
      await this.#pressesBehind(i, said);
      before = look();
    }
    for (const move of moves.filter((move) => !said.has(move))) note(this.report.unsaid, `${asked}: ${move}`);
  }

  /** What a button has brought forth is pressed too; it is pressed again before each, where that undid it. */
  async #pressesBehind(i: number, said: Set<string>) {
    const open = look();
    for (const j of buttons().keys()) {
      for (let again = 0; again < 2 && look() !== open; again++) await this.#press(i, said);
      if (j !== i) await this.#press(j, said);
    }
  }

  /** Presses a button; tells whether it has said a move. */
  async #press(i: number, said: Set<string>): Promise<boolean> {
    buttons()[i]?.click();
    await rest();
    const moves = this.#said.splice(0);
    for (const move of moves) said.add(move);
    return moves.length > 0;
  }

  async #types() {
    for (const key of this.played.game.keys as TableKey<AtTable>[]) {
      for (const code of key.codes) if (await this.#works(key, code)) this.report.keys.add(key.shows);
    }
  }

  async #works({ press }: TableKey<AtTable>, code: string): Promise<boolean> {
    const letter = /^Key(.)$/.exec(code)?.[1]?.toLowerCase();
    if (press) {
      const meant = press(this.#at, { code, key: letter ?? code.slice(-1) });
      await rest();
      return meant;
    }
    const home = document.querySelector<HTMLElement>('[data-home][tabindex="0"]');
    if (!home) return false;
    // A button is pressed by Enter without anybody's help.
    if (code === 'Enter') return home instanceof HTMLButtonElement;
    home.focus();
    home.dispatchEvent(new KeyboardEvent('keydown', { key: code, bubbles: true, cancelable: true }));
    return document.activeElement !== home;
  }
}

const buttons = () => [...document.querySelectorAll<HTMLButtonElement>('.play button')];

/** How many buttons there are, and which of them are pressed in. */
const look = () =>
  `${buttons().length} ${[...document.querySelectorAll('.play [aria-pressed]')].map((b) => b.getAttribute('aria-pressed'))}`;

function note(list: string[], what: string) {
  if (!list.includes(what)) list.push(what);
}

/** Until the page has drawn, and everything that was promised has come. */
async function rest() {
  await tick();
  await tick();
}

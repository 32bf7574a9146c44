import type { Sound } from '../parts/sound';
import type { Frame, Phrase, Said } from '../wire/protocol';

/** Time and place, handed in: the page gives the browser's, a test its own. */
export interface Stage {
  /** How long a lid stays open for everyone to look, in milliseconds. */
  look(): number;
  now(): number;
  wait(ms: number): Promise<void>;
  /** The reader hears what happens, and wants to hear each sentence to its end. */
  listens?(): boolean;
  /** While nobody can be looking, for the page is hidden: that somebody looks again. */
  asleep(): Promise<void> | null;
  /** Pieces fly only where motion is wanted. */
  moving(): boolean;
}

/** A line of the visible log. */
export interface Line {
  id: number;
  said: Said;
}

/** Something that flies over the table, from one spot to another. */
export interface Flight {
  piece: string;
  from: string;
  to: string;
}
/** A flight, and how many milliseconds it takes. */
export interface Flying extends Flight {
  ms: number;
}
/** What the show needs of a game: how its frames are read and played. */
export interface Staged<S> {
  script: Script<S>;
  read(frame: Frame): S;
}
/** A frame, and the scene that it shows. */
interface Told<S> {
  frame: Frame;
  /** It came while nobody could look. */
  late: boolean;
  scene: S | null;
  script: Script<S>;
}

/** How a game is shown: what each of its events does to the scene `S`, between two frames. */
export interface Script<S> {
  /** The scene after the event of this number; `after` is how the frame says that the table lies in the end. */
  act(now: S, events: Said[], i: number, after: S): S;
  /** What flies when the event happens, if anything does. */
  flight(now: S, said: Said): Flight | null;
  /** How long a sentence takes, as a part of the time for looking; none where it is not named. */
  beats: Record<string, number>;
  /** The events at which all look: they are shown long enough, whatever waits, and nobody is taken past them. */
  looks: Set<string>;
  /** How long whoever is asked waits at most until the show is over, as a part of the time for looking; lids have their own. */
  patience: number;
  /** What is heard at an event. */
  sounds?: Record<string, Sound>;
  /** The place that the event brings before everyone's eyes, '' if none. */
  uncovers(said: Said): string;
  /** The places that lie open: they do not close before they could be looked at. */
  open(scene: S): Set<string>;
  /** A line of the log as it reads when only these places are open still. */
  faded(line: Line, open: Set<string>, scene: S | null): Line;
}

const tooMany = 100; // frames behind, more than two rounds: better to see how things stand than to watch a film of the past
const tooLong = 12; // events at once: the same
const longLog = 200;
const fly = 0.26; // as a part of the time for looking
/** How long a sentence is read aloud, in milliseconds. Nobody can tell; a voice at its usual speed takes so long for the longer ones. */
const sentence = 2500;
/** Nobody can see and remember in less what an open lid shows, in milliseconds. */
const glimpse = 1250;
/** How long a phrase stays beside whoever says it, in milliseconds. */
const spoken = 6000;
/** Whoever goes on so soon after something came into sight meant what was there before. */
const startle = 300;
/** Sentences that stand on the line together. */
const together = 2;

/**
 * The show: frames come in, and each is played in the order of its events, as the game's script says. What is uncovered
 * stays so long enough for everyone to look; then the screen and the log forget what was there. In the end all is
 * uncovered, and looked at before anything is said of it.
 */
export class Show<S = unknown> {
  /** The newest frame that has been played to its end. */
  frame = $state.raw<Frame | null>(null);
  /** What lies on the screen now. */
  scene = $state.raw<S | null>(null);
  /** The place that is being looked at. */
  fresh = $state('');
  flight = $state.raw<Flying | null>(null);
  telling = $state.raw<Said | null>(null);
  /** The same, and what was said just before it: sentences come faster than they are read. */
  told = $state.raw<Said[]>([]);
  /** How many turns have begun that are still to be shown. */
  behind = $state(0);
  /** Some of it came while nobody could look. */
  late = $state(false);
  /** The newest frame that came, which may be still to be shown. */
  newest = $state.raw<Frame | null>(null);
  log = $state.raw<Line[]>([]);
  /** What people say just now, each for some seconds; it waits for nothing that is shown. */
  phrases = $state.raw<Phrase[]>([]);
  busy = $state(false);
  /** When the asked seat's time is up, by this page's clock. */
  deadline = $state(0);

  #queue: Told<S>[] = [];
  #turned = new Map<string, number>();
  #lines = 0;
  /** When the reader, who is asked, has waited long enough. */
  #patience = Infinity;
  /** The reader has seen enough, until something comes at which all look. */
  #hurries = false;
  /** When that last came. */
  #looked = -Infinity;
  #go = () => {};

  constructor(
    private stage: Stage,
    private shelf: (game: string) => Staged<S>,
    private missed: () => void = () => {},
  ) {}

  /** The number of the last frame that came. */
  get seq() {
    return this.newest?.seq ?? 0;
  }

  /** On to what is next to be looked at, or to what the reader is asked: what is shown now he has seen. */
  next() {
    if (!this.busy || this.stage.now() - this.#looked < startle) return;
    this.#hurries = true;
    this.#go();
  }

  take(frame: Frame) {
    const last = this.newest;
    // Whoever comes anew sees how it stands, also where the house had to go on from before: a standby may lack the last moves.
    if (last && frame.seq < last.seq && !frame.log) return;
    if (last && frame.seq > last.seq + 1 && !frame.log) this.missed();
    const again = frame.seq === last?.seq;
    this.newest = frame;
    const { script, read } = this.shelf(frame.setup.game);
    const scene = frame.shown === undefined ? null : read(frame);
    const late = this.stage.asleep() !== null;
    const told = { frame: again ? { ...frame, events: [] } : frame, late, scene, script };
    // Nothing is to be shown of who comes and goes: whoever was about to press something finds it where it was.
    const rests = again && !this.busy && frame.state === last.state;
    if (!rests) this.#queue.push(told);
    this.#count();
    this.#patience = frame.moves.length ? this.stage.now() + this.stage.look() * script.patience : Infinity;
    this.deadline = frame.clock ? this.stage.now() + frame.clock.left : 0;
    if (rests) this.#settle(told);
    else if (!this.busy) void this.#run();
  }

  /** Somebody says a phrase, in the place of the one that he said before. */
  hear(phrase: Phrase) {
    this.phrases = [...this.phrases.filter(({ seat }) => seat !== phrase.seat), phrase];
    void this.stage.wait(spoken).then(() => (this.phrases = this.phrases.filter((one) => one !== phrase)));
  }

  async #run() {
    this.busy = true;
    for (let told = this.#queue.shift(); told; told = this.#queue.shift()) {
      const { frame, scene, script } = told;
      this.#count();
      const hidden = this.stage.asleep();
      if (hidden && this.frame && this.scene) await hidden;
      if (scene && !this.#skips(told)) await this.#play(told, scene);
      else {
        if (!frame.log) frame.events.forEach((said) => this.#write(said));
        if (scene && this.scene) await this.#hold(script, scene);
      }
      const ends = this.frame?.state === 'running' && frame.state === 'over';
      this.#settle(told);
      if (ends) this.#hurries = false;
      if (ends && scene) await this.#wait(this.stage.look());
    }
    this.#hurries = this.busy = false;
    this.told = [];
  }

  #count() {
    const turns = ({ frame }: Told<S>) => frame.events.filter(({ verb }) => verb === 'turn').length;
    this.late = this.#queue.some(({ late }) => late);
    this.behind = this.#queue.reduce((sum, told) => sum + turns(told), 0);
  }

  /** What came before the first look, or in too great a heap, is not played. */
  #skips({ frame }: Told<S>): boolean {
    if (!this.frame || !this.scene || this.#queue.length >= tooMany) return true;
    // After a short break the house tells in one frame what was missed.
    return frame.log ? frame.events.length > tooLong : frame.seq !== this.frame.seq + 1;
  }

  async #play(told: Told<S>, after: S) {
    const { events } = told.frame;
    for (const [i, said] of events.entries()) {
      if (told.script.looks.has(said.verb)) {
        this.#hurries = false;
        this.#looked = this.stage.now();
        this.told = [];
      }
      if (said.verb === 'turn') this.told = [];
      else {
        this.telling = said;
        this.told = [...this.told, said].slice(-together);
      }
      this.#write(said);
      await this.#act(told, after, i);
    }
    await this.#hold(told.script, after);
  }

  async #act({ frame: { events }, script, late }: Told<S>, after: S, i: number) {
    const said = events[i]!;
    const flight = this.stage.moving() ? script.flight(this.scene!, said) : null;
    const part = flight ? fly : (script.beats[said.verb] ?? 0);
    const shown = late ? 0 : this.#share(this.#time(part));
    const least = script.looks.has(said.verb) ? part * this.#glimpse() : 0;
    const ms = Math.max(shown, least, this.stage.listens?.() && said.verb !== 'turn' ? sentence : 0);
    this.flight = flight && ms > 0 && !this.#hurries ? { ...flight, ms } : null;
    this.scene = script.act(this.scene!, events, i, after);
    const place = script.uncovers(said);
    if (place) {
      this.fresh = place;
      this.#turned.set(place, this.stage.now());
    }
    await this.#wait(ms);
    this.flight = null;
  }

  #glimpse() {
    return Math.min(glimpse, this.stage.look());
  }

  /** Nothing closes before it could be looked at, however much is waiting and whoever waits: if the page was hidden meanwhile, once more. */
  async #hold(script: Script<S>, after: S) {
    const stays = script.open(after);
    const closing = [...script.open(this.scene!)].filter((at) => !stays.has(at));
    if (!closing.length) return;
    const past = this.stage.now() - Math.max(...closing.map((at) => this.#turned.get(at) ?? 0));
    await this.#wait(Math.max(this.#share(this.#time(1) - past), this.#glimpse() - past));
    for (let hidden = this.stage.asleep(); hidden; hidden = this.stage.asleep()) {
      await hidden;
      await this.#wait(this.#glimpse());
    }
  }

  #settle({ frame, scene, script }: Told<S>) {
    this.frame = frame;
    this.scene = scene;
    this.telling = null;
    if (frame.log) this.log = frame.log.slice(-longLog).map((said) => ({ id: this.#lines++, said }));
    const open = scene ? script.open(scene) : new Set<string>();
    if (!open.has(this.fresh)) this.fresh = '';
    for (const at of this.#turned.keys()) if (!open.has(at)) this.#turned.delete(at);
    for (const at of open) if (!this.#turned.has(at)) this.#turned.set(at, this.stage.now());
    if (frame.setup.aid !== 'all') this.log = this.log.map((line) => script.faded(line, open, scene));
  }

  #write(said: Said) {
    this.log = [...this.log, { id: this.#lines++, said }].slice(-longLog);
  }

  async #wait(ms: number) {
    if (ms <= 0 || this.#hurries) return;
    await Promise.race([this.stage.wait(ms), new Promise<void>((go) => (this.#go = go))]);
  }

  /** Whoever is asked waits no longer than a lid is looked at, but for what opens; what is still to be seen shares that time. */
  #share(ms: number): number {
    return Math.min(ms, (this.#patience - this.stage.now()) / (1 + this.#queue.length));
  }

  /** A part of the time for looking; less when more is waiting to be seen. */
  #time(part: number) {
    return (this.stage.look() * part) / (1 + 0.75 * this.#queue.length);
  }
}

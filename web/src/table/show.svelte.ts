import type { Frame, Said, Shown } from '../wire/protocol';
import { aboutPeople, act, flight, isOpen, type Flight } from '../dawn/scene';

/** Time and place, handed in: the page gives the browser's, a test its own. */
export interface Stage {
  /** How long a lid stays open for everyone to look, in milliseconds. */
  look(): number;
  now(): number;
  wait(ms: number): Promise<void>;
  /** Nobody can be looking: the page is hidden. */
  asleep(): boolean;
  /** Pieces fly only where motion is wanted. */
  moving(): boolean;
}

/** A line of the visible log. */
export interface Line { id: number; said: Said }

const tooMany = 8; // frames behind: better to see how things stand than to watch a film of the past
const tooLong = 12; // events at once: the same
const longLog = 200;

/** How long a sentence takes, as a part of the time for looking. */
const beats: Record<string, number> = {
  open: 0.3, occupied: 0.3, smell: 0.35, plague: 0.5, stake: 0.2, worn: 0.5, endplague: 0.3, win: 0.4, turn: 0.1,
  pass: 0.15, stop: 0.1, timeout: 0.2, believe: 0.25, doubt: 0.4, lift: 0.5, reserved: 0.5, another: 0.4,
};
const fly = 0.26;

/** What brings a grave before everyone's eyes. */
const uncovers = new Set(['open', 'lift', 'reserved', 'lose']);

/**
 * The show: frames come in, and each is played in the order of its events. A lid stays open long enough for everyone
 * to look; then it closes, and the screen and the log forget what was there.
 */
export class Show {
  /** The newest frame that has been played to its end. */
  frame = $state.raw<Frame | null>(null);
  /** What lies on the screen now. */
  scene = $state.raw<Shown | null>(null);
  /** The grave whose lid is being looked at. */
  fresh = $state('');
  flight = $state.raw<Flight | null>(null);
  telling = $state.raw<Said | null>(null);
  log = $state.raw<Line[]>([]);
  busy = $state(false);
  /** When the asked seat's time is up, by this page's clock. */
  deadline = $state(0);

  #queue: Frame[] = [];
  #newest: Frame | null = null;
  #turned = new Map<string, number>();
  #lines = 0;
  /** When the reader, who is asked, has waited long enough. */
  #patience = Infinity;

  constructor(
    private stage: Stage,
    private missed: () => void = () => {},
  ) {}

  /** The number of the last frame that came. */
  get seq() {
    return this.#newest?.seq ?? 0;
  }

  take(frame: Frame) {
    const last = this.#newest;
    if (last && frame.seq < last.seq) return;
    if (last && frame.seq > last.seq + 1 && !frame.log) this.missed();
    const again = frame.seq === last?.seq;
    this.#newest = frame;
    this.#queue.push(again ? { ...frame, events: [] } : frame);
    this.#patience = frame.moves?.length ? this.stage.now() + this.stage.look() : Infinity;
    this.deadline = frame.clock ? this.stage.now() + frame.clock.left : 0;
    if (!this.busy) void this.#run();
  }

  async #run() {
    this.busy = true;
    for (let frame = this.#queue.shift(); frame; frame = this.#queue.shift()) {
      if (!this.#skips(frame)) await this.#play(frame);
      this.#settle(frame);
    }
    this.busy = false;
  }

  /** What came before the first look, while nobody looked, or in too great a heap is not played. */
  #skips(frame: Frame) {
    const events = frame.events?.length ?? 0;
    // After a short break the house tells in one frame what was missed.
    const follows = this.frame !== null && (frame.log ? events <= tooLong : frame.seq === this.frame.seq + 1);
    if (follows && this.scene && frame.shown && !this.stage.asleep() && this.#queue.length < tooMany) return false;
    if (!frame.log) for (const said of frame.events ?? []) this.#write(said);
    return true;
  }

  async #play(frame: Frame) {
    const events = frame.events ?? [];
    for (const [i, said] of events.entries()) {
      if (said.verb !== 'turn') this.telling = said;
      this.#write(said);
      await this.#act(frame.shown!, events, i);
    }
    await this.#hold(frame.shown!);
  }

  async #act(after: Shown, events: Said[], i: number) {
    const said = events[i]!;
    this.flight = this.stage.moving() ? flight(this.scene!, said) : null;
    this.scene = act(this.scene!, events, i, after);
    if (uncovers.has(said.verb) && said.at) {
      this.fresh = said.at;
      this.#turned.set(said.at, this.stage.now());
    }
    await this.#pause(this.flight ? fly : (beats[said.verb] ?? 0));
    this.flight = null;
  }

  /** No lid closes before it could be looked at. */
  async #hold(after: Shown) {
    const stays = new Set(after.graves.filter(isOpen).map((g) => g.at));
    const closing = this.scene!.graves.filter((g) => isOpen(g) && !stays.has(g.at));
    const turned = Math.max(0, ...closing.map((g) => this.#turned.get(g.at) ?? 0));
    const left = turned + this.#time(1) - this.stage.now();
    await this.#wait(left);
  }

  #settle(frame: Frame) {
    this.frame = frame;
    this.scene = frame.shown;
    this.telling = null;
    if (frame.log) this.log = frame.log.slice(-longLog).map((said) => ({ id: this.#lines++, said }));
    const open = new Set(frame.shown?.graves.filter(isOpen).map((g) => g.at));
    if (!open.has(this.fresh)) this.fresh = '';
    for (const at of this.#turned.keys()) if (!open.has(at)) this.#turned.delete(at);
    if (frame.setup.aid !== 'all') this.log = this.log.map((line) => faded(line, open, frame.shown));
  }

  #write(said: Said) {
    this.log = [...this.log, { id: this.#lines++, said }].slice(-longLog);
  }

  async #pause(part: number) {
    await this.#wait(this.#time(part));
  }

  /** Whoever is asked waits no longer than a lid is looked at; what is still to be seen shares that time. */
  async #wait(ms: number) {
    const share = (this.#patience - this.stage.now()) / (1 + this.#queue.length);
    if (Math.min(ms, share) > 0) await this.stage.wait(Math.min(ms, share));
  }

  /** A part of the time for looking; less when more is waiting to be seen. */
  #time(part: number) {
    return (this.stage.look() * part) / (1 + 0.75 * this.#queue.length);
  }
}

/** A line forgets its place and what was seen there when the lid is closed: the log does not remember for you. */
export function faded(line: Line, open: Set<string>, shown: Shown | null = null): Line {
  const { at, what, ...kept } = line.said;
  if (at === undefined && what === undefined) return line;
  if (aboutPeople(line.said) || standsThere(line.said, shown)) return line;
  const stillOpen = at && /\d/.test(at) ? open.has(at) : open.size > 0;
  return stillOpen ? line : { id: line.id, said: kept };
}

/** A bat and the Count are seen where they are, and tell nothing of what lies below. */
const standsThere = ({ verb, at }: Said, shown: Shown | null) =>
  (verb === 'bat' && at === shown?.bat?.on) || (verb === 'count' && at === shown?.count?.on);

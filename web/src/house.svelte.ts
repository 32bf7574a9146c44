import { bytesToHex } from '@noble/hashes/utils.js';
import { forgetTables, give } from './fair/number';
import { route } from './route.svelte';
import { asleep, motion, settings } from './settings.svelte';
import { again } from './table/again';
import { staged, type Game, type Played } from './table/game';
import { Show } from './table/show.svelte';
import { earlyLine } from './wire/early';
import {
  beGuest,
  beNobody,
  codeOf,
  endOthers,
  endSession,
  hello,
  HttpRefusal,
  makeTable,
  myTables,
  takeWay,
} from './wire/http';
import { Line, type Wire } from './wire/line';
import { show as showPasskey } from './wire/passkey';
import {
  protocol,
  type Command,
  type Frame,
  type Guest,
  type Hello,
  type Refused,
  type Seat,
  type Setup,
  type TableCard,
} from './wire/protocol';

const reloadedKey = 'caveau.reloaded';

/** Where a house is, and how one speaks with it. */
export interface Door {
  /** Nobody's line tells what a watcher may know, whoever one is. `node`: by which one comes, '' by any. */
  dial(table: string, seat: Seat, nobody: boolean, node: string): Wire;
  hello(): Promise<Hello>;
  /** Where its tables are found. */
  at: string;
  /** It is in this page: a line leads to one table, with the eyes of whoever has the device, and nobody gives numbers to a deal. */
  within: boolean;
}

/** What nobody can guess. */
const drawn = () => bytesToHex(crypto.getRandomValues(new Uint8Array(16)));

const street: Door = { dial: (_table, _seat, nobody, node) => dial(nobody, node), hello, at: '/t/', within: false };

/** The house as this page knows it: who one is, the line to it, the lobby and the table one looks at. */
export class House {
  /** The games that this page can draw. */
  readonly games: Game[];
  hello = $state.raw<Hello | null>(null);
  guest = $state.raw<Guest | null>(null);
  lobby = $state.raw<TableCard[] | null>(null);
  up = $state(true);
  /** The address that the house gives as its own, where it answers and the line to it cannot be opened all the same; else ''. */
  barred = $state('');
  #answers = '';
  /** The table at which one has asked for another game. */
  #again = '';
  /** By what the house knows that it is one who tries again to come in; '' as long as one has not. */
  #try = '';
  /** The same while all other sessions are ended. */
  #ending = '';
  /** Whether somebody without a name only wants to look on. */
  watching = $state(false);
  trouble = $state.raw<Refused | null>(null);
  table = $state('');
  /** Whose eyes the page has, in a house that is in it; '' for everybody's around the device. */
  seat = $state<Seat>('');
  show = $state.raw<Show | null>(null);
  /** The table at which the game is to begin as soon as one is there. */
  starting = $state('');
  /** Why the table cannot be looked at. */
  closed = $state.raw<Refused | null>(null);

  /** One looks on at a big screen: what everybody in the room sees is nobody's hand. */
  #screen = false;
  /** The line to the house is nobody's, though one is somebody: he sits at the table that is on the screen. */
  #nobody = false;

  #line = new Line((node) => this.door.dial(this.table, this.seat, this.#nobody, node), {
    frame: (table, frame) => this.#frame(table, frame),
    phrase: (table, phrase) => table === this.table && settings.phrases && this.show?.hear(phrase),
    lobby: (cards) => {
      this.lobby = cards;
      this.#understood();
    },
    up: (up, tries) => this.#stands(up, tries),
    refused: (table, why) => table === this.table && (this.closed = why),
    reload: () => this.#reload(),
    ended: () => void this.open(),
  });

  constructor(
    games: Game[],
    readonly door: Door = street,
  ) {
    this.games = games;
  }

  /** The games that are played in the house and that this page can draw. */
  get shelf(): Played[] {
    return (this.hello?.games ?? []).flatMap((info) =>
      this.games.filter(({ name }) => name === info.name).map((game) => ({ game, info })),
    );
  }

  played(game: string): Played | undefined {
    return this.shelf.find(({ info }) => info.name === game);
  }

  get bots(): string[] {
    return this.hello?.bots ?? [];
  }

  /** Asks the house who one is, and opens a line as whoever that is. */
  async open() {
    try {
      const was = this.guest;
      this.hello = await this.door.hello();
      if (this.#ending && !this.hello.guest) await this.#comeBack();
      this.guest = this.hello.guest;
      if (was && was.id !== this.guest?.id) forgetTables();
      this.trouble = null;
      if (!this.door.within) this.#dial();
    } catch (error) {
      this.trouble = codeOf(error);
      setTimeout(() => this.open(), 2000);
    }
  }

  /** Takes a name, by an invitation where that is wanted, and a new line that bears it. */
  async be(name: string, invitation?: string) {
    this.#try ||= drawn();
    const guest = await beGuest(name, this.#try, invitation);
    // Whose browser keeps no cookie is nobody at his next word, however he was greeted.
    const said = await hello();
    if (!said.guest) throw new HttpRefusal({ code: 'no_cookie' });
    this.#try = '';
    this.hello = said;
    this.guest = guest;
    this.#line.connect();
  }

  /** Has his name erased; from then on he is nobody. */
  async forget() {
    await beNobody();
    this.guest = null;
    forgetTables();
    await this.open();
  }

  /** Is whoever a passkey says from now on. */
  async come() {
    await showPasskey();
    await this.open();
  }

  /** Is the guest of another device from now on, by a link that he made there. */
  async follow(code: string) {
    await takeWay(code);
    await this.open();
  }

  /** Ends the session of this browser. */
  async leave() {
    await endSession();
    await this.open();
  }

  /** Ends those of all other browsers that are the same guest. */
  async stayAlone() {
    this.#ending = drawn();
    let unheard: unknown = null;
    await endOthers(this.#ending).catch((error) => (unheard = error));
    await this.open();
    if (unheard && (this.#ending || !this.guest)) throw unheard;
    this.#ending = '';
  }

  /** All sessions of one's have ended, this one too, and the cookie of the next has not come. */
  async #comeBack() {
    try {
      await takeWay(this.#ending);
    } catch (error) {
      if (codeOf(error).code === 'unreachable') throw error;
    }
    this.#ending = '';
    this.hello = await this.door.hello();
  }

  /** A house for invited people has no line for strangers. */
  #dial() {
    if (this.hello?.uninvited) this.#line.stop();
    else this.#line.connect();
  }

  /** Has a table made, and goes there; where nobody is to be waited for the game begins at once. */
  async found(setup: Setup) {
    const { table } = await makeTable(setup);
    if (Object.keys(setup.places ?? {}).length === setup.seats) this.starting = table;
    const sits = !setup.places || Object.values(setup.places).includes('me');
    route.go(`/t/${table}${sits ? '' : '/screen'}`);
  }

  watch(table: string) {
    this.table = table;
    this.closed = null;
    this.#screen = false;
    const show = new Show(
      stage,
      (game) => staged(this.played(game)!),
      () => this.#line.again(table),
    );
    this.show = show;
    this.#line.watch(table, () => show.seq);
    if (this.door.within) this.#line.connect();
  }

  /** Has the device handed on to whoever sits there, in a house that is in the page: what comes from now on is for his eyes. */
  pass(seat: Seat) {
    this.seat = seat;
    this.#line.connect();
  }

  /** Shows a table on a big screen, as a watcher sees it: to its host by a line of his own, to whoever sits there by nobody's. */
  async present(table: string) {
    this.table = table;
    const sits = this.guest && (await myTables().then((mine) => mine.some((m) => m.table === table && m.you), always));
    if (this.table !== table) return; // he has gone on meanwhile
    if (sits) this.#withdraw(); // before anything is asked for by a line that is his
    this.watch(table);
    this.#screen = true;
  }

  #withdraw() {
    this.#nobody = true;
    this.#line.connect();
  }

  unwatch(table: string) {
    this.#line.unwatch(table);
    if (this.table === table) [this.show, this.table] = [null, ''];
    if (this.door.within) return this.#line.stop();
    if (!this.#nobody) return;
    this.#nobody = false;
    this.#dial();
  }

  wantLobby(wanted: boolean) {
    this.#line.lobby(wanted);
  }

  async say(command: Command): Promise<Refused | null> {
    if (command.do === 'rematch') this.#again = command.table;
    const answer = await this.#line.say(command);
    return answer.error ?? null;
  }

  awake() {
    if (this.hello && !this.hello.uninvited && !document.hidden) this.#line.check();
  }

  online() {
    if (this.hello && !this.hello.uninvited) this.#line.connect();
  }

  offline() {
    this.#line.lost();
  }

  /** A house that answers before a try and is not to be had by it either is not down: something is in the way. */
  #stands(up: boolean, tries: number) {
    this.up = up;
    if (tries < 2) this.#answers = '';
    this.barred = this.#answers;
    if (tries < 2 || this.door.within) return;
    void hello().then(
      (said) => {
        this.#answers = this.up ? '' : said.origin;
        if (said.uninvited) this.#shut(said);
      },
      () => (this.#answers = this.barred = ''),
    );
  }

  /** The house has been shut to strangers, and one is a stranger. */
  #shut(said: Hello) {
    this.#line.stop();
    this.hello = said;
    this.up = true;
    this.watching = false;
  }

  #frame(table: string, frame: Frame) {
    this.#understood();
    if (this.#screen && table === this.table && frame.you) return this.#withdraw(); // he has sat down elsewhere
    const word = this.door.within ? null : give(table, frame);
    if (word) void this.say(word);
    if (table !== this.table) return;
    // What this page cannot draw a newer one can.
    if (!this.played(frame.setup.game)) return void (this.closed = { code: 'reload' });
    this.closed = null;
    this.show?.take(frame);
    if (frame.next && this.#again === table) route.go(again(frame, this.door.at, this.#screen));
  }

  /** The house and this page speak alike: should that change, the page may load again. */
  #understood() {
    sessionStorage.removeItem(reloadedKey);
  }

  #reload() {
    if (sessionStorage.getItem(reloadedKey)) this.trouble = { code: 'reload' };
    else {
      sessionStorage.setItem(reloadedKey, 'once');
      location.reload();
    }
  }
}

const stage = {
  look: () => settings.look,
  listens: () => settings.listens,
  now: () => performance.now(),
  wait: (ms: number) => new Promise<void>((done) => setTimeout(done, ms)),
  asleep,
  moving: motion,
};

const always = () => true;

function dial(nobody: boolean, node: string): Wire {
  const early = nobody || node ? undefined : earlyLine();
  if (early) return early;
  const url = new URL(`/ws?protocol=${protocol}${nobody ? '&guest=none' : ''}`, location.href);
  if (node) url.searchParams.set('node', node);
  url.protocol = url.protocol.replace('http', 'ws');
  return new WebSocket(url) as unknown as Wire;
}

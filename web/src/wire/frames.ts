import { lookalikes } from './alike';
import type { About, Agreed, Frame, Outcome, Proposal, Said, Seal, Sitter } from './protocol';

// A message leaves out whatever is as it mostly is, and says what a table is only when that has changed. Here it becomes
// a whole frame again; nobody behind this file needs to know.

/** A frame as it is said. */
export interface Terse extends Partial<Omit<Frame, keyof About | 'seq' | 'events' | 'log' | 'outcome'>> {
  seq: number;
  about?: TerseAbout;
  events?: Partial<Said>[];
  log?: Partial<Said>[];
  outcome?: Partial<Outcome>;
}
interface TerseAbout extends Partial<Pick<About, 'watchers' | 'waits' | 'next'>>, Pick<About, 'state'> {
  setup: Partial<Agreed> & Pick<Agreed, 'game' | 'seats'>;
  seats?: (Partial<Sitter> & Pick<Sitter, 'seat'>)[];
  seal?: Partial<Seal> & Pick<Seal, 'seal'>;
  host?: string;
  proposal?: Partial<Proposal> & Pick<Proposal, 'seq' | 'do' | 'name'>;
}

const agreed = {
  edition: '',
  first: '',
  options: {},
  choices: {},
  aid: '' as const,
  moveTime: 0,
  awayTime: 0,
  listed: false,
};
const sitter = { name: '', bot: '', nameless: false, here: false, host: false, standin: false };

const event = (said: Partial<Said>): Said => ({ seat: '', verb: '', to: '', rule: '', ...said });

function sealed({ numbers, ...seal }: NonNullable<TerseAbout['seal']>): Seal {
  return {
    version: 'caveau-deal/1',
    called: false,
    failed: [],
    ...seal,
    ...(numbers && { numbers: numbers.map((one) => ({ ...one, number: one.number ?? null })) }),
  };
}

function about({
  state,
  setup,
  seats = [],
  watchers = 0,
  waits = false,
  seal,
  next = '',
  host = '',
  proposal,
}: TerseAbout): About {
  const sitters = seats.map((one) => ({ ...sitter, ...one }));
  const alike = lookalikes(sitters);
  return {
    state,
    setup: { ...agreed, ...setup },
    seats: sitters.map((one, i) => (alike.has(i) ? { ...one, alike: true } : one)),
    watchers,
    waits,
    seal: seal ? sealed(seal) : null,
    next,
    hostName: host,
    proposal: proposal ? { by: '', seat: '', asked: [], agreed: [], ...proposal } : null,
  };
}

/** What was last said of each table. */
export class Frames {
  #about = new Map<string, About>();

  /** The whole frame; null where nobody has said yet what the table is: it is to be asked for again. */
  whole(table: string, { about: news, ...said }: Terse): Frame | null {
    if (news) this.#about.set(table, about(news));
    const known = this.#about.get(table);
    if (!known) return null;
    const { events = [], log, outcome, ...rest } = said;
    return {
      ...{ you: '', host: false, turn: '', moves: [], asked: '', cites: '', clock: null },
      ...known,
      ...rest,
      events: events.map(event),
      log: log ? log.map(event) : null,
      outcome: outcome || known.state === 'over' ? { winners: [], why: '', scores: [], ...outcome } : null,
    };
  }

  forget(table: string) {
    this.#about.delete(table);
  }
}

import { House } from '../house.svelte';
import { filmOf, type Told } from '../fair/engine';
import { language, t } from '../messages/language.svelte';
import { route } from '../route.svelte';
import type { Game } from '../table/game';
import { Device } from '../pocket/device';
import { answersFor, recordText } from '../wire/http';
import { protocol, type Hello, type Seat } from '../wire/protocol';
import type { Reel } from './replay';

/** The house in this page. */
export const device = new Device();
/** Another one, in which lessons are given: nothing is kept of them. */
export const school = new Device(false);

/** The house in this page as a table's page knows a house: with eyes of its own, and a line of its own. */
export function within(games: Game[], seat: Seat = '', of = device): House {
  const house = new House(games, {
    at: '/here/',
    within: true,
    dial: (table, seat) => of.dial(table, seat),
    hello: async (): Promise<Hello> => ({
      ...(await of.open()),
      ...{ protocol, version: '', guest: null, origin: '', passkeys: '', keepPlayed: 0 },
    }),
  });
  house.seat = seat;
  return house;
}

/** A game of this device that is over, as it is played again. */
export const reelOf = (table: string): Reel => ({
  at: `/here/${table}/replay`,
  read: async () => recordText(await device.record(table)),
  replay: async (eyes) => filmOf(await device.replay<Told>(table, eyes)),
  goOn: async ({ places, ...setup }) => {
    const bots = Object.fromEntries(Object.entries(places!).filter(([, who]) => who !== 'me'));
    route.go(
      `/here/${await device.make({ ...setup, places: bots, language: language.now }, { A: t('here.named', { seat: 'A' }) })}`,
    );
  },
});

/** Makes somebody's move at a table of that house, by a line of his own, which is hung up when he is answered. */
export function playFor(of: Device, table: string, seat: Seat, seq: number, move: string) {
  const wire = of.dial(table, seat);
  const id = 'move';
  wire.onopen = () => wire.send(JSON.stringify({ id, do: 'play', table, seat, seq, move }));
  wire.onmessage = ({ data }) => (JSON.parse(data) as { re?: string }).re === id && wire.close();
}

/** Of this table the house in the page is asked, as long as somebody is there. */
export function asksHere(table: string, seat: () => Seat) {
  answersFor(table, (what) => device.ask({ what, table, seat: seat() }));
  return () => void answersFor(table, null);
}

import { House } from '../house.svelte';
import type { Game } from '../table/game';
import { Device } from '../pocket/device';
import { answersFor } from '../wire/http';
import { protocol, type Hello, type Seat } from '../wire/protocol';

/** The one house in this page. */
export const device = new Device();

/** The house in this page as a table's page knows a house: with eyes of its own, and a line of its own. */
export function within(games: Game[], seat: Seat = ''): House {
  const house = new House(games, {
    at: '/here/',
    within: true,
    dial: (table, seat) => device.dial(table, seat),
    hello: async (): Promise<Hello> => ({
      ...(await device.open()),
      ...{ protocol, version: '', guest: null, origin: '', passkeys: '', keepPlayed: 0 },
    }),
  });
  house.seat = seat;
  return house;
}

/** Of this table the house in the page is asked, as long as somebody is there. */
export function asksHere(table: string, seat: () => Seat) {
  answersFor(table, (what) => device.ask({ what, table, seat: seat() }));
  return () => void answersFor(table, null);
}

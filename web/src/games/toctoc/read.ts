import type { Frame } from '../../wire/protocol';
import type { Scene } from './scene';
import type { Hand, Knock, Parties, Worth } from './types';

/** `shown` as a frame says it: what is nothing, empty or 0 it leaves out. */
interface Shown {
  hands: Partial<Hand>[];
  parties: string[][];
  scores: number[];
  worth: Partial<Worth>[];
  pile?: Partial<Parties['pile']>;
  gone?: string[];
  turn: string;
  knock?: Partial<Knock> | null;
}

/** What the reader alone sees: his hand, and the card that he has knocked with, until it is answered. */
interface Own {
  hand?: string[];
  card?: string;
}

const nothing: Worth = { monster: 0, ghost: 0, vampire: 0, scarecrow: 0 };

/** The scene that a frame shows. */
export function read({ shown, own }: Pick<Frame, 'shown' | 'own'>): Scene {
  const said = shown as Shown;
  const { hand = [], card = '' } = (own ?? {}) as Own;
  return {
    hand,
    hands: said.hands.map((of) => ({
      cards: of.cards ?? 0,
      drawn: of.drawn ?? 0,
      recall: of.recall ?? [],
      held: of.held ?? [],
    })),
    parties: said.parties,
    scores: said.scores,
    worth: said.worth.map((of) => ({ ...nothing, ...of })),
    pile: { left: 0, top: '', cards: [], ...said.pile },
    gone: said.gone ?? [],
    turn: said.turn,
    knock: said.knock ? { from: '', to: '', host: '', ...said.knock, card: said.knock.card || card } : null,
  };
}

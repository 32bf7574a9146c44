import { maybe, t } from './words';
import type { Said, Seat } from '../../wire/protocol';
import { rankOf } from './scene';

/** The name of a card. */
export const cardName = (card: string) => maybe(`card.${card}`, card);

/** A card and what it does. */
export const does = (card: string) => {
  const values = { card: cardName(card) };
  return maybe(`does.${rankOf(card) || card}`, t('does.plain', values), values);
};

/** What happened at the doors, as a sentence. What the event no longer knows, the sentence does not say. */
export function sentence(said: Said, name: (seat: Seat) => string): string {
  const { what = '', verb, n = 0 } = said;
  const values = {
    name: name(said.seat),
    to: name(said.to),
    n,
    card: cardName(what),
    guests: maybe(`guests.${what}`, '', { n }),
  };
  return (what && maybe(`toc.${verb}.known`, '', values)) || maybe(`toc.${verb}`, '', values);
}

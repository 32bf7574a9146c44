import { maybe, t } from './words';
import type { Said, Seat } from '../../wire/protocol';
import type { Grave, Row } from './types';

/** What happened at a cemetery, as a sentence. What the event no longer knows, the sentence does not say. */
export function sentence(said: Said, name: (seat: Seat) => string): string {
  const of = said.what?.split(' ').at(-1) ?? '';
  const values = {
    name: name(said.seat),
    to: name(said.to),
    at: said.at ?? '',
    n: said.n ?? 0,
    lid: maybe(`lid.${of}`, ''),
    vampire: maybe(`sleeper.${of}`, ''),
    whom: maybe(`whom.${of}`, ''),
    holds: holding(said.what ?? '', name),
  };
  const faded = said.at || said.what ? '' : maybe(`faded.${said.verb}`, '', values);
  return faded || maybe(said.verb === 'take' ? `say.take.${said.at}` : `say.${said.verb}`, '', values);
}

/** What lies in a grave, for whoever hears instead of sees. */
export function holding(holds: string, name: (seat: Seat) => string): string {
  const [kind, of = ''] = holds.split(' ');
  if (kind === 'vampire') return maybe(`sleeper.${of}`, of);
  return kind === 'garlic' ? t('garlic.of', { name: name(of) }) : t('grave.empty');
}

/** A grave's name on its button. */
export function graveName(grave: Grave, name: (seat: Seat) => string): string {
  const { at, lid, under, holds, mark, recall } = grave;
  if (lid === 'none') return t('grave.bare', { at });
  if (lid === 'lifted') return t('grave.lifted', { at, holds: holding(holds, name) });
  if (lid === 'open') return t('grave.open', { at, lid: maybe(`lid.${under}`, ''), holds: holding(holds, name) });
  const seen = recall && { at, lid: maybe(`lid.${recall.under}`, ''), holds: holding(recall.holds, name) };
  if (seen) return t('grave.recall', seen);
  return t(mark ? 'grave.marked' : 'grave.closed', { at });
}

/** A row, for whoever hears instead of sees. */
export function reads({ left, down, right }: Row): string {
  const named = (line: Row['left']) => line.map((colour) => t(`colour.${colour}`)).join(', ');
  return t('row.reads', { left: named(left), n: down, right: named(right) });
}

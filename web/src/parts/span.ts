import { language, t } from '../messages/language.svelte';

export const day = 86_400;

/** A time that people agree on, in seconds. */
export function span(seconds: number): string {
  if (seconds >= day) return t('span.days', { n: seconds / day });
  return seconds < 60 ? t('seconds', { n: seconds }) : t('minutes', { n: seconds / 60 });
}

/** How long one has for a move. */
export const pace = (seconds: number) =>
  seconds >= day ? t('move.days.is', { n: seconds / day }) : t('move.time.is', { n: seconds });

const unit = (n: number, of: 'day' | 'hour' | 'minute', unitDisplay: 'narrow' | 'long') =>
  new Intl.NumberFormat(language.now, { style: 'unit', unit: of, unitDisplay }).format(n);

/** What is left of hours and days, as a clock shows it or as it is said: two units of it. */
export function left(seconds: number, how: 'narrow' | 'long'): string {
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return seconds >= day
    ? `${unit(Math.floor(hours / 24), 'day', how)} ${unit(hours % 24, 'hour', how)}`
    : `${unit(hours, 'hour', how)} ${unit(minutes % 60, 'minute', how)}`;
}

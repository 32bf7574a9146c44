import { language } from '../messages/language.svelte';

/** When that was, as a clock shows it; with the day where it was another one. */
export function clock(at: string): string {
  const date = new Date(at);
  const today = date.toDateString() === new Date().toDateString();
  const time = { hour: '2-digit', minute: '2-digit' } as const;
  const day = { day: 'numeric', month: 'short' } as const;
  return new Intl.DateTimeFormat(language.now, today ? time : { ...day, ...time }).format(date);
}

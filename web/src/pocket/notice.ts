// What a reader is told of a table whose page is closed. The service worker knows no other language than these, and no game.

/** As the house says it (package crier). */
export interface Called {
  table: string;
  game: string;
  /** What people call it. */
  title: string;
  why: 'begun' | 'turn' | 'late';
  until?: string;
  language: 'en' | 'fr' | 'ru';
}

type Said = Record<Called['why'] | 'until', string>;

export const notices: Record<Called['language'], Said> = {
  en: {
    begun: 'The game begins',
    turn: 'It is your turn',
    late: 'Your time is nearly over',
    until: 'You have until {when}.',
  },
  fr: {
    begun: 'La partie commence',
    turn: 'C’est à toi',
    late: 'Ton temps est presque écoulé',
    until: 'Tu as jusqu’à {when}.',
  },
  ru: {
    begun: 'Игра начинается',
    turn: 'Ваш ход',
    late: 'Ваше время почти вышло',
    until: 'У вас есть время до {when}.',
  },
};

/** How the end of one's time is written, by which day it is too. */
const time: Intl.DateTimeFormatOptions = { weekday: 'long', hour: '2-digit', minute: '2-digit' };
const days: Record<Called['language'], (when: Date, weekday: string, hour: string) => string> = {
  en: (_, weekday, hour) => `${weekday}, ${hour}`,
  fr: (_, weekday, hour) => `${weekday} à ${hour}`,
  ru: (when, _, hour) => `${hour}, ${new Intl.DateTimeFormat('ru', { day: 'numeric', month: 'long' }).format(when)}`,
};

function at(when: Date, language: Called['language']): string {
  const parts = new Intl.DateTimeFormat(language, time).formatToParts(when);
  const weekday = parts.find(({ type }) => type === 'weekday')!.value;
  const hour = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit' }).format(when);
  return days[language](when, weekday, hour);
}

/** The words of a notice. */
export function words({ title, why, until, language }: Called): { title: string; body: string } {
  const said = notices[language];
  const named = `${title}.`;
  const body =
    until && why !== 'begun' ? `${named} ${said.until.replace('{when}', at(new Date(until), language))}` : named;
  return { title: said[why], body };
}

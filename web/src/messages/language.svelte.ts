import { en } from './en';
import { fr } from './fr';
import { ru } from './ru';
import { format, type Message, type Values } from './format';

export type Key = keyof typeof en;
export const languages = { en, fr, ru } satisfies Record<string, Record<Key, Message>>;
export type Language = keyof typeof languages;

/** Every language by its own name, so that it is found by whoever reads no other. */
export const ownNames: Record<Language, string> = { en: 'English', fr: 'Français', ru: 'Русский' };

const isLanguage = (word: string | null | undefined): word is Language => !!word && word in languages;

/** The language that this browser asked for, as far as the house speaks it. */
export function preferred(wanted: readonly string[]): Language {
  return wanted.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? 'en';
}

const kept = 'caveau.language';

function remembered(): Language {
  const word = localStorage.getItem(kept);
  return isLanguage(word) ? word : preferred(navigator.languages);
}

let spoken = $state<Language>(remembered());

export const language = {
  get now() {
    return spoken;
  },
  speak(word: Language) {
    spoken = word;
    localStorage.setItem(kept, word);
  },
};

/** The sentences of one part of the house in every language: whatever stands in one of them stands in all. */
type Dictionary<K extends string> = Record<Language, Record<K, Message>>;

/** What a part of the house can say: its own sentences, and those that are common to all. */
export interface Words<K extends string = never> {
  /** The sentence under this key, in the reader's language. */
  t(key: K | Key, values?: Values): string;
  /** The same for a key that is put together; without such a sentence, what `otherwise` says. */
  maybe(key: string, otherwise: string, values?: Values): string;
  /** Its own sentences. */
  own: Dictionary<K>;
}

/** The words of a part of the house that brings sentences of its own. */
export function words<E extends Record<string, Message>>(
  own: { en: E } & Dictionary<keyof E & string>,
): Words<keyof E & string> {
  const find = (key: string): Message | undefined =>
    (own[spoken] as Record<string, Message>)[key] ?? (languages[spoken] as Record<string, Message>)[key];
  const maybe = (key: string, otherwise: string, values?: Values) => {
    const message = find(key);
    return message === undefined ? otherwise : format(message, spoken, values);
  };
  return { t: (key, values) => maybe(key, '', values), maybe, own };
}

/** The sentences that are common to all. */
export const common: Words = words<Record<never, Message>>({ en: {}, fr: {}, ru: {} });
export const { t, maybe } = common;

export const list = (words: string[]): string => new Intl.ListFormat(spoken).format(words);
/** What bots are called, each in its place; package names of the house keeps people from being called so. */
export const botNames = (): string[] => languages[spoken]['bot.names'] as string[];
/** What those at the table of a lesson are called: the learner, a man and a woman. */
export const lessonNames = (): string[] => languages[spoken]['lesson.names'] as string[];
export const namesToTry = (): string[] => languages[spoken]['name.suggestions'] as string[];

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

/** The sentence under this key, in the reader's language. */
export const t = (key: Key, values?: Values): string => format(languages[spoken][key], spoken, values);

/** The same for a key that is put together; without such a sentence, what `otherwise` says. */
export function maybe(key: string, otherwise: string, values?: Values): string {
  return key in en ? t(key as Key, values) : otherwise;
}

/** What a table plays by: an edition where its game has several, else the game. */
export const rulebook = ({ game, edition }: { game: string; edition: string }): string =>
  edition ? maybe(`edition.${edition}`, edition) : maybe(`game.${game}`, game);

export const list = (words: string[]): string => new Intl.ListFormat(spoken).format(words);
export const namesToTry = (): string[] => languages[spoken]['name.suggestions'] as string[];

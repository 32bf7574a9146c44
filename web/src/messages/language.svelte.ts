import type { en } from './en';
import { format, type Message, type Values } from './format';
import type { Key, Tongue } from './tongue';

export type { Key };

/** Every language by its own name, so that it is found by whoever reads no other. */
export const ownNames = { en: 'English', fr: 'Français', ru: 'Русский' };
export type Language = keyof typeof ownNames;

const isLanguage = (word: string | null | undefined): word is Language => !!word && word in ownNames;

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
  /** From now on, or as soon as its sentences have come; where they do not come, when the page is loaded again. */
  speak(word: Language) {
    localStorage.setItem(kept, word);
    if (here.has(word)) spoken = word;
    else
      fetchLanguage(word).then(
        () => remembered() === word && (spoken = word),
        () => {},
      );
  },
};

/** The sentences of one part of the house in every language: whatever stands in one of them stands in all. */
type Dictionary<K extends string> = Record<Language, Record<K, Message>>;

const tongues: Record<Language, () => Promise<{ tongue: Tongue }>> = {
  en: () => import('./tongues/en'),
  fr: () => import('./tongues/fr'),
  ru: () => import('./tongues/ru'),
};
/** The languages that are here, and what is said in them. */
const here = new Map<Language, Tongue>();
const parts: ((word: Language, tongue: Tongue) => void)[] = [];

/** Fetches a language: nothing can be said before the first one is here, and only what a reader reads is, since all others are a third of the page. */
export async function fetchLanguage(word: Language) {
  const { tongue } = await tongues[word]();
  here.set(word, tongue);
  for (const part of parts) part(word, tongue);
}

/** Fetches what the reader reads; where that does not come, what he may read. */
export async function fetchFirst() {
  const others = (Object.keys(ownNames) as Language[]).filter((word) => word !== spoken);
  for (const word of [spoken, ...others])
    try {
      await fetchLanguage(word);
      return void (spoken = word);
    } catch {
      // the next one
    }
  throw new Error('no language came');
}

/** The sentences of a part in the languages that are here, and in others when they come. */
function sentences<E extends Record<string, Message>>(of: (word: Language, tongue: Tongue) => object | undefined) {
  const own = {} as { en: E } & Dictionary<keyof E & string>;
  const part = (word: Language, tongue: Tongue) => void Object.assign(own, { [word]: of(word, tongue) });
  parts.push(part);
  here.forEach((tongue, word) => part(word, tongue));
  return own;
}

/** What a game says, whose sentences stand in its folder. */
export const said = <E extends Record<string, Message>>(game: string) =>
  sentences<E>((word, { games }) => games[`../../games/${game}/messages/${word}.ts`]);

/** The sentences that are common to all. */
export const languages = sentences<typeof en>((_, { page }) => page);

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

export const common: Words = words<Record<never, Message>>({ en: {}, fr: {}, ru: {} });
export const { t, maybe } = common;

export const list = (words: string[]): string => new Intl.ListFormat(spoken).format(words);
/** What bots are called, each in its place; package names of the house keeps people from being called so. */
export const botNames = (): string[] => languages[spoken]['bot.names'] as string[];
/** What those at the table of a lesson are called: the learner, a man and a woman. */
export const lessonNames = (): string[] => languages[spoken]['lesson.names'] as string[];
export const namesToTry = (): string[] => languages[spoken]['name.suggestions'] as string[];

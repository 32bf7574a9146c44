import type { Component } from 'svelte';
import type { Words } from '../messages/language.svelte';
import type { Agreed, Frame, Info } from '../wire/protocol';
import type { AtTable, Here, Say } from './at.svelte';
import type { TableKey } from './keys';
import type { Lessons } from './lesson';
import type { Script, Show, Staged } from './show.svelte';

/** A part of the set-up page: `count` words are chosen, in the game's own way. */
export interface Choosing {
  words: string[];
  count: number;
  info: Info;
}

/** What the end tells of everyone: how often he did something of this, or it was done to him, by the verbs of events. */
export interface Deed {
  /** The key of its sentence. */
  name: string;
  did?: string[];
  had?: string[];
}

/* eslint-disable @typescript-eslint/no-explicit-any -- a shelf holds games of many kinds, and each reads its own scene alone */

/** All that the page knows of one game. `S` is its scene: what lies on the table. */
export interface Game<S = any> {
  /** As the house names it. */
  name: string;
  words: Words;
  /** Its rulebooks by their short names, the one on which the others lean first. */
  books: string[];
  /** The scene that a frame shows, with all that the frame leaves out because it is as at the start. */
  read(frame: Frame, info: Info): S;
  script: Script<S>;
  At: new (table: string, show: Show<S>, here: Here, say: Say, me: () => string) => AtTable<S>;
  keys: TableKey<any>[];
  Board: Component<{ at: any }>;
  /** The same for a big screen: what everybody sees, in letters and pieces that are read across a room. Absent: the board as it is. */
  Screen?: Component<{ at: any }>;
  /** How the end came about. */
  Result: Component<{ at: any }>;
  /** What is counted of everyone in the end. */
  deeds: Deed[];
  /** The game in a few words. */
  Help: Component;
  /** One piece, named as the frame names it. */
  Piece: Component<{ piece: string }>;
  /** Its figures as symbols, once for the page. */
  Pictures: Component;
  /** How one of the choices that its set-up asks for is made, by its name. */
  choosing?: Record<string, Component<Choosing>>;
  /** A seat has something of its own that the others may not see: a device is handed on behind a curtain. */
  hands?: boolean;
  /** Pieces that greet whoever comes in. */
  greeters?: string[];
  /** Pieces that dance when it is over. */
  dancers?: string[];
  /** How it is learned, a lesson a rulebook; fetched when somebody wants to. */
  lessons?: () => Promise<Lessons>;
  /** Verbs of which nothing is said, and why. */
  silent?: Record<string, string>;
}

/** A game of this page together with what the house says of it. */
export interface Played {
  game: Game;
  info: Info;
}

/** What a table has agreed on besides what every table has, as sentences: `option.NAME.is` of its game. */
export function terms({ words }: Pick<Here, 'words'>, { options }: Agreed): string[] {
  return Object.entries(options).flatMap(([name, n]) => words.maybe(`option.${name}.is`, '', { n }) || []);
}

/** How the show reads and plays a game's frames. */
export const staged = ({ game, info }: Played): Staged<unknown> => ({
  script: game.script,
  read: (frame) => game.read(frame, info),
});

/** A reader comes to a table at which this is played. */
export const comes = (
  { game, info }: Played,
  table: string,
  show: Show,
  say: Say,
  me = () => '',
  within = false,
): AtTable => new game.At(table, show, { info, words: game.words, keys: game.keys, within }, say, me);

import { cleanup, render } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, expect, test } from 'vitest';
import { games } from '#games';
import { Course } from '../src/learn/course.svelte';
import { words, type Words } from '../src/messages/language.svelte';
import type { AtTable } from '../src/table/at.svelte';
import { comes, staged, type Game } from '../src/table/game';
import type { Lesson } from '../src/table/lesson';
import Play from '../src/table/Play.svelte';
import { Show } from '../src/table/show.svelte';
import { recorded } from './recorded';

// Whoever does what a lesson says, and presses what it lights, comes to its end; over frames that Go recorded along its record.

const played = recorded('lesson').map((one) => {
  const { edition, game } = one.frames[0]!.setup;
  return { ...one, name: edition || game };
});
const lessons: [string, Game, Lesson, Words][] = [];
for (const game of games) {
  const brought = await game.lessons?.();
  for (const lesson of brought?.lessons ?? []) lessons.push([lesson.name, game, lesson, words(brought!.own)]);
}

afterEach(cleanup);

test('each recorded lesson is one of a game’s, and the other way round', () => {
  expect(lessons.map(([name]) => name).sort()).toEqual(played.map(({ name }) => name).sort());
});

test.each(lessons)('%s plays its record, and says all its sentences', (name, game, { steps, record }, said) => {
  expect(record.game).toBe(game.name);
  expect(game.books).toContain(name);
  expect(steps.flatMap(({ moves = [] }) => moves)).toEqual(record.moves);
  for (const { says } of steps) expect(Object.keys(said.own.en), says).toContain(says);
  expect(new Set(steps.map(({ says }) => says)).size).toBe(steps.length);
});

test('no sentence of a lesson is left over', () => {
  const said = new Set(lessons.flatMap(([name, , { steps }]) => [`what.${name}`, ...steps.map(({ says }) => says)]));
  const known = new Set(lessons.flatMap(([, , , { own }]) => Object.keys(own.en)));
  expect([...known].sort()).toEqual([...said].sort());
});

test.each(lessons)('%s comes to its end by what it lights', async (name, game, lesson, said) => {
  const pupil = new Pupil(name, game, lesson, said);
  await pupil.comes();
  while (!pupil.course.over) await pupil.learns();
  expect(pupil.made).toEqual(lesson.record.moves);
});

test.each(lessons)('%s keeps the focus where it is when somebody comes or goes', async (name, game, lesson, said) => {
  const pupil = new Pupil(name, game, lesson, said);
  await pupil.comes();
  while (!pupil.course.over) {
    (document.querySelector<HTMLElement>('button[data-home="on"]') ?? lit()[0])?.focus();
    const place = document.activeElement;
    await pupil.stays();
    expect(document.activeElement, pupil.course.now!.says).toBe(place);
    await pupil.learns();
    (document.activeElement as HTMLElement).blur();
  }
});

test.each(lessons.filter(([, , { steps }]) => steps.some(({ remember }) => remember)))(
  '%s lights nothing that one is to remember, until one has tried',
  async (name, game, lesson, said) => {
    const pupil = new Pupil(name, game, lesson, said);
    await pupil.comes();
    while (!pupil.course.now?.remember) await pupil.learns();
    expect(lit()).toEqual([]);
    const { at, course } = pupil;
    await at.play(at.moves.find((move) => move !== course.wants)!);
    await pupil.looks();
    expect(at.notice).not.toBe('');
    expect(lit()).toHaveLength(1);
    expect(pupil.said).toEqual([]);
  },
);

const lit = () => [...document.querySelectorAll<HTMLButtonElement>('button.meant, .grave.pointed')];

/** Somebody who does what he is told. */
class Pupil {
  /** All moves that were made. */
  made: string[] = [];
  /** Those of the learner's that are still to be played. */
  said: string[] = [];
  course: Course;
  at: AtTable;
  #show: Show;
  #frames;

  constructor(
    name: string,
    private game: Game,
    lesson: Lesson,
    said: Words,
  ) {
    const { info, frames } = played.find((one) => one.name === name)!;
    this.#frames = frames.slice(-lesson.record.moves.length - 1);
    const stage = { look: () => 1, now: () => 0, wait: () => tick(), asleep: () => null, moving: () => false };
    this.#show = new Show(stage, () => staged({ game, info }));
    this.at = comes({ game, info }, 't', this.#show, async (command) => {
      if (command.do === 'play') this.said.push(`${command.seat} ${command.move}`);
      return null;
    });
    this.course = new Course(lesson, said, 0, (seat, _, move) => this.said.push(`${seat} ${move}`));
    this.at.teacher = this.course;
  }

  async comes() {
    await this.#next();
    render(Play, { at: this.at, game: this.game });
    await this.looks();
  }

  /** One step: reads and goes on, or presses what is lit until he has moved. */
  async learns() {
    const { at, course } = this;
    const { step, now } = course;
    expect(at.line).toBe(at.lesson!.says);
    expect(at.line, now!.says).not.toMatch(/^$|\{/);
    if (now!.shows) expect(document.querySelectorAll('.meant, .pointed'), now!.says).toHaveLength(1);
    const on = document.querySelector<HTMLButtonElement>('button[data-home="on"]');
    expect(on === null, now!.says).toBe(course.wants !== '');
    if (on) on.click();
    else if (now!.remember) await at.play(course.wants);
    else for (let i = 0; i < 3 && !this.said.length; i++) await this.#presses();
    await this.looks();
    while (this.said.length) {
      this.made.push(this.said.shift()!);
      await this.#next();
    }
    expect(course.step, now!.says).toBe(step + 1);
  }

  /** The frame that is there comes once more: somebody's line was opened or closed. */
  async stays() {
    this.#show.take({ ...this.at.frame!, events: [] });
    await this.looks();
    while (this.#show.busy) await tick();
    await this.looks();
  }

  async #presses() {
    expect(lit(), this.course.now!.says).toHaveLength(1);
    lit()[0]!.click();
    await this.looks();
  }

  async #next() {
    this.#show.take(this.#frames.shift()!);
    while (this.#show.busy) await tick();
    this.course.rests(this.at);
    await this.looks();
  }

  async looks() {
    this.at.point(this.at.lesson?.shows ?? '');
    await tick();
    await tick();
  }
}

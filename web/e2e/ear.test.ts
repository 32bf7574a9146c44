import { expect, test } from 'vitest';
import { find, listener, type Words } from './orca';
import { at } from './support';

// A whole game of four by somebody who only hears: from the first page to who wins. He knows nothing but what Orca has said, and has nothing but
// his keys. It takes most of an hour, as such an evening does, and goes best where nothing else is done: what the voice says takes its time.

/** What one is asked, in the words that end it, and what one looks for then. */
const questions: [RegExp, RegExp[]][] = [
  [/^Your turn: choose a card from your hand\.$/, [/^(Monster|Ghost|Vampire|Child|Hearse-taxi|Scarecrow)/]],
  [/Before whose door\?$/, [/^Knock at /]],
  [/^Do you open\?$/, [/^Refuse The card/, /^Open The card/]], // in turn
  [/^Which one(?: runs over to you| does it drive home)?\?$/, [/^(Take|To your party|Out of the game): /]],
];

/** A sentence as it is compared: how it is cut into words is the voice's business. */
const plain = (text: string) => text.replace(/[\s\u00a0\u202f]+/g, ' ').trim();
const sentences = (text: string) => plain(text).split(/(?<=[.!?]) /);

test('a game of Toc Toc Toc by ear, from the first page to its end: whatever the log says was heard, and to its end', async () => {
  const ear = await listener();
  const story: Words[] = [];
  const hears = async (something?: boolean) => {
    const words = await ear.hears(something);
    story.push(...words);
    for (const { said, whole } of words) console.info(whole ? said : `${said} …`);
    return words;
  };
  const he = { ...ear, hears };

  /** How much of the story he had heard when he last pressed something. */
  let read = 0;
  /** Looks for something and presses it; a key that is lost, as on a busy machine, is pressed again once nothing comes of it. */
  const choose = async (what: RegExp, key = 'Return') => {
    const here = story.slice(read).filter(({ said }) => / button\.$/.test(said));
    for (let tries = 0; tries < 3; tries++) {
      if (tries || !what.test(here.at(-1)?.said ?? '')) await find(he, 'Tab', what); // else the page has led him there
      read = story.length;
      await ear.press(key);
      if ((await hears(true)).length) return;
    }
    throw new Error(`${key} does nothing at ${what}`);
  };

  try {
    await ear.go(at.url);
    await choose(/^Settings/);
    await choose(/^Wait until what happened has been read aloud/, 'space');
    await ear.press('Escape');
    await choose(/^Or play Toc Toc Toc now/);

    const asked = new Map<RegExp, number>();
    const wins = () => story.some(({ said }) => / wins? (together )?with \d+ points?!$/.test(said));
    for (let quiet = 0; !wins() && quiet < 20;) {
      const since = story.slice(read).map(({ said }) => questions.find(([asks]) => asks.test(said)));
      const [question, answers] = since.findLast((one) => one) ?? [];
      if (!question || !answers) {
        quiet = (await hears()).length ? 0 : quiet + 1;
        continue;
      }
      quiet = 0;
      const times = asked.get(question) ?? 0;
      asked.set(question, times + 1);
      await choose(answers[times % answers.length]!);
    }
    expect(wins()).toBe(true);
    expect(asked.size).toBeGreaterThanOrEqual(3); // what a vamp asks need not come

    // Whose turn it is may be cut short where the next thing happens; that somebody draws is seen by all only with the card.
    const log = await ear.page.evaluate(() =>
      [...document.querySelectorAll('ol[aria-label="What happened"] li:not(.turn) > span')].map(
        (line) => line.textContent,
      ),
    );
    expect(log.length).toBeGreaterThan(30);
    const whole = new Set(story.filter(({ whole }) => whole).flatMap(({ said }) => sentences(said)));
    const missed = log.flatMap(sentences).filter((sentence) => !whole.has(sentence));
    expect(missed.filter((sentence) => !/ draws a card\.$|^Night falls/.test(sentence))).toEqual([]);
  } finally {
    await ear.close();
  }
}, 3_600_000);

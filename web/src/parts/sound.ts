// Sounds of our own: a few quiet tones, made when they are wanted.

import { settings } from '../settings.svelte';

/** How high it is, in hertz; after how many seconds it begins, and how long it is heard. */
type Tone = [hertz: number, after: number, lasts: number];

const sounds = {
  turn: [
    [523, 0, 0.3],
    [784, 0.16, 0.6],
  ],
  lid: [
    [196, 0, 0.12],
    [131, 0.05, 0.22],
  ],
  match: [
    [659, 0, 0.18],
    [880, 0.1, 0.35],
  ],
  garlic: [
    [311, 0, 0.2],
    [277, 0.12, 0.35],
  ],
  win: [
    [523, 0, 0.3],
    [659, 0.15, 0.3],
    [784, 0.3, 0.3],
    [1047, 0.45, 0.9],
  ],
} satisfies Record<string, Tone[]>;
export type Sound = keyof typeof sounds;

const loudness = 0.06;
let audio: AudioContext | undefined;

let touched = false;

/** Browsers let a page be heard once somebody has touched it, and for a while after that: the touch itself is answered first, for what makes
 * sounds takes its time to begin. */
export function unlock() {
  if (touched || !settings.sound || typeof AudioContext === 'undefined' || audio?.state === 'running') return;
  touched = true;
  setTimeout(() => {
    touched = false;
    audio ??= new AudioContext();
    void audio.resume();
  }, 200);
}

export function sound(name: Sound) {
  if (!settings.sound || audio?.state !== 'running') return;
  for (const [hertz, after, lasts] of sounds[name]) tone(audio, hertz, audio.currentTime + after, lasts);
}

function tone(audio: AudioContext, hertz: number, at: number, lasts: number) {
  const [string, loud] = [audio.createOscillator(), audio.createGain()];
  string.type = 'triangle';
  string.frequency.value = hertz;
  loud.gain.setValueAtTime(0, at);
  loud.gain.linearRampToValueAtTime(loudness, at + 0.02);
  loud.gain.exponentialRampToValueAtTime(0.0001, at + lasts);
  string.connect(loud).connect(audio.destination);
  string.start(at);
  string.stop(at + lasts);
}

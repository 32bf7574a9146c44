/** Keeps the screen on, where a browser can, until what is answered is called. */
export function awake(): () => void {
  const lock = navigator.wakeLock?.request('screen').catch(() => null);
  return () => void lock?.then((held) => held?.release());
}

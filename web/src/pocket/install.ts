import { own } from './own';

// The page on a device that may have no network: its service worker (sw.ts) keeps its files.

/** Whether a page that came from here may be kept: browsers do so by https, and on this machine, alone. */
export const keeps = () => isSecureContext && 'serviceWorker' in navigator;

/** Has the files kept with which the page opens. */
export function keepShell() {
  if (keeps()) void navigator.serviceWorker.register(own('/sw.js')).catch(() => {});
}

/** Has all of them kept, the engine too; false where that cannot be. */
export async function keepAll(): Promise<boolean> {
  if (!keeps()) return false;
  const { active } = await navigator.serviceWorker.ready;
  return new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => done(data === true);
    active?.postMessage('keep all', [port2]);
  });
}

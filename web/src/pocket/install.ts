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

/** What tells a reader something while the page is closed; nothing where browsers cannot, or the page is not kept. */
async function worker(): Promise<ServiceWorkerRegistration | undefined> {
  return keeps() ? navigator.serviceWorker.getRegistration() : undefined;
}

/** Whether a browser can be told something while the page is closed. */
export const canBeTold = () => keeps() && 'PushManager' in window;

/** Where this browser is told, if it is. */
export const toldAt = async () => (await worker())?.pushManager.getSubscription();

const same = (a: ArrayBuffer | null, b: Uint8Array) =>
  !!a && a.byteLength === b.length && new Uint8Array(a).every((byte, i) => byte === b[i]);

/** Has the browser say where a house with this key may tell it something; it asks whoever made it. */
export async function beTold(key: string): Promise<PushSubscription | undefined> {
  const bytes = Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
  const at = await toldAt();
  if (at && same(at.options.applicationServerKey, bytes)) return at;
  await at?.unsubscribe(); // the house has another key by now
  return (await worker())?.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes });
}

/** Shows a notice where only a service worker may: on telephones. */
export async function show(text: string, how: NotificationOptions) {
  await (await worker())?.showNotification(text, how);
}

// Whoever wants to be called while he looks at something else: the browser is asked when he says so, and not before.

import { language } from '../messages/language.svelte';
import { beTold, canBeTold, show, toldAt } from '../pocket/install';
import { settings } from '../settings.svelte';
import { addNotice, removeNotice } from '../wire/http';

/** Why nobody can be called, '' if he can: over plain http browsers call nobody, some cannot, and he may have forbidden it. */
export function deaf(): '' | 'insecure' | 'unable' | 'denied' {
  if (!isSecureContext) return 'insecure';
  if (typeof Notification === 'undefined') return 'unable';
  return Notification.permission === 'denied' ? 'denied' : '';
}

/** The house's key for those whose page is closed; '' while nobody can tell them anything. */
let key = '';

/** Whether he can be called even when the page is closed. */
export const far = () => key !== '' && deaf() === '' && canBeTold();

/** Whoever is somebody in a house with this key is told from now on, if he wants to be: the house may have forgotten where. */
export async function meet(house: string) {
  key = house;
  if (settings.calls && far() && Notification.permission === 'granted') await tell().catch(() => {});
}

async function tell() {
  const at = await beTold(key);
  if (at) await addNotice(at, language.now);
  return at !== undefined;
}

/** Tells how he will be called: not at all, while the page is open, or when it is closed too. */
export async function allow(): Promise<'' | 'near' | 'far'> {
  settings.calls = !deaf() && (await Notification.requestPermission()) === 'granted';
  if (!settings.calls) return '';
  return far() && (await tell().catch(() => false)) ? 'far' : 'near';
}

/** Nobody calls him any more. */
export async function stop() {
  settings.calls = false;
  const at = canBeTold() ? await toldAt() : undefined;
  if (!at) return;
  await removeNotice(at.endpoint).catch(() => {}); // the house forgets it too when the browser does not answer
  await at.unsubscribe();
}

/** Calls him to a page, at most once for a table; what is given back takes the call away. */
export function notify(text: string, table: string, path: string): () => void {
  if (!settings.calls || deaf()) return () => {};
  const how = { tag: table, icon: '/turn.svg', data: path };
  try {
    const call = new Notification(text, how);
    call.onclick = () => window.focus();
    return () => call.close();
  } catch {
    void show(text, how); // on some phones only a service worker may
    return () => {};
  }
}

// Whoever wants to be called while he looks at something else: the browser is asked when he says so, and not before.

import { settings } from '../settings.svelte';

/** Why nobody can be called, '' if he can: over plain http browsers call nobody, some cannot, and he may have forbidden it. */
export function deaf(): '' | 'insecure' | 'unable' | 'denied' {
  if (!isSecureContext) return 'insecure';
  if (typeof Notification === 'undefined') return 'unable';
  return Notification.permission === 'denied' ? 'denied' : '';
}

/** Tells whether he will be called. */
export async function allow(): Promise<boolean> {
  settings.calls = !deaf() && (await Notification.requestPermission()) === 'granted';
  return settings.calls;
}

/** Calls him, at most once for a table; what is given back takes the call away. */
export function notify(text: string, table: string): () => void {
  if (!settings.calls || deaf()) return () => {};
  try {
    const call = new Notification(text, { tag: table, icon: '/turn.svg' });
    call.onclick = () => window.focus();
    return () => call.close();
  } catch {
    return () => {}; // on some phones only a service worker may
  }
}

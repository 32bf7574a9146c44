// Where the reader is: the hall, the drawing board of a new table, a table, be it on a big screen, the rulebooks, where a deal is checked, where a game is replayed, the games that one has played, what the house knows of
// him, where one plays on this device alone, where one learns, at the door with an invitation, on his way from another device, on the page of whoever runs the house, or nowhere.

export type Place =
  | { at: 'hall' }
  | { at: 'nowhere' }
  | { at: 'new' }
  | { at: 'table'; table: string; screen?: true }
  | { at: 'rules'; book: string; number: string }
  | { at: 'verify'; table: string }
  | { at: 'replay'; table: string; moment: string }
  | { at: 'games' }
  | { at: 'here'; table: string; moment?: string }
  | { at: 'learn'; lesson: string }
  | { at: 'privacy' }
  | { at: 'move'; code: string; table: string }
  | { at: 'invited'; invitation: string }
  | { at: 'owner'; key: string };

export function read(path: string, hash: string): Place {
  const [, table, screen] = /^\/t\/([^/]+)(\/screen)?\/?$/.exec(path) ?? [];
  if (table) return { at: 'table', table: decoded(table), ...(screen && { screen: true }) };
  if (/^\/verify\/?$/.test(path)) return { at: 'verify', table: hash.slice(1) };
  const again = /^\/replay\/([^/]+)\/?$/.exec(path)?.[1];
  if (again) return { at: 'replay', table: decoded(again), moment: hash };
  const invitation = /^\/i\/([^/]+)\/?$/.exec(path)?.[1];
  if (invitation) return { at: 'invited', invitation: decoded(invitation) };
  if (/^\/owner\/?$/.test(path)) return { at: 'owner', key: hash.slice(1) };
  if (/^\/games\/?$/.test(path)) return { at: 'games' };
  if (/^\/move\/?$/.test(path)) {
    const [code = '', table = ''] = hash.slice(1).split('.');
    return { at: 'move', code, table };
  }
  const seen = /^\/here\/([^/]+)\/replay\/?$/.exec(path)?.[1];
  if (seen) return { at: 'here', table: decoded(seen), moment: hash };
  const here = /^\/here(?:\/([^/]*))?\/?$/.exec(path);
  if (here) return { at: 'here', table: decoded(here[1] ?? '') };
  const learn = /^\/learn(?:\/([^/]*))?\/?$/.exec(path);
  if (learn) return { at: 'learn', lesson: decoded(learn[1] ?? '') };
  if (/^\/privacy\/?$/.test(path)) return { at: 'privacy' };
  const book = /^\/rules(?:\/([^/]*))?\/?$/.exec(path);
  if (book) return { at: 'rules', book: decoded(book[1] ?? ''), number: hash.slice(1) };
  if (path !== '/' && path !== '/index.html') return { at: 'nowhere' };
  return { at: hash === '#new' ? 'new' : 'hall' };
}

/** A link that was mangled on its way leads to a table that is not there, rather than to an empty page. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

let place = $state.raw(read(location.pathname, location.hash));
const look = () => (place = read(location.pathname, location.hash));
addEventListener('popstate', look);

export const route = {
  get now() {
    return place;
  },
  go(path: string) {
    history.pushState(null, '', path);
    look();
    scrollTo(0, 0);
  },
  /** For a place that one does not want to come back to. */
  replace(path: string) {
    history.replaceState(null, '', path);
    look();
    scrollTo(0, 0);
  },
};

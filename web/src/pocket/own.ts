// The scripts of this page that run beside it. Where a page may name no others, this is where they are named.

interface Policy {
  createScriptURL(url: string): string;
}
interface Types {
  createPolicy(name: string, rules: Policy): Policy;
}

const files = ['/pocket.js', '/sw.js'];

let policy: Policy | undefined;

/** The address of one of them, as the browser wants it. */
export function own(file: '/pocket.js' | '/sw.js'): string {
  const types = (globalThis as { trustedTypes?: Types }).trustedTypes;
  policy ??= types?.createPolicy('caveau-files', {
    createScriptURL: (url) => {
      if (!files.includes(url)) throw new TypeError(url);
      return url;
    },
  });
  return policy ? policy.createScriptURL(file) : file;
}

// What Svelte asks of where it runs (esm-env).
export const BROWSER = true;
export const DEV = false;
export const NODE = false;

import { vi } from 'vitest';

/** For how long a test waits for what has to come: a second, as is usual, is not enough on a machine that has other things to do. */
const patience = 30_000;

const { waitFor } = vi;
vi.waitFor = (callback, options = patience) => waitFor(callback, options);

import tests from './vitest.config';

// As the tests, but for what they run: figures.
export default { test: { ...tests.test, include: ['e2e/*.bench.ts'] } };

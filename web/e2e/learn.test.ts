import { expect, test } from 'vitest';
import { at, desktop, everySize, look, phone, someone, tabTo, with_ } from './support';

// Lessons, each to its end. Nothing of one is asked of the house once it has been opened.

const on = '.prompt button.main[data-home="on"]';

test('Dawn Under is learned by keyboard alone, with the network cut', async () => {
  const { page, context, errors } = await someone(with_, { look: 20, motion: false });
  await page.goto(`${at.url}/learn/2004`);
  await page.locator(on).waitFor();
  await look(page, 'zz-learn');
  expect(errors).toEqual([]);
});

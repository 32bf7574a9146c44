// Draws public/invitation.jpg, which is shown beside a table's link: the first page of a house, without words. It takes a house that runs:
//   node tools/invitation.js http://localhost:8080
import { chromium } from 'playwright-core';

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const page = await browser.newPage({
  viewport: { width: 1200, height: 630 },
  reducedMotion: 'reduce',
  bypassCSP: true,
});
await page.goto(process.argv[2]);
await page.locator('.family').waitFor();
await page.addStyleTag({
  content: `.bar, .panel, .now, .title p { display: none !important }
    .title { margin-top: 60px } h1 { font-size: 150px !important }
    .family span { width: 130px !important }`,
});
await page.screenshot({ path: 'public/invitation.jpg', type: 'jpeg', quality: 82 });
await browser.close();

// Takes the pictures of the README: the page with a summary (light) and with an answer (dark). Usage: npm run check -- screenshots
import { statSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { openPage, ROOT, startApp, startBrowser } from './browser.mjs';

const [app, browser] = await Promise.all([startApp(), startBrowser()]);
try {
  await take('summary', 'light', async (page) => {
    await page.getByLabel('YouTube link or video ID').fill('https://www.youtube.com/watch?v=sampleTalk2');
    await page.getByRole('button', { name: 'Summarize', exact: true }).click();
    await page.locator('#summarize .result').waitFor();
  });
  await take('answer', 'dark', async (page) => {
    await page.getByRole('tab', { name: 'Search', exact: true }).click();
    await page.getByText('An answer', { exact: true }).click();
    await page.getByLabel('Query').fill('Common organelles within a human eukaryote');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.locator('#search .result .mark').first().hover();
  });
} finally {
  await browser.close();
  await app.stop();
}

async function take(name, colorScheme, act) {
  const { page, close } = await openPage(browser.context, app.url, { width: 860, height: 900, colorScheme });
  await act(page);
  await page.evaluate(() => document.activeElement?.blur());
  const file = join(ROOT, `docs/page-${name}.webp`);
  await sharp(await page.screenshot())
    .webp({ quality: 82 })
    .toFile(file);
  console.log(`${file}: ${Math.round(statSync(file).size / 1024)} KiB`);
  await close();
}

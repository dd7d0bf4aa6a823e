// Swagger UI of the sample app in a real browser, used as a person would. Usage: npm run test:browser [-- file for the screenshot]
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const KEY = 'browser-key';
const root = fileURLToPath(new URL('../../', import.meta.url));
const screenshot = process.argv[2];

const executablePath = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(
  (path) => path && existsSync(path),
);
if (!executablePath) {
  console.error('Chromium is missing. On Debian: apt-get install chromium. Elsewhere name it in CHROMIUM.');
  process.exit(1);
}

const app = spawn(process.execPath, [join(root, 'dist-app/sample-app/main.js')], {
  env: { ...process.env, PORT: '0', HOST: '127.0.0.1', YOUTUBE: 'off', TOOLS_API_KEYS: KEY },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const profile = await mkdtemp(join(tmpdir(), 'nestjs-tools-browser-'));
let context;
try {
  const url = await addressOf(app);
  context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    viewport: { width: 1280, height: 1400 },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  const page = context.pages()[0] ?? (await context.newPage());
  const complaints = [];
  const elsewhere = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  context.on('request', (request) => {
    const to = request.url();
    if (!to.startsWith(`${url}/`) && !to.startsWith('data:') && !to.startsWith('blob:')) elsewhere.push(to);
  });

  await page.goto(`${url}/docs`);
  await authorize(page, KEY);

  const summary = await tryOut(page, 'summarizeContent');
  assert.match(summary.data.summary, /\w+ \w+ .+\./s);
  assert.equal(summary.data.method, 'simple');
  const search = await tryOut(page, 'searchWeb');
  assert.equal(search.data.query, 'Common organelles within a human eukaryote');
  assert.equal(search.data.results.length, 5);
  const body = page.locator('#operations-tools-searchWeb textarea.body-param__text');
  await body.fill(JSON.stringify({ query: search.data.query, llm_answer: true }));
  const answer = await tryOut(page, 'searchWeb');
  assert.ok(answer.data.llm.answerable_probability > 0.5, JSON.stringify(answer.data));

  if (screenshot) await takePicture(page, screenshot);
  assert.deepEqual(complaints, [], 'errors on the console');
  assert.deepEqual(elsewhere, [], 'requests off the machine');
  console.log(`Swagger UI at ${url}/docs: authorized, both tools tried out, 200 each\n`);
  console.log(`${summary.data.summary.slice(0, 200)}…\n`);
  console.log(`${answer.data.llm.answer} (${answer.data.llm.answerable_probability})`);
} finally {
  await context?.close();
  app.kill();
  await rm(profile, { recursive: true, force: true, maxRetries: 5 });
}

/** Address that the app prints once it listens. */
async function addressOf(child) {
  for await (const line of createInterface({ input: child.stdout })) {
    const address = /is listening on (\S+)/.exec(line)?.[1];
    if (address) {
      child.stdout.resume();
      return address;
    }
  }
  throw new Error('the sample app did not start; is it built (npx nest build)?');
}

/** Enters the key in the dialog behind the button Authorize. */
async function authorize(page, key) {
  await page.locator('.auth-wrapper .authorize').first().click();
  const dialog = page.locator('.dialog-ux');
  await dialog.locator('input').fill(key);
  await dialog.locator('button.authorize').click();
  await dialog.locator('button.btn-done').click();
}

/** Opens an operation, sends what is in its form, and reads the response off the page. */
async function tryOut(page, operationId) {
  const operation = page.locator(`#operations-tools-${operationId}`);
  if (!(await operation.locator('.execute').isVisible())) await operation.locator('.opblock-summary').click();
  const [response] = await Promise.all([
    page.waitForResponse((candidate) => candidate.request().method() === 'POST'),
    operation.locator('.execute').click(),
  ]);
  assert.equal(response.status(), 200, await response.text());
  const json = await response.json();
  const live = operation.locator('.live-responses-table');
  await live.locator('.response-col_status', { hasText: '200' }).waitFor();
  // The page shows the body that came, not the example of the document.
  await live.locator('.microlight', { hasText: json.request_id }).first().waitFor();
  return json;
}

/** The operation with its answer, for the README. */
async function takePicture(page, path) {
  await page.evaluate(() => {
    const operation = document.querySelector('#operations-tools-summarizeContent');
    // As small as its corner can be dragged to what is in it.
    operation.querySelector('textarea.body-param__text').style.minHeight = '110px';
    operation.querySelector('textarea.body-param__text').style.height = '110px';
    scrollTo(0, operation.getBoundingClientRect().top + scrollY - 10);
  });
  await page.screenshot({ path });
}

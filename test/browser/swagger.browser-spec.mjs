// Swagger UI of the sample app, used as a person would.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openPage, startApp, startBrowser } from './browser.mjs';

const KEY = 'browser-key';
let app;
let browser;
before(async () => {
  [app, browser] = await Promise.all([startApp({ TOOLS_API_KEYS: KEY }), startBrowser()]);
});
after(async () => {
  await browser?.close();
  await app?.stop();
});

test('Swagger UI takes the key and tries out both tools', async () => {
  const { page, close } = await openPage(browser.context, `${app.url}/docs`);
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
  await close();
});

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

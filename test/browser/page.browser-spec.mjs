// The sample app's page, used as a person would.
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { after, before, describe, test } from 'node:test';
import { startFakeLlm } from '../support/fake-llm/fake-llm.mjs';
import { openPage, startApp, startBrowser } from './browser.mjs';

const QUERY = 'Common organelles within a human eukaryote';

let app;
let browser;
before(async () => {
  [app, browser] = await Promise.all([startApp(), startBrowser()]);
});
after(async () => {
  await browser?.close();
  await app?.stop();
});

const open = (options) => openPage(browser.context, app.url, options);

async function search(page, query, { answer = false } = {}) {
  await page.getByRole('tab', { name: 'Search', exact: true }).click();
  if (answer) await page.getByText('An answer', { exact: true }).click();
  await page.getByLabel('Query').fill(query);
  await page.getByLabel('Query').press('Enter');
}

async function summarize(page, id) {
  await page.getByLabel('YouTube link or video ID').fill(id);
  await page.getByRole('button', { name: 'Summarize', exact: true }).click();
}

/** Answers the page's next requests to a tool with a body of the test's choice. */
const answerWith = (page, tool, body) =>
  page.route(`**/v1/tools/${tool}`, (route) =>
    route.fulfill({
      contentType: 'text/event-stream',
      body: `event: result\ndata: ${JSON.stringify(body)}\n\n`,
    }),
  );

describe('Summarize', () => {
  test('a demo talk shows its summary, key points, sections and the bar over its length', async () => {
    const { page, close } = await open();
    await page.getByRole('button', { name: /How databases keep promises/ }).click();
    const result = page.locator('#summarize .result');
    await result.getByRole('heading', { name: 'How Databases Keep Their Promises' }).waitFor();
    assert.ok((await result.locator('.prose').innerText()).split(/\s+/).length > 60);
    const points = await result.locator('.points li').count();
    assert.ok(points >= 3);
    assert.equal(await result.locator('.sections li').count(), 8);
    assert.equal(await result.locator('.track .dot').count(), points);
    assert.equal(await result.locator('.track .stretch').count(), 8);
    await result.locator('.track .stretch').nth(2).click();
    assert.equal(
      await result
        .locator('.sections li')
        .nth(2)
        .evaluate((item) => item === document.activeElement),
      true,
    );
    await close();
  });

  test('a talk in another language is asked for in that language', async () => {
    const { page, close } = await open();
    await page.getByRole('button', { name: /Railways/ }).click();
    await page.locator('#summarize .prose[lang=de]').first().waitFor();
    assert.equal(await page.locator('[name=output_language]').inputValue(), 'de');
    await close();
  });

  test('a summary in another language than asked for says so', async () => {
    const { page, close } = await open();
    await page.locator('[name=output_language]').selectOption('fr');
    await summarize(page, 'sampleTalk1');
    await page.locator('#summarize [data-code=output_language_not_honoured]').waitFor();
    await page.getByText('English; French was asked for').waitFor();
    await close();
  });

  test('times link to that second of the video', async () => {
    const { page, close } = await open();
    await answerWith(page, 'summarize_content', summaryOf({ title: 'A talk' }));
    await summarize(page, 'dQw4w9WgXcQ');
    const [point, section] = await page
      .getByRole('link', { name: /^Open the video at/ })
      .evaluateAll((links) => links.map(({ href }) => href));
    assert.equal(point, 'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=83s');
    assert.equal(section, 'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=60s');
    await close();
  });

  test('each field shows its source by pointer and by keyboard, with a link to the second', async () => {
    const { page, close } = await open();
    const body = summaryOf({ title: 'A talk' });
    Object.assign(body.data, {
      output: { price: 349, colours: ['<b>red</b>'], sold: null },
      output_complete: false,
      output_grounding: [
        grounded('/price', 'The kit costs 349 euros', 83),
        grounded('/colours/0', 'comes in red', 90.5),
      ],
    });
    await answerWith(page, 'summarize_content', body);
    await page.getByText('Fields to fill in').first().click();
    await page.getByLabel('JSON Schema').first().fill('{"type":"object"}');
    const sent = page.waitForRequest('**/v1/tools/summarize_content');
    await summarize(page, 'dQw4w9WgXcQ');
    assert.deepEqual((await sent).postDataJSON().output_schema, { type: 'object' });
    const price = page.getByRole('button', { name: '349' });
    const source = page.locator('.source').first();
    assert.equal(await source.isVisible(), false);
    await price.hover();
    assert.equal(await source.isVisible(), true);
    // The pointer reaches the link.
    await source.getByRole('link').hover();
    assert.equal(await source.isVisible(), true);
    await page.mouse.move(0, 0);
    assert.equal(await source.isVisible(), false);
    await price.focus();
    assert.match(await source.innerText(), /The kit costs 349 euros/);
    await page.keyboard.press('Tab');
    const focused = page.locator('a:focus');
    assert.equal(await focused.getAttribute('href'), 'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=83s');
    await page.keyboard.press('Escape');
    assert.equal(await source.isVisible(), false);
    await page.getByRole('button', { name: '<b>red</b>' }).focus();
    assert.equal(await page.locator('.source').nth(1).isVisible(), true);
    await page.getByText('Required fields without a source are missing.').waitFor();
    await page.setViewportSize({ width: 360, height: 700 });
    await assertFits(page);
    await close();
  });

  test('an address that is no video is marked and explained', async () => {
    const { page, close } = await open({ expectedErrors: /status of 400/ });
    await summarize(page, 'https://vimeo.com/12345');
    await page.getByRole('heading', { name: 'That is not a YouTube video' }).waitFor();
    const field = page.locator('#content-id');
    assert.equal(await field.getAttribute('aria-invalid'), 'true');
    const described = page.locator(`#${await field.getAttribute('aria-describedby')}`);
    assert.match(await described.innerText(), /Paste the link of a YouTube video/);
    await close();
  });
});

describe('questions to a video', () => {
  test('an answer quotes the video, and its source leads to the second', async () => {
    const { page, close } = await open();
    await page.getByRole('button', { name: /Coral reefs/ }).click();
    await page.locator('#summarize .result').waitFor();
    await page.getByLabel('Ask about this video').fill('How fast does a massive coral grow?');
    await page.getByLabel('Ask about this video').press('Enter');
    const answer = page.locator('.answered').first();
    await answer.locator('.citations blockquote').first().waitFor();
    assert.match(await answer.innerText(), /one centimetre in a year/);
    assert.equal(await answer.evaluate((element) => element === document.activeElement), true);
    await close();
  });

  test('of a video, each source is a link; a model gets the earlier questions', async () => {
    const { page, close } = await open();
    await answerWith(page, 'summarize_content', summaryOf({ title: 'A talk' }));
    const url = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=83s';
    const citations = [{ index: 1, start_seconds: 83, end_seconds: 90, url, quote: 'It is blue.' }];
    const llm = {
      answer: 'Blue. [1]',
      outcome: 'answered',
      answerable_probability: 0.9,
      citations,
      engine: 'm',
    };
    const sent = [];
    await page.route('**/v1/tools/ask_video', (route) => {
      sent.push(route.request().postDataJSON());
      const body = JSON.stringify({ data: { llm, warnings: [] } });
      return route.fulfill({ contentType: 'text/event-stream', body: `event: result\ndata: ${body}\n\n` });
    });
    await summarize(page, 'dQw4w9WgXcQ');
    const field = page.getByLabel('Ask about this video');
    for (const question of ['Which colour?', 'And why?']) {
      await field.fill(question);
      await field.press('Enter');
      await page.locator('.answered').filter({ hasText: question }).locator('blockquote').waitFor();
    }
    const source = page.locator('.answered .citations').first().getByRole('link');
    assert.equal(await source.getAttribute('href'), url);
    assert.deepEqual(
      sent.map(({ context }) => context),
      [undefined, [{ question: 'Which colour?', answer: 'Blue. [1]' }]],
    );
    await close();
  });
});

describe('the transcript below a summary', () => {
  test('marks the lines of key points and leads to them', async () => {
    const { page, close } = await open();
    await page.getByRole('button', { name: /Coral reefs/ }).click();
    await page.locator('#summarize .result').waitFor();
    const times = await page.locator('.points .time').allInnerTexts();
    await page.locator('.transcript summary').focus();
    await page.keyboard.press('Enter');
    await page.locator('.lines li').first().waitFor();
    const marked = page.locator('.lines .key');
    assert.equal(await marked.count(), times.length);
    await marked.first().getByRole('button', { name: 'Key point' }).click();
    const isFirst = (item) => item === document.activeElement;
    assert.equal(await page.locator('.points li').first().evaluate(isFirst), true);
    await close();
  });

  test('each line of a video opens its second', async () => {
    const { page, close } = await open();
    await answerWith(page, 'summarize_content', summaryOf({ title: 'A talk' }));
    const segments = [
      { start_seconds: 80.2, end_seconds: 90, text: 'What is said.' },
      { start_seconds: 90, end_seconds: 95, text: 'More of it.' },
    ];
    await answerWith(page, 'get_transcript', { data: { segments, truncated: false, warnings: [] } });
    await summarize(page, 'dQw4w9WgXcQ');
    await page.locator('.transcript summary').click();
    const line = page.locator('.lines li a').first();
    assert.match(await line.innerText(), /What is said/);
    assert.match(await line.getAttribute('href'), /&t=80s$/);
    assert.deepEqual(await page.locator('.lines .key').allInnerTexts(), [
      await line.locator('..').innerText(),
    ]);
    await close();
  });
});

describe('Summarize with a model', () => {
  test('shows the stages and the text while it is written, then the checked summary', async () => {
    const llm = await startFakeLlm();
    llm.settings.tokensPerSecond = 60;
    const env = { LLM_BASE_URL: llm.url, LLM_API_KEY: 'secret', LLM_MODEL: 'fake-model' };
    const withModel = await startApp(env);
    try {
      const { page, close } = await openPage(browser.context, withModel.url);
      await summarize(page, 'sampleTalk1');
      await page.locator('.working .steps').getByText('Writing', { exact: true }).waitFor();
      await page.locator('.working .writing p').first().waitFor();
      llm.settings.tokensPerSecond = Infinity;
      await page.locator('#summarize .result .prose').waitFor();
      await page.getByText('fake-model').first().waitFor();
      await close();
    } finally {
      await withModel.stop();
      await llm.close();
    }
  });

  test('Stop ends the request', async () => {
    const llm = await startFakeLlm();
    let release;
    llm.settings.held = new Promise((resolve) => (release = resolve));
    const env = { LLM_BASE_URL: llm.url, LLM_API_KEY: 'secret', LLM_MODEL: 'fake-model' };
    const withModel = await startApp({ ...env, SEARCH_PROVIDERS: 'documents' }, { warm: false });
    try {
      const { page, close } = await openPage(browser.context, withModel.url);
      await summarize(page, 'sampleTalk1');
      await page.locator('.working').getByText('Writing', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.getByRole('button', { name: 'Summarize', exact: true }).waitFor();
      assert.equal(await page.locator('.working').count(), 0);
      await close();
    } finally {
      release();
      await withModel.stop();
      await llm.close();
    }
  });
});

describe('Search', () => {
  test('passages come with their score, host and a link', async () => {
    const { page, close } = await open();
    await search(page, QUERY);
    const hits = page.locator('.hits > li');
    await hits.first().waitFor();
    assert.equal(await hits.count(), 5);
    assert.match(await hits.first().locator('.score').innerText(), /[01]\.\d\d$/);
    assert.match(await hits.first().locator('.meta').innerText(), /demo\.nestjs-tools\.example/);
    assert.match(await hits.first().getByRole('link').getAttribute('href'), /^https:\/\/demo\.nestjs-tools/);
    await close();
  });

  test('says what it searches', async () => {
    const { page, close } = await open();
    await page.getByRole('tab', { name: 'Search', exact: true }).click();
    await page.getByText('Searches 86 demo articles. Set SEARCH_PROVIDERS to search the web.').waitFor();
    await close();
  });

  test('Read opens the page of a result below it, and closes it, with keys alone', async () => {
    const { page, close } = await open();
    await search(page, QUERY);
    const button = page
      .locator('.hits > li')
      .first()
      .getByRole('button', { name: /^Read Eukaryotic cell/ });
    await button.focus();
    await page.keyboard.press('Enter');
    const region = page.getByRole('region', { name: /^Page: Eukaryotic cell/ });
    await region.getByRole('heading', { name: /Eukaryotic cell/ }).waitFor();
    assert.match(await region.innerText(), /Mature red blood cells/);
    await page
      .locator('#status')
      .getByText(/is open$/)
      .waitFor({ state: 'attached' });
    assert.equal(await region.evaluate((element) => element === document.activeElement), true);
    const close_ = page.getByRole('button', { name: /^Close Eukaryotic cell/ });
    assert.equal(await close_.getAttribute('aria-expanded'), 'true');
    await close_.press('Enter');
    assert.equal(await region.count(), 0);
    assert.equal(await button.evaluate((element) => element === document.activeElement), true);
    await close();
  });

  test('the link of a demo article opens it on this page', async () => {
    const { page, close } = await open();
    await search(page, QUERY, { answer: true });
    await page.locator('.citations').getByRole('link').first().click();
    await page.locator('.citations .page .markdown p').first().waitFor();
    await close();
  });

  test('a long page goes on where it stopped, and a page that fails can be tried again', async () => {
    const { page, close } = await open({ expectedErrors: /status of 503/ });
    await search(page, QUERY);
    const asked = [];
    await page.route('**/v1/tools/read_page', (route) => {
      const request = route.request().postDataJSON();
      asked.push(request.cursor);
      if (asked.length === 1)
        return route.fulfill({
          status: 503,
          headers: { 'X-Should-Retry': 'true', 'Retry-After': '3' },
          json: { statusCode: 503, code: 'upstream_unavailable', message: 'The site is down.' },
        });
      const content = request.cursor
        ? '| a | b |\n|---|---|\n| 1 | 2 |'
        : '# Part\n\n1. *one*\n- [two](https://b.example/)';
      const next = request.cursor ? {} : { next_cursor: 'c' };
      const body = JSON.stringify({ data: { content, warnings: [], ...next } });
      return route.fulfill({ contentType: 'text/event-stream', body: `event: result\ndata: ${body}\n\n` });
    });
    const hit = page.locator('.hits > li').first();
    await hit.getByRole('button', { name: /^Read/ }).click();
    await hit.getByText('The server asks to wait 3 seconds.').waitFor();
    await hit.getByRole('button', { name: 'Try again' }).click();
    await hit.getByRole('button', { name: 'Read on' }).click();
    await hit.locator('td').first().waitFor();
    assert.deepEqual(asked, [undefined, undefined, 'c']);
    assert.deepEqual(await hit.locator('th, td').allInnerTexts(), ['a', 'b', '1', '2']);
    assert.equal(await hit.locator('.markdown li').count(), 2);
    await close();
  });

  test('marks of an answer light up their quotation, by pointer and by keyboard', async () => {
    const { page, close } = await open();
    await search(page, QUERY, { answer: true });
    const mark = page.getByRole('button', { name: 'Source 1' }).first();
    const quotation = page.locator('.citations li').first();
    await mark.hover();
    await page.locator('.citations li.lit').waitFor();
    await page.mouse.move(0, 0);
    await page.locator('.citations li:not(.lit)').first().waitFor();
    await mark.focus();
    await page.keyboard.press('Enter');
    assert.equal(await quotation.evaluate((item) => item === document.activeElement), true);
    const probability = Number(await page.getByRole('meter').getAttribute('aria-valuenow'));
    assert.ok(probability > 0.5 && probability <= 1);
    await page.locator('.verdict').getByText('Answered', { exact: true }).waitFor();
    await close();
  });

  test('a field of an answer shows the page that it is from', async () => {
    const { page, close } = await open();
    const llm = {
      answer: 'In 1665. [1]',
      outcome: 'answered',
      answerable_probability: 0.9,
      citations: [
        { index: 1, source_url: 'https://example.org/cells', title: 'Cells', quote: 'saw them in 1665' },
      ],
      output: { year: 1665 },
      output_complete: true,
      grounding: [{ field: '/year', citations: [1], probability: 0.9 }],
    };
    await answerWith(page, 'search_web', searchOf({ total_results: 1, llm }));
    await search(page, QUERY, { answer: true });
    await page.getByRole('button', { name: '1665' }).focus();
    const source = page.locator('.source');
    assert.equal(await source.isVisible(), true);
    assert.match(await source.innerText(), /saw them in 1665/);
    assert.equal(await source.getByRole('link').getAttribute('href'), 'https://example.org/cells');
    await close();
  });

  test('what the sources do not have is marked in the text, with the reason below', async () => {
    const { page, close } = await open();
    const statement = 'It also won the 2038 World Cup.';
    const llm = {
      answer: `The Golgi apparatus packs proteins. [1] ${statement} [?]`,
      outcome: 'answered',
      answerable_probability: 0.6,
      citations: [{ index: 1, source_url: 'https://example.org/', title: 'Cells', quote: 'packs proteins' }],
      unsupported: [
        { text: 'The Golgi apparatus packs proteins.', reason: 'few_words_in_common' },
        { text: statement, reason: 'value' },
      ],
    };
    const data = { query: QUERY, total_results: 1, llm, provider: 'documents', cached: false };
    await answerWith(page, 'search_web', { data, request_id: 'r', seconds_taken: 1 });
    await search(page, QUERY, { answer: true });
    const mark = page.getByRole('button', { name: /^Not found: No source states this number/ });
    // Waits for it, and fails where there are several.
    await mark.click();
    const focused = page.locator('.citations li:focus');
    assert.match(await focused.innerText(), /2038 World Cup[^]*No source states this number/);
    await close();
  });

  test('a search is filtered only by what was chosen', async () => {
    const { page, close } = await open();
    const sent = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.postDataJSON()));
    await search(page, QUERY);
    await page.locator('.hits > li').first().waitFor();
    await page.locator('[name=freshness]').selectOption('month');
    await page.getByLabel('Query').press('Enter');
    await page.locator('#search .outcome > :not(.working)').first().waitFor();
    assert.deepEqual(sent, [
      { query: QUERY, top_n: 5, llm_answer: false },
      { query: QUERY, top_n: 5, llm_answer: false, freshness: 'month' },
    ]);
    await close();
  });

  test('a search without results says so', async () => {
    const { page, close } = await open();
    await answerWith(page, 'search_web', searchOf({ results: [], total_results: 0 }));
    await search(page, 'zzz');
    await page.getByText(/^Nothing was found/).waitFor();
    await close();
  });
});

describe('Research', () => {
  const REPORT = {
    data: {
      question: 'Who built it, and when?',
      report: '## The builder\n\nAda Quist built the mill. [1]',
      outcome: 'partly',
      answerable_probability: 0.4,
      sections: [],
      citations: [
        { index: 1, source_url: 'https://mill.example/', title: 'The mill', quote: 'built by Ada Quist' },
      ],
      open_questions: [{ need: 'the year', queries: ['mill year'], reason: 'not_found' }],
      disagreements: [{ need: 'the builder', text: 'Some say Bo Falk. [1]' }],
      sources: [],
      research: { rounds: 2, searches: 4, pages_read: 6, stopped: 'rounds' },
      engine: 'a-model',
      cached: false,
    },
    request_id: 'r',
    seconds_taken: 3.2,
  };

  test('shows the plan and each finding, then the report, its sources and what is not known', async () => {
    const { page, close } = await open();
    const events = [
      ['progress', { stage: 'plan', needs: ['the builder', 'the year'] }],
      [
        'progress',
        {
          stage: 'finding',
          need: 'the builder',
          finding: 'Ada Quist built the mill.',
          url: 'https://mill.example/',
        },
      ],
    ].map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
    let end = '';
    await page.route('**/v1/tools/research', (route) =>
      route.fulfill({ contentType: 'text/event-stream', body: events.join('') + end }),
    );
    end = `event: result\ndata: ${JSON.stringify(REPORT)}\n\n`;
    const seen = page.evaluate(
      () =>
        new Promise((resolve) => {
          const outcome = document.querySelector('#research .outcome');
          const texts = new Set();
          new MutationObserver(() => {
            texts.add(outcome.innerText);
            if (outcome.querySelector('.result')) resolve([...texts].join('\n'));
          }).observe(outcome, { childList: true, subtree: true });
        }),
    );
    await page.getByRole('tab', { name: 'Research' }).click();
    await page.getByLabel('Question for a report').fill('Who built it, and when?');
    await page.getByLabel('Question for a report').press('Enter');
    const shown = await seen;
    assert.match(shown, /the builder/);
    assert.match(shown, /Ada Quist built the mill\./);
    const result = page.locator('#research .result');
    assert.match(await result.innerText(), /Not known\s+the year/);
    assert.match(await result.innerText(), /Pages disagree/);
    assert.equal(await result.locator('.citations li').count(), 1);
    await close();
  });
});

describe('hostile content', () => {
  const HOSTILE =
    '<img src=x onerror="alert(1)"><script>alert(2)</script></p><h1 id=injected>" onclick=alert(3) ‮gnp';
  const SCRIPT = 'javascript:alert(document.domain)';

  test('titles, summaries and key points are shown as text', async () => {
    const { page, close } = await open();
    const body = summaryOf({ title: HOSTILE, channel: HOSTILE, url: SCRIPT });
    Object.assign(body.data, { summary: `${HOSTILE}\n\n${HOSTILE}`, engine: HOSTILE });
    body.data.key_points = [{ text: HOSTILE, start_seconds: 83, url: SCRIPT, source: HOSTILE }];
    body.data.sections = [{ title: HOSTILE, start_seconds: 0, end_seconds: 1e9, summary: HOSTILE }];
    body.data.warnings = [{ code: HOSTILE, message: HOSTILE }];
    await answerWith(page, 'summarize_content', body);
    await summarize(page, 'dQw4w9WgXcQ');
    await page
      .getByRole('heading', { name: HOSTILE.slice(0, 20) })
      .first()
      .waitFor();
    await assertInert(page);
    await close();
  });

  test('passages, answers and addresses are shown as text', async () => {
    const { page, close } = await open();
    const hit = { content: HOSTILE, score: 0.5, source_url: SCRIPT, title: HOSTILE, published_at: HOSTILE };
    const results = [hit, { ...hit, source_url: 'data:text/html,<script>alert(1)</script>' }];
    await answerWith(page, 'search_web', searchOf({ results, total_results: 2 }));
    await search(page, HOSTILE);
    await page.locator('.hits li').first().waitFor();
    const content = `# ${HOSTILE}\n\n${HOSTILE}\n\n- [${HOSTILE}](${SCRIPT})\n\n| ${HOSTILE} |\n\n\`\`\`\n${HOSTILE}`;
    await answerWith(page, 'read_page', { data: { content, title: HOSTILE, warnings: [] } });
    await page.getByRole('button', { name: /^Read/ }).first().click();
    await page.locator('.markdown pre').waitFor();
    await assertInert(page);
    await page.unroute('**/v1/tools/search_web');
    const citations = [{ index: 1, source_url: SCRIPT, title: HOSTILE, quote: HOSTILE }];
    const llm = { answer: `${HOSTILE} [1] [2]`, outcome: HOSTILE, answerable_probability: 0.9, citations };
    await answerWith(page, 'search_web', searchOf({ llm, total_results: 1 }));
    await page.getByText('An answer', { exact: true }).click();
    await page.locator('.citations li').waitFor();
    await assertInert(page);
    await close();
  });

  test('very long words do not widen the page', async () => {
    const { page, close } = await open({ width: 390, height: 844 });
    const long = 'a'.repeat(3000);
    const body = summaryOf({ title: long, channel: long });
    Object.assign(body.data, { summary: long, engine: long });
    await answerWith(page, 'summarize_content', body);
    await summarize(page, 'dQw4w9WgXcQ');
    await page.locator('#summarize .result').waitFor();
    await assertFits(page);
    await close();
  });

  test('the browser refuses markup from strings, inline scripts and other origins', async () => {
    const { page, close } = await open({ expectedErrors: /Content Security Policy|Trusted|Refused/ });
    const refused = await page.evaluate(async () => {
      const attempt = async (act) => {
        try {
          await act();
          return false;
        } catch {
          return true;
        }
      };
      const runsNoInlineScript = () => {
        const script = document.createElement('script');
        script.append('window.ran = true');
        document.head.append(script);
        return window.ran === undefined;
      };
      return {
        markup: await attempt(() => (document.body.innerHTML = '<b>x</b>')),
        script: runsNoInlineScript(),
        fetch: await attempt(() => fetch('https://example.org/')),
      };
    });
    assert.deepEqual(refused, { markup: true, script: true, fetch: true });
    await close();
  });

  async function assertInert(page) {
    const found = await page.evaluate(() => ({
      injected: document.querySelectorAll('#injected, main img, main script').length,
      handlers: [...document.querySelectorAll('main *')].filter((element) => element.hasAttribute('onclick'))
        .length,
      schemes: [...document.querySelectorAll('main a')]
        .map(({ protocol }) => protocol)
        .filter((protocol) => !/^https?:$/.test(protocol)),
    }));
    assert.deepEqual(found, { injected: 0, handlers: 0, schemes: [] });
    assert.match(await page.locator('main').innerText(), /<img src=x onerror="alert\(1\)">/);
  }
});

describe('while it works and when it fails', () => {
  /** Holds requests to a tool until `release()`. */
  async function hold(page, tool) {
    const waiting = [];
    await page.route(`**/v1/tools/${tool}`, (route) => waiting.push(route));
    return {
      release: () => Promise.all(waiting.splice(0).map((route) => route.continue().catch(() => undefined))),
    };
  }

  test('there is something to see from the first moment, and the focus stays', async () => {
    const { page, close } = await open();
    const { release } = await hold(page, 'summarize_content');
    await page.getByRole('button', { name: /Coral reefs/ }).click();
    await page.getByText('Waiting for the server').waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.id), 'content-id');
    await release();
    await page.locator('#summarize .result').waitFor();
    await close();
  });

  test('Enter starts a new text, and the same text goes on', async () => {
    const { page, close } = await open();
    const sent = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.postDataJSON().query));
    const { release } = await hold(page, 'search_web');
    await search(page, 'first');
    await page.getByText('Waiting for the server').waitFor();
    await page.getByLabel('Query').press('Enter');
    await page.getByLabel('Query').fill(QUERY);
    await page.getByLabel('Query').press('Enter');
    await page.waitForFunction(() => document.querySelector('.working'));
    await page.unroute('**/v1/tools/search_web');
    await release();
    await page.locator('.hits > li').first().waitFor();
    assert.deepEqual(sent, ['first', QUERY]);
    await close();
  });

  test('a failure in the middle of a stream can be tried again', async () => {
    const { page, close } = await open();
    const error = { statusCode: 503, code: 'upstream_unavailable', message: 'YouTube did not answer.' };
    const data = { ...error, should_retry: true, retry_after_seconds: 30 };
    await page.route('**/v1/tools/summarize_content', (route) =>
      route.fulfill({
        contentType: 'text/event-stream',
        body: `event: progress\ndata: {"stage":"transcript"}\n\nevent: error\ndata: ${JSON.stringify(data)}\n\n`,
      }),
    );
    await summarize(page, 'sampleTalk1');
    await page.getByText('The server asks to wait 30 seconds.').waitFor();
    await page.unroute('**/v1/tools/summarize_content');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('#summarize .result').waitFor();
    await close();
  });

  test('nothing moves for those who asked for that', async () => {
    const { page, close } = await open();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const { release } = await hold(page, 'summarize_content');
    await summarize(page, 'sampleTalk1');
    await page.getByText('Waiting for the server').waitFor();
    assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
    await release();
    await close();
  });

  test('high contrast shows which tab is open, the buttons and the sections', async () => {
    const { page, close } = await open();
    await page.emulateMedia({ forcedColors: 'active' });
    await page.getByRole('button', { name: /How databases keep promises/ }).click();
    await page.locator('#summarize .result').waitFor();
    const [open_, other] = await page
      .getByRole('tab')
      .evaluateAll((tabs) => tabs.map((tab) => getComputedStyle(tab).borderBottomColor));
    assert.notEqual(open_, other);
    for (const selector of ['#summarize .primary', '.stretch'])
      assert.match(
        await page
          .locator(selector)
          .first()
          .evaluate((e) => getComputedStyle(e).border),
        /1px solid/,
      );
    await close();
  });

  test('the app serves its page from any folder', async () => {
    const elsewhere = await startApp({}, { warm: false, cwd: tmpdir() });
    try {
      assert.equal((await fetch(elsewhere.url)).status, 200);
    } finally {
      await elsewhere.stop();
    }
  });
});

describe('the frame of the page', () => {
  test('tabs work with the arrow keys', async () => {
    const { page, close } = await open();
    await page.getByRole('tab', { name: 'Summarize a video' }).focus();
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.locator('#search').isVisible(), true);
    assert.equal(await page.locator('#summarize').isVisible(), false);
    await page.keyboard.press('Tab');
    await page.keyboard.type(QUERY);
    await page.keyboard.press('Enter');
    await page.locator('.hits > li').first().waitFor();
    await close();
  });

  test('a wrong key is pointed out, and no key leaves the page', async () => {
    const { page, close } = await open({ expectedErrors: /status of 401/ });
    await page.getByLabel('API key').fill('a-secret');
    await summarize(page, 'sampleTalk1');
    await page.getByRole('heading', { name: 'The API key was not accepted' }).waitFor();
    assert.equal(await page.getByLabel('API key').getAttribute('type'), 'password');
    await page.getByText('This request as curl').click();
    const kept = await page.evaluate(() =>
      [
        location.href,
        document.cookie,
        JSON.stringify({ ...localStorage, ...sessionStorage }),
        document.body.innerText,
      ].join(),
    );
    assert.doesNotMatch(kept, /a-secret/);
    assert.match(kept, /\$TOOLS_API_KEY/);
    await close();
  });

  test('shows the request as curl and the raw JSON', async () => {
    const { page, close } = await open();
    await summarize(page, 'sampleTalk7');
    await page.locator('#summarize .result').waitFor();
    await page.getByText('This request as curl').click();
    const curl = await page.locator('.raw pre').first().innerText();
    assert.match(curl, /^curl -s http:\/\/127\.0\.0\.1:\d+\/v1\/tools\/summarize_content/);
    assert.match(curl, /"content_id":"sampleTalk7"/);
    await page.getByText('The answer as JSON').click();
    const json = JSON.parse(await page.locator('.raw pre').nth(1).innerText());
    assert.equal(json.data.content.id, 'sampleTalk7');
    await close();
  });

  for (const colorScheme of ['light', 'dark']) {
    test(`fits a phone and is readable, ${colorScheme}`, async () => {
      const { page, close } = await open({ width: 360, height: 740, colorScheme });
      await summarize(page, 'sampleTalk2');
      await page.locator('#summarize .result').waitFor();
      await assertFits(page);
      await search(page, QUERY, { answer: true });
      await page.locator('.citations li').first().waitFor();
      await assertFits(page);
      const worst = await page.evaluate(lowestContrast);
      // WCAG 2.2, 1.4.3: 4.5 for text.
      assert.ok(worst.ratio >= 4.5, JSON.stringify(worst));
      await close();
    });
  }
});

async function assertFits(page) {
  const { scrollWidth, clientWidth } = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return { scrollWidth, clientWidth };
  });
  assert.ok(scrollWidth <= clientWidth, `the page is ${scrollWidth} wide in a window of ${clientWidth}`);
}

/** The visible text with the lowest contrast to its background, after WCAG 2.2. Runs in the page. */
function lowestContrast() {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const rgb = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return canvas.getImageData(0, 0, 1, 1).data;
  };
  const luminance = (colour) => {
    const [r, g, b] = [...rgb(colour)].slice(0, 3).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const backgroundOf = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (rgb(backgroundColor)[3] === 255) return backgroundColor;
    }
    return 'white';
  };
  let worst = { ratio: 21 };
  for (const element of document.querySelectorAll('body *')) {
    const text = [...element.childNodes].find((node) => node.nodeType === 3 && node.data.trim());
    if (!text || !element.checkVisibility() || element.closest('.visually-hidden, svg')) continue;
    const [a, b] = [luminance(getComputedStyle(element).color), luminance(backgroundOf(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < worst.ratio) worst = { ratio, text: text.data.trim().slice(0, 40) };
  }
  return worst;
}

const grounded = (field, quote, start) => ({
  field,
  quote,
  start_seconds: start,
  url: `https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=${Math.floor(start)}s`,
  probability: 0.9,
});

/** The body of a summary of a video on YouTube. */
function summaryOf(content) {
  return {
    data: {
      method: 'simple',
      summary: 'One sentence.',
      content: {
        id: 'dQw4w9WgXcQ',
        url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
        duration_seconds: 300,
        language: 'en',
        captions: 'manual',
        ...content,
      },
      output_language: { requested: 'en', used: 'en', honoured: true },
      key_points: [
        { text: 'A point.', start_seconds: 83, url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=83s' },
      ],
      sections: [{ title: 'A part', start_seconds: 60, end_seconds: 120, summary: 'What it says.' }],
      engine: 'extractive',
    },
    request_id: 'a',
    seconds_taken: 0.1,
  };
}

/** The body of a search. */
const searchOf = (data) => ({
  data: { query: 'a', provider: 'documents', ...data },
  request_id: 'a',
  seconds_taken: 0.1,
});

describe('List videos', () => {
  const list = async (page, text) => {
    await page.getByRole('tab', { name: 'List videos' }).click();
    await page.getByLabel('Playlist, channel or words').fill(text);
    await page.getByRole('button', { name: 'List', exact: true }).click();
  };

  test('the ticked videos of a channel are summarized, each with its own bar', async () => {
    const { page, close } = await open();
    await list(page, '@sample-talks');
    const lines = page.locator('#list .videos > li');
    await lines.nth(6).waitFor();
    assert.equal(await lines.count(), 7);
    const start = page.getByRole('button', { name: 'Tick videos to summarize' });
    assert.equal(await start.isDisabled(), true);
    for (const index of [0, 3]) await lines.nth(index).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Summarize 2 videos' }).click();
    for (const index of [0, 3]) await lines.nth(index).locator('p.prose').waitFor();
    assert.equal(await page.locator('#list p.prose').count(), 2);
    await lines.nth(0).getByText('Key points and transcript').click();
    await lines.nth(0).locator('.points li').first().waitFor();
    await close();
  });

  test('words are searched for, and what is wrong with a link is said', async () => {
    const { page, close } = await open({ expectedErrors: /status of 400/ });
    await list(page, 'reefs');
    await page.getByText(/^[12] videos? of/).waitFor();
    await list(page, 'https://www.youtube.com/playlist?list=WL');
    await page.locator('#list .notice.error', { hasText: 'playlist that everyone may see' }).waitFor();
    await close();
  });

  test('a hostile title is text, a live video cannot be ticked, and one failure leaves the others', async () => {
    const { page, close } = await open();
    const item = (content_id, title, more) => ({
      content_id,
      url: `https://www.youtube.com/watch?v=${content_id}`,
      title,
      ...more,
    });
    await answerWith(page, 'list_videos', {
      data: {
        title: '<img src=x onerror=alert(1)>',
        items: [
          item('sampleTalk1', '<b>Reefs</b>'),
          item('liveliveliv', 'Live', { is_live: true, url: 'javascript:alert(1)' }),
          item('missing0000', 'Gone'),
        ],
      },
      seconds_taken: 0.1,
    });
    await list(page, '@hostile');
    await page.getByText('<b>Reefs</b>', { exact: true }).waitFor();
    assert.equal(await page.locator('#list .result img, #list .result b').count(), 0);
    assert.equal(await page.locator('#list a[href^="javascript"]').count(), 0);
    assert.equal(await page.getByRole('checkbox', { name: 'Live' }).isDisabled(), true);
    await page.getByLabel('All videos').check();
    await page.getByRole('button', { name: 'Summarize 2 videos' }).click();
    await page.locator('#list .notice.error').waitFor();
    await page.locator('#list p.prose').waitFor();
    await close();
  });
});

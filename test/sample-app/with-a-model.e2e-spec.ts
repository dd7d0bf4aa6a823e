import { createApp } from '../../sample-app/create-app.js';
import { readSettings } from '../../sample-app/settings.js';
import { startFakeLlm, type FakeLlm } from '../support/fake-llm/fake-llm.mjs';
import { closeHosts, listen, type RunningHost } from '../support/host.js';

describe('the sample app with an OpenAI-compatible model', () => {
  let llm: FakeLlm;
  let host: RunningHost;

  beforeAll(async () => {
    llm = await startFakeLlm();
    const env = { YOUTUBE: 'off', LLM_BASE_URL: llm.url, LLM_API_KEY: 'secret', LLM_MODEL: 'fake-model' };
    host = await listen(await createApp(await readSettings(env), { logger: false }));
  });
  afterAll(async () => {
    await closeHosts();
    await llm.close();
  });

  const summarize = (body: object) =>
    host.http
      .post('/v1/tools/summarize_content')
      .set('X-API-Key', 'demo-key')
      .set('Cache-Control', 'no-cache')
      .send(body);

  it('writes the summary with one call where the talk fits', async () => {
    const { body } = await summarize({ content_id: 'sampleTalk2' }).expect(200);
    expect(body.data).toMatchObject({ method: 'simple', engine: 'fake-model', usage: { model_calls: 1 } });
    expect(body.data.summary.split(/\s+/).length).toBeGreaterThan(40);
    expect(body.data.usage.input_tokens).toBeGreaterThan(3000);
  });

  it('reads the long talk part by part when asked to', async () => {
    const { body } = await summarize({ content_id: 'sampleTalk3', method: 'recursive' }).expect(200);
    expect(body.data).toMatchObject({ method: 'recursive', coverage: 1 });
    expect(body.data.usage.model_calls).toBeGreaterThan(2);
    expect(body.data.key_points.length).toBeGreaterThan(0);
  });

  it('streams the text as it is written, then the checked result', async () => {
    llm.settings.tokensPerSecond = 400;
    const { text } = await summarize({ content_id: 'sampleTalk1' })
      .set('Accept', 'text/event-stream')
      .expect(200);
    expect(text).toMatch(/^event: progress\n/);
    expect(text.match(/^event: delta$/gm)!.length).toBeGreaterThan(3);
    expect(text).toMatch(/event: result\ndata: \{"data".*\n\n$/);
  });

  it('writes the answer of a search, and falls back to the sources when the model is down', async () => {
    const ask = () =>
      host.http
        .post('/v1/tools/search_web')
        .set('X-API-Key', 'demo-key')
        .set('Cache-Control', 'no-cache')
        .send({ query: 'What does the Golgi apparatus do?', llm_answer: true });
    const words = 'modifies, sorts and packs the proteins and lipids';
    llm.settings.answer = (prompt) => {
      const before = prompt.slice(0, prompt.indexOf(words));
      const n = [...before.matchAll(/^\[(\d+)\] /gm)].at(-1)?.[1];
      const answer = `The Golgi apparatus ${words}. [${n}] It also won the 2038 World Cup. [${n}]`;
      return JSON.stringify({ answerable: true, answer, quotes: [{ n: Number(n), quote: words }] });
    };
    const written = await ask().expect(200);
    llm.settings.answer = undefined;
    expect(written.body.data.llm).toMatchObject({ engine: 'fake-model', usage: { model_calls: 2 } });
    expect(written.body.data.llm.answer).toContain(words);
    expect(written.body.data.llm.answer).toContain('2038 World Cup. [?]');
    expect(written.body.data.llm.answerable_probability).toBeGreaterThan(0.5);
    expect(written.body.data.llm.citations).toEqual([expect.objectContaining({ index: 1, quote: words })]);
    llm.settings.fault = () => 'server_error';
    const quoted = await ask().expect(200);
    llm.settings.fault = undefined;
    expect(quoted.body.data.llm).toMatchObject({ engine: 'extractive' });
    expect(quoted.body.data.llm.answer).toMatch(/Golgi.*\[1\]/);
    expect(quoted.body.data.warnings).toContainEqual(
      expect.objectContaining({ code: 'answer_engine_failed' }),
    );
  });

  it('answers with the upstream error when the model is down', async () => {
    llm.settings.fault = () => 'server_error';
    const { body } = await summarize({ content_id: 'sampleTalk1' });
    llm.settings.fault = undefined;
    expect([502, 503]).toContain(body.statusCode);
    expect(JSON.stringify(body)).not.toMatch(/secret|127\.0\.0\.1/);
  });
});

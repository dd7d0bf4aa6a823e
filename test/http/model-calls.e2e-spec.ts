import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import type request from 'supertest';
import { ToolsModule, type RequestEvent, type ToolsModuleOptions } from '../../lib/index.js';
import { eventually } from '../support/eventually.js';
import { startFakeLlm, type FakeLlm, type FakeLlmFault } from '../support/fake-llm/fake-llm.mjs';
import { CORAL_SEGMENTS, OneContentSource, TwoPageProvider } from '../support/fixtures.js';
import { closeHosts, countArrivals, startHost, type RunningHost } from '../support/host.js';
import { recordOpenTelemetry } from '../support/open-telemetry.js';

describe('calls to a model that requests make', () => {
  let llm: FakeLlm;
  let host: RunningHost;
  let events: RequestEvent[];

  beforeEach(async () => {
    llm = await startFakeLlm();
    events = [];
  });
  afterEach(async () => {
    await closeHosts();
    await llm.close();
  });

  const start = async (options: ToolsModuleOptions = {}): Promise<void> => {
    const provider = createOpenAICompatible({ name: 'fake', baseURL: llm.url, includeUsage: true });
    host = await startHost([
      ToolsModule.forRoot({
        apiKeys: ['one', 'two'],
        contentSources: [new OneContentSource()],
        search: { providers: [new TwoPageProvider()] },
        model: provider('fake-model'),
        modelOptions: {
          backOffMs: 1,
          inputPricePerMillion: 1,
          outputPricePerMillion: 10,
        },
        hooks: { onUsage: (event) => void events.push(event) },
        ...options,
      }),
    ]);
  };
  const summarize = (key = 'one'): request.Test =>
    host.http
      .post('/v1/tools/summarize_content')
      .set('X-API-Key', key)
      .set('X-Request-Id', 'req-1')
      .send({ content_id: 'coral' });
  const ended = (count: number): Promise<void> =>
    eventually(
      () => events.length >= count,
      () => `${events.length} events`,
    );

  it('are made again for a summary that was cut off: it is not cached', async () => {
    await start();
    const summary = `${CORAL_SEGMENTS[0]!.text} ${CORAL_SEGMENTS[3]!.text}`;
    llm.settings.answer = () => ({ text: `{"summary":"${summary} Each polyp`, finish: 'length' });
    const { body } = await summarize().expect(200);
    expect(body.data).toMatchObject({ summary, warnings: [{ code: 'summary_truncated' }] });
    expect(llm.calls).toHaveLength(2);
    await summarize().expect(200);
    expect(llm.calls).toHaveLength(4);
  });

  describe('through OpenTelemetry', () => {
    const recorded = recordOpenTelemetry();
    const chats = (): ReadableSpan[] => recorded.spans().filter(({ name }) => name.startsWith('chat'));
    const rootOf = (): ReadableSpan =>
      recorded.spans().find(({ name }) => name === 'nestjs_tools summarize_content')!;

    it('are client spans below that of their request, as the GenAI conventions have them, with no text', async () => {
      await start();
      const { body } = await summarize().expect(200);
      await ended(1);
      const [span, ...others] = chats();
      expect(others).toEqual([]);
      expect(span).toMatchObject({ name: 'chat fake-model', kind: SpanKind.CLIENT });
      expect(span!.parentSpanContext?.spanId).toBe(rootOf().spanContext().spanId);
      const { input_tokens: input, output_tokens: output } = body.data.usage;
      expect(span!.attributes).toMatchObject({
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'fake',
        'gen_ai.request.model': 'fake-model',
        'gen_ai.response.model': 'fake-model',
        'gen_ai.response.finish_reasons': ['stop'],
        'gen_ai.usage.input_tokens': input,
        'gen_ai.usage.output_tokens': output,
        'nestjs_tools.attempt': 1,
        'nestjs_tools.step': 'write',
      });
      const told = JSON.stringify(recorded.spans().map(({ attributes, events: e }) => [attributes, e]));
      expect(told).not.toMatch(/polyp|coral reefs/i);
    });

    it('show each retry', async () => {
      llm.settings.fault = (n) => (n === 0 ? 'server_error' : n === 1 ? 'hang' : undefined);
      await start({ modelOptions: { backOffMs: 1, stallTimeoutMs: 2000 } });
      await summarize().expect(200);
      await ended(1);
      await eventually(
        () => chats().length === 3,
        () => `${chats().length} spans`,
      );
      const told = chats().map(({ attributes: a, status }) => [
        a['nestjs_tools.attempt'],
        a['error.type'],
        status.code === SpanStatusCode.ERROR,
      ]);
      expect(told.sort((a, b) => Number(a[0]) - Number(b[0]))).toEqual([
        [1, 'upstream_unavailable', true],
        [2, 'upstream_timeout', true],
        [3, undefined, false],
      ]);
      const root = rootOf().spanContext().spanId;
      expect(chats().every(({ parentSpanContext }) => parentSpanContext?.spanId === root)).toBe(true);
    });

    it('are in the two histograms of the conventions', async () => {
      await start();
      await summarize().expect(200);
      const points = (await recorded.metrics())
        .filter(({ descriptor }) => descriptor.name.startsWith('gen_ai.'))
        .flatMap(({ descriptor, dataPoints }) =>
          dataPoints
            .filter(({ attributes }) => attributes['error.type'] === undefined)
            .map(({ attributes }) => [
              descriptor.name,
              descriptor.unit,
              attributes['gen_ai.request.model'],
              attributes['gen_ai.token.type'],
            ]),
        );
      expect(points).toEqual([
        ['gen_ai.client.operation.duration', 's', 'fake-model', undefined],
        ['gen_ai.client.token.usage', '{token}', 'fake-model', 'input'],
        ['gen_ai.client.token.usage', '{token}', 'fake-model', 'output'],
      ]);
    });
  });

  describe('are paid for', () => {
    const limits = { dailyTokens: 50 };

    it('where the request fails after them', async () => {
      // The answer breaks off after some words. They have used up the budget, so that it is not asked for again.
      llm.settings.fault = (n) => (n === 0 ? 'cut' : 'server_error');
      await start({ limits });
      await summarize().expect(429);
      await ended(1);
      const { usage, cost, outcome } = events[0]!;
      expect(outcome).toBe('rate_limited');
      expect(llm.calls).toHaveLength(1);
      expect(usage!.modelCalls).toBe(1);
      expect(usage!.inputTokens).toBeGreaterThan(50);
      expect(cost).toBeCloseTo((usage!.inputTokens + 10 * usage!.outputTokens) / 1e6, 10);
      expect((await summarize().expect(429)).body.message).toContain('daily budget');
      await summarize('two').expect(503);
    });

    it('by a budget that many requests at once exceed by one call at most', async () => {
      Object.assign(llm.settings, { ttftMs: 20 });
      await start({ limits: { ...limits, dailyTokens: 1000 }, cache: false });
      const ask = (): request.Test => summarize().set('Cache-Control', 'no-cache');
      const answers = await Promise.all(Array.from({ length: 20 }, ask));
      await ended(20);
      const spent = llm.calls.map(({ promptTokens, completionTokens }) => promptTokens + completionTokens);
      const all = spent.reduce((sum, tokens) => sum + tokens, 0);
      expect(all).toBeGreaterThanOrEqual(1000);
      expect(all - spent.at(-1)!).toBeLessThan(1000);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(llm.calls.length);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(20 - llm.calls.length);
    });

    it('where the client leaves while the model writes', async () => {
      Object.assign(llm.settings, { tokensPerSecond: 50 });
      await start({ limits });
      const leaving = summarize();
      leaving.end(() => undefined);
      await eventually(
        () => llm.running === 1,
        () => 'the model has not been asked',
      );
      leaving.abort();
      await ended(1);
      expect(events[0]).toMatchObject({
        outcome: 'client_closed',
        statusCode: 499,
        usage: { modelCalls: 1 },
      });
      expect(events[0]!.usage!.inputTokens).toBeGreaterThan(50);
      await summarize().expect(429);
    });

    it('by a caller that still waits, or by the last to leave, if several share them', async () => {
      Object.assign(llm.settings, { ttftMs: 60_000 });
      await start({ limits: { ...limits, dailyTokens: 1 } });
      const arrived = countArrivals(host);
      const first = summarize('one');
      first.end(() => undefined);
      await eventually(
        () => llm.running === 1,
        () => 'the model has not been asked',
      );
      const second = summarize('two');
      second.end(() => undefined);
      await arrived(2);
      first.abort();
      await ended(1);
      expect(llm.running).toBe(1);
      second.abort();
      await ended(2);
      expect(events[0]!.usage).toBeUndefined();
      expect(events[1]!.usage).toMatchObject({ modelCalls: 1 });
      await summarize('two').expect(429);
    });

    it('where another engine answers in place of the model', async () => {
      llm.settings.answer = () => 'This is in no form that was asked for.';
      await start({ limits, search: { providers: [new TwoPageProvider()], answerDeadlineMs: 60_000 } });
      const { body } = await host.http
        .post('/v1/tools/search_web')
        .set('X-API-Key', 'one')
        .send({ query: 'coral bleaching', llm_answer: true })
        .expect(200);
      expect(body.data.warnings[0].code).toBe('answer_engine_failed');
      await ended(1);
      expect(events[0]!.usage!.inputTokens).toBeGreaterThan(50);
    });
  });

  describe('are made', () => {
    const PATIENT = { backOffMs: 1 };
    const HURRIED = { ...PATIENT, stallTimeoutMs: 500 };

    it.each<[string, FakeLlmFault[]]>([
      ['it fails', ['server_error']],
      ['it is refused without a time', ['rate_limited']],
      ['it hangs', ['hang']],
      ['it stops in the middle', ['stall']],
      ['it answers nothing', ['empty']],
      ['it meets one after the other', ['rate_limited', 'server_error', 'hang']],
    ])('three times at most when %s', async (_when, faults) => {
      Object.assign(llm.settings, { fault: (n: number) => faults[n % faults.length], retryAfter: null });
      await start({
        modelOptions: faults.some((fault) => fault === 'hang' || fault === 'stall') ? HURRIED : PATIENT,
      });
      const { body } = await summarize();
      expect(body.statusCode).toBeGreaterThanOrEqual(502);
      expect(llm.calls).toHaveLength(3);
    });

    it('once where one attempt is all that is allowed, although it hangs', async () => {
      llm.settings.fault = () => 'hang';
      await start({ modelOptions: { ...HURRIED, attempts: 1 } });
      await summarize().expect(504);
      expect(llm.calls).toHaveLength(1);
    });

    it('again at the time that a 429 names, three times more', async () => {
      Object.assign(llm.settings, { fault: () => 'rate_limited', retryAfter: '0.05' });
      await start({ modelOptions: PATIENT });
      const { headers } = await summarize().expect(503);
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(llm.calls).toHaveLength(6);
      const waits = llm.calls.slice(1).map(({ startedAt }, i) => startedAt - llm.calls[i]!.startedAt);
      expect(Math.min(...waits)).toBeGreaterThanOrEqual(48);
    });

    it('no more where the time that a 429 names is after the deadline', async () => {
      Object.assign(llm.settings, { fault: () => 'rate_limited', retryAfter: '20' });
      await start({ modelOptions: PATIENT, summarize: { deadlineMs: 2000 } });
      const { headers } = await summarize().expect(503);
      expect(Number(headers['retry-after'])).toBe(20);
      expect(llm.calls).toHaveLength(1);
    });
  });

  it('are not made any more while the model fails every time, and the client is told when to come back', async () => {
    llm.settings.fault = () => 'server_error';
    await start({ modelOptions: { backOffMs: 1, attempts: 1 } });
    for (let i = 0; i < 5; i++) await summarize().expect(503);
    const { headers, body } = await summarize().expect(503);
    expect(llm.calls).toHaveLength(5);
    expect(body.message).toContain('not asked for a while');
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(30);
  });
});

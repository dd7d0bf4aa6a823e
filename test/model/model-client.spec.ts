import { once } from 'node:events';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { AiRequest } from '../../lib/model/ai-sdk.js';
import { ContextOverflowError } from '../../lib/model/errors.js';
import { ModelClient } from '../../lib/model/client.js';
import { resolveModelOptions, type ModelOptions } from '../../lib/model/options.js';
import { UsageMeter } from '../../lib/model/usage-meter.js';
import type { ModelCall } from '../../lib/model/call.js';
import { CircuitOpenError, MissingPeerError } from '../../lib/core/errors.js';
import { ToolsHealthIndicator, UpstreamHealth } from '../../lib/core/health.js';
import { ModelProfile } from '../../lib/model/model-profile.js';
import { withContext } from '../../lib/core/context.js';
import { eventually } from '../support/eventually.js';
import { clientOf } from '../support/fake-llm/fake-model.js';
import { startFakeLlm, type FakeLlm, type FakeLlmFault } from '../support/fake-llm/fake-llm.mjs';

Logger.overrideLogger(false);

const PROMPT = '[5] This is a sentence of the video. '.repeat(20);
const call = (more: Partial<ModelCall> = {}): ModelCall => ({
  stage: 'test',
  system: 'Our own words.',
  parts: [{ type: 'text', text: PROMPT }],
  maxOutputTokens: 500,
  ...more,
});
/** Longer than any machine needs. */
const DEADLINE_MS = 120_000;
const only = (index: number, fault: FakeLlmFault) => (n: number) => (n === index ? fault : undefined);

describe('ModelClient', () => {
  let fake: FakeLlm;
  beforeEach(async () => {
    fake = await startFakeLlm();
  });
  afterEach(() => fake.close());

  const ask = (more: Partial<ModelCall> = {}, client = clientOf(fake), meter = new UsageMeter()) =>
    withContext(DEADLINE_MS, {}, (context) => client.generate(call(more), context, meter));

  it('sends our words as the system message, the material as the user message, and no tools', async () => {
    await ask();
    expect(fake.calls[0]?.system).toBe('Our own words.');
    expect(fake.calls[0]?.prompt).toContain('This is a sentence');
    expect(fake.calls[0]?.body.tools).toBeUndefined();
    expect(fake.calls[0]?.body.max_tokens).toBe(500);
  });

  it('passes the text on as it is written and counts what the server counted', async () => {
    Object.assign(fake.settings, { tokensPerSecond: 2000 });
    const deltas: string[] = [];
    const meter = new UsageMeter();
    const { text } = await ask({ onText: (delta) => deltas.push(delta) }, clientOf(fake), meter);
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.join('')).toBe(text);
    const { promptTokens, completionTokens } = fake.calls[0]!;
    expect(meter.usage).toMatchObject({
      modelCalls: 1,
      inputTokens: promptTokens,
      outputTokens: completionTokens,
      stages: { test: { modelCalls: 1 } },
    });
  });

  it.each<[FakeLlmFault, ModelOptions]>([
    ['server_error', {}],
    ['reset', {}],
    ['html', {}],
    ['malformed', {}],
    ['truncated', {}],
    ['cut', {}],
    ['empty', {}],
    ['stall', { stallTimeoutMs: 1000 }],
    ['hang', { stallTimeoutMs: 1000 }],
  ])('gets over one %s', async (fault, options) => {
    fake.settings.fault = only(0, fault);
    const { text } = await ask({}, clientOf(fake, options));
    expect(text).toContain('This is a sentence');
    expect(fake.calls).toHaveLength(2);
  });

  it('asks once more for an answer whose stream was cut, then returns it as truncated', async () => {
    fake.settings.fault = () => 'truncated';
    const answer = await ask();
    expect(answer).toMatchObject({ truncated: true });
    expect(answer.text).not.toBe('');
    expect(fake.calls).toHaveLength(2);
  });

  it('says when passed-on text has to be begun anew', async () => {
    fake.settings.fault = only(0, 'cut');
    let text = '';
    const answer = await ask({ onText: (delta) => (text += delta), onRestart: () => (text = '') });
    expect(text).toBe(answer.text);
  });

  describe('with reasoning left in the text', () => {
    const ANSWER = 'This is what the video says.';
    const streamed = async (client: ModelClient) => {
      let text = '';
      let restarts = 0;
      const answer = await ask(
        {
          onText: (delta) => (text += delta),
          onRestart: () => {
            text = '';
            restarts++;
          },
        },
        client,
      );
      expect(answer.text).toBe(ANSWER);
      expect(text.trimEnd()).toBe(ANSWER);
      return restarts;
    };

    it('takes it out of an answer', async () => {
      fake.settings.tokensPerSecond = 200;
      fake.settings.answer = () => `<think>\nThe user wants a summary.\n</think>\n\n${ANSWER}`;
      expect(await streamed(clientOf(fake))).toBe(0);
    });

    it('says that what was passed on was reasoning where a model closes what it never opened', async () => {
      fake.settings.tokensPerSecond = 400;
      fake.settings.answer = () => `The user wants a summary of the video.\n</think>\n${ANSWER}`;
      expect(await streamed(clientOf(fake))).toBeLessThanOrEqual(1);
    });

    it('gives more tokens to a model that spent all of them on it', async () => {
      fake.settings.answer = (_prompt, _settings, { body }) =>
        Number(body.max_tokens) > 500 ? ANSWER : `<think>${'I think about it. '.repeat(200)}`;
      expect((await ask()).text).toBe(ANSWER);
      expect(fake.calls.map(({ body }) => body.max_tokens)).toEqual([500, 2000]);
    });
  });

  it('tries a failing call three times, then says that the model is not available', async () => {
    fake.settings.fault = () => 'server_error';
    await expect(ask()).rejects.toMatchObject({ code: 'upstream_unavailable' });
    expect(fake.calls).toHaveLength(3);
  });

  it('tries refused credentials once', async () => {
    fake.settings.fault = () => ({ name: '401', status: 401, error: { message: 'bad key sk-123' } });
    const error = (await ask().catch((thrown: unknown) => thrown)) as Error & { shouldRetry: boolean };
    expect(error).toMatchObject({ code: 'upstream_unavailable', shouldRetry: false });
    expect(error.message).not.toContain('sk-123');
    expect(fake.calls).toHaveLength(1);
  });

  it('ends an answer that does not end by itself, and does not ask for it again', async () => {
    let pieces = 0;
    const endless = async function* (): AsyncGenerator<{ type: string; text: string }> {
      for (;;) yield { type: 'text-delta', text: `word ${await Promise.resolve(++pieces)} ` };
    };
    const streamText = jest.fn(() => ({ fullStream: endless() }));
    const sdk = () => Promise.resolve({ streamText, generateText: () => Promise.reject(new Error('asked')) });
    const client = new ModelClient('some/model', {}, { sdk });
    await expect(ask({}, client)).rejects.toMatchObject({ code: 'upstream_invalid', shouldRetry: false });
    expect(streamText).toHaveBeenCalledTimes(1);
    expect(pieces).toBeLessThan(10_000);
  });

  it('waits as long as Retry-After says', async () => {
    Object.assign(fake.settings, { fault: only(0, 'rate_limited'), retryAfter: '0.3' });
    await ask();
    expect(fake.calls[1]!.startedAt - fake.calls[0]!.startedAt).toBeGreaterThanOrEqual(290);
  });

  it('does not sleep through a Retry-After beyond the cap', async () => {
    Object.assign(fake.settings, { fault: () => 'rate_limited', retryAfter: '3600' });
    await expect(ask()).rejects.toMatchObject({ code: 'upstream_unavailable', retryAfterSeconds: 3600 });
    expect(fake.calls).toHaveLength(1);
  });

  describe('whose model is down', () => {
    let shift = 0;
    beforeEach(() => {
      shift = 0;
      const now = performance.now.bind(performance);
      jest.spyOn(performance, 'now').mockImplementation(() => now() + shift);
    });
    afterEach(() => {
      jest.restoreAllMocks();
    });
    const THIRTY_SECONDS = 30_000;

    it('leaves it alone after five failed calls, and asks it again 30 s later', async () => {
      fake.settings.fault = () => 'server_error';
      const client = clientOf(fake, { attempts: 1 });
      for (let i = 0; i < 5; i++) await expect(ask({}, client)).rejects.toThrow('not available');
      await expect(ask({}, client)).rejects.toBeInstanceOf(CircuitOpenError);
      expect(fake.calls).toHaveLength(5);
      shift = THIRTY_SECONDS;
      fake.settings.fault = undefined;
      const answers = await Promise.all([ask({}, client), ask({}, client), ask({}, client)]);
      expect(answers.every(({ text }) => text !== '')).toBe(true);
    });

    it('is asked again after 30 s although it wants an hour, and by nobody before', async () => {
      Object.assign(fake.settings, { fault: only(0, 'rate_limited'), retryAfter: '3600' });
      const client = clientOf(fake);
      await expect(ask({}, client)).rejects.toMatchObject({ retryAfterSeconds: 3600 });
      await expect(ask({}, client)).rejects.toMatchObject({ code: 'upstream_unavailable' });
      expect(fake.calls).toHaveLength(1);
      shift = THIRTY_SECONDS;
      expect((await ask({}, client)).text).not.toBe('');
    });

    it('fails a call at once whose deadline comes before the time that a 429 has named', async () => {
      Object.assign(fake.settings, { fault: only(0, 'rate_limited'), retryAfter: '20' });
      const client = clientOf(fake);
      for (let i = 0; i < 2; i++)
        await expect(
          withContext(5000, {}, (context) => client.generate(call(), context, new UsageMeter())),
        ).rejects.toMatchObject({ code: 'upstream_unavailable' });
      expect(fake.calls).toHaveLength(1);
    });
  });

  describe('one caller whose requests fail for what they are', () => {
    const azure = {
      message:
        "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
      code: 'content_filter',
    };
    it.each<[string, FakeLlmFault]>([
      ['a content filter stops', 'filtered'],
      ['a content filter refuses with 400', { name: 'azure', status: 400, error: azure }],
      [
        'a moderation refuses with 403',
        { name: 'flagged', status: 403, error: { message: 'Input was flagged' } },
      ],
      ['the server refuses with 400', { name: 'bad', status: 400, error: { message: 'Invalid image' } }],
      ['the server refuses with 413', { name: 'large', status: 413, error: { message: 'Too many images' } }],
      ['get empty answers', 'empty'],
      ['get cut answers', 'truncated'],
    ])('that %s does not take the model from others', async (_what, fault) => {
      fake.settings.fault = (_index, { prompt }) => (prompt.includes('hostile') ? fault : undefined);
      const client = clientOf(fake, { attempts: 1 });
      const hostile = { parts: [{ type: 'text' as const, text: 'hostile' }] };
      for (let i = 0; i < 8; i++) await ask(hostile, client).catch(() => undefined);
      expect(fake.calls).toHaveLength(8);
      expect((await ask({}, client)).text).not.toBe('');
    });

    it('that makes the model write for longer than the time of a call does not take it from others', async () => {
      const slow = async function* (signal: AbortSignal): AsyncGenerator<{ type: string; text: string }> {
        yield { type: 'text-delta', text: 'word ' };
        await once(signal, 'abort');
      };
      const streamText = jest.fn(({ abortSignal }: AiRequest) => ({ fullStream: slow(abortSignal) }));
      const sdk = () =>
        Promise.resolve({ streamText, generateText: () => Promise.reject(new Error('asked')) });
      const client = new ModelClient('some/model', { attempts: 1, callTimeoutMs: 100 }, { sdk });
      for (let i = 0; i < 6; i++)
        await expect(ask({}, client)).rejects.toMatchObject({ code: 'upstream_timeout' });
      expect(streamText).toHaveBeenCalledTimes(6);
    });
  });

  it('keeps asking a model that is silent until the deadline of a request', async () => {
    fake.settings.fault = (_index, { prompt }) => (prompt.includes('hostile') ? 'hang' : undefined);
    const client = clientOf(fake, { attempts: 1 });
    const hostile = call({ parts: [{ type: 'text', text: 'hostile' }] });
    for (let i = 0; i < 6; i++)
      await expect(
        withContext(50, {}, (context) => client.generate(hostile, context, new UsageMeter())),
      ).rejects.toMatchObject({ code: 'upstream_timeout' });
    expect((await ask({}, client)).text).not.toBe('');
  });

  it.each([
    [402, 'out of quota', 'Top up the account', { message: 'Insufficient credits. Add more in settings.' }],
    [
      429,
      'out of quota',
      'Top up the account',
      { message: 'x', details: { error_code: 'enforced_spend_limit_reached' } },
    ],
    [403, 'out of quota', 'Top up the account', { message: 'Key limit exceeded (daily limit).' }],
    [
      400,
      'refused the credentials',
      'Check the API key',
      { message: 'API key not valid. Pass a valid API key.' },
    ],
  ])(
    'leaves a model alone that answers %i “%s”: one call, health is down, the log says “%s”',
    async (status, message, advice, error) => {
      const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
      const health = new UpstreamHealth();
      fake.settings.fault = () => ({ name: 'outage', status, error });
      const client = clientOf(fake, {}, { health });
      await expect(ask({}, client)).rejects.toThrow(message);
      await expect(ask({}, client)).rejects.toMatchObject({
        shouldRetry: false,
        code: 'upstream_unavailable',
      });
      expect(fake.calls).toHaveLength(1);
      expect(new ToolsHealthIndicator(health).check()['tools']!.status).toBe('down');
      expect(logged.mock.calls).toEqual([[expect.stringContaining(advice)]]);
      logged.mockRestore();
    },
  );

  it('loses nothing in a storm of 429s and goes on at the pace of the server', async () => {
    Object.assign(fake.settings, { maxParallel: 2, retryAfter: '0.05', ttftMs: 400 });
    const client = clientOf(fake);
    const answers = await Promise.all(Array.from({ length: 16 }, () => ask({}, client)));
    expect(answers.every(({ text }) => text.length > 0)).toBe(true);
    expect(fake.calls.length).toBeLessThan(16 * 2);
  });

  it('gives up a hung call and begins it again, also where only one call at a time is allowed', async () => {
    fake.settings.fault = only(0, 'hang');
    const client = clientOf(fake, { maxParallelCalls: 1, stallTimeoutMs: 1000 });
    // The first would never end by itself.
    await ask({}, client);
    expect(fake.calls).toHaveLength(2);
    await eventually(
      () => fake.running === 0,
      () => `${fake.running} calls are open`,
    );
  });

  it('repeats an answer that was cut because thinking took its tokens, and gives later ones more', async () => {
    fake.settings.answer = (_prompt, _settings, { index }) =>
      index === 0 ? { text: 'The first half', finish: 'length' } : 'The whole.';
    fake.settings.usage = { completion_tokens_details: { reasoning_tokens: 400 } };
    const client = clientOf(fake, { maxOutputTokens: 1500 });
    expect(await ask({}, client)).toMatchObject({ truncated: false });
    await ask({}, client);
    expect(fake.calls.map(({ body }) => body.max_tokens)).toEqual([500, 1500, 1500]);
  });

  it('gives a model that thought away its tokens more of them', async () => {
    fake.settings.fault = only(0, 'out_of_tokens');
    await ask();
    expect(fake.calls.map(({ body }) => body.max_tokens)).toEqual([500, 2000]);
  });

  describe('learning the window', () => {
    const long = call({ parts: [{ type: 'text', text: PROMPT.repeat(60) }] });

    it('takes half of a prompt for the window that the server refuses as too long', async () => {
      fake.settings.contextTokens = 300;
      const client = clientOf(fake);
      await expect(ask(long, client)).rejects.toBeInstanceOf(ContextOverflowError);
      const { contextTokens } = client.profile;
      expect(contextTokens).toBeLessThan(8000);
      await expect(ask(long, client)).rejects.toThrow(`window ${contextTokens} tokens`);
      expect(fake.calls).toHaveLength(1);
    });

    it('does not look into the raw body, where servers repeat the request', async () => {
      const body = { detail: [{ msg: 'invalid', input: 'the maximum context length is 3000 tokens' }] };
      fake.settings.fault = only(0, { name: 'invalid', status: 400, error: body });
      const client = clientOf(fake);
      await expect(ask({}, client)).rejects.toMatchObject({ code: 'upstream_unavailable' });
      expect(client.profile.contextTokens).toBe(128_000);
    });

    it('never goes below what the host has set', async () => {
      fake.settings.contextTokens = 3000;
      const client = clientOf(fake, { contextTokens: 20_000 });
      await expect(ask(long, client)).rejects.toBeInstanceOf(ContextOverflowError);
      expect(client.profile.contextTokens).toBe(20_000);
    });

    it('forgets the lesson after ten minutes, and never guesses less than 4,096 tokens', () => {
      const profile = new ModelProfile(resolveModelOptions({}));
      profile.learnOverflow(1000);
      expect(profile.contextTokens).toBe(4096);
      const later = performance.now() + 600_000;
      const clock = jest.spyOn(performance, 'now').mockReturnValue(later);
      expect(profile.contextTokens).toBe(128_000);
      clock.mockRestore();
    });
  });

  it('charges the estimate where a server reports 0 tokens', async () => {
    fake.settings.counts = false;
    const meter = new UsageMeter();
    const spent: number[] = [];
    await withContext(DEADLINE_MS, { spend: ({ inputTokens }) => spent.push(inputTokens) }, (context) =>
      clientOf(fake).generate(call(), context, meter),
    );
    expect(meter.usage.inputTokens).toBeGreaterThan(100);
    expect(meter.usage.outputTokens).toBeGreaterThan(10);
    expect(spent).toEqual([meter.usage.inputTokens]);
  });

  it('prices prompt tokens that came from the cache of the provider apart', async () => {
    fake.settings.usage = { prompt_tokens_details: { cached_tokens: 100 } };
    const prices = { inputPricePerMillion: 1e6, cachedInputPricePerMillion: 1e5, outputPricePerMillion: 0 };
    const meter = new UsageMeter();
    await ask({}, clientOf(fake, prices), meter);
    expect(meter.usage.cachedInputTokens).toBe(100);
    expect(meter.usage.cost).toBeCloseTo(fake.calls[0]!.promptTokens - 90);
  });

  it('refuses a call that would exceed the budget before anything is sent', async () => {
    const meter = new UsageMeter({ tokens: 400 });
    await expect(ask({}, clientOf(fake), meter)).rejects.toMatchObject({ code: 'content_too_long' });
    expect(fake.calls).toHaveLength(0);
  });

  it('closes the connection at once when the caller leaves, and sends nothing more', async () => {
    Object.assign(fake.settings, { ttftMs: 600_000 });
    const controller = new AbortController();
    const client = clientOf(fake, { maxParallelCalls: 2 });
    const meter = new UsageMeter();
    const running = withContext(DEADLINE_MS, { signal: controller.signal }, (context) =>
      Promise.all(Array.from({ length: 6 }, () => client.generate(call(), context, meter))),
    ).catch((error: unknown) => error);
    while (fake.calls.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    const reason = new Error('left');
    controller.abort(reason);
    expect(await running).toBe(reason);
    await eventually(
      () => fake.running === 0,
      () => `${fake.running} calls are open`,
    );
    expect(fake.calls).toHaveLength(2);
  });

  it('names the install command when the package ai is missing', async () => {
    const missing = new MissingPeerError('ai', 'A language model');
    const client = new ModelClient('some/model', {}, { sdk: () => Promise.reject(missing) });
    await expect(ask({}, client)).rejects.toThrow('npm install ai');
  });

  it('starts no more calls in a minute than allowed', async () => {
    const client = clientOf(fake, { callsPerMinute: 2 });
    const controller = new AbortController();
    const answers: string[] = [];
    const running = withContext(DEADLINE_MS, { signal: controller.signal }, (context) =>
      Promise.all(
        [1, 2, 3].map(async () =>
          answers.push((await client.generate(call(), context, new UsageMeter())).text),
        ),
      ),
    ).catch(() => undefined);
    await eventually(
      () => answers.length >= 2,
      () => `${answers.length} answers`,
    );
    // What another client asks now arrives after anything that did not wait.
    await ask({}, clientOf(fake));
    expect(fake.calls).toHaveLength(3);
    controller.abort(new Error('enough'));
    await running;
  });
});

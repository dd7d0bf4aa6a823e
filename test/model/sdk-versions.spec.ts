import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import { createOpenAICompatible as createV3 } from '@ai-sdk/openai-compatible';
import * as ai6 from 'ai';
import * as ai7 from 'ai-7';
import { createOpenAI as createOpenAI4 } from 'ai-sdk-openai-4';
import { createOpenAICompatible as createV2 } from 'openai-compatible-1';
import { createOpenAICompatible as createV4 } from 'openai-compatible-3';
import { NotConfiguredError } from '../../lib/core/errors.js';
import { withContext } from '../../lib/core/context.js';
import type { AiSdk, LanguageModelLike } from '../../lib/model/ai-sdk.js';
import type { ModelReply } from '../../lib/model/call.js';
import { ModelClient } from '../../lib/model/client.js';
import { ContextOverflowError } from '../../lib/model/errors.js';
import { UsageMeter } from '../../lib/model/usage-meter.js';
import { startFakeLlm, type FakeLlm, type FakeLlmFault } from '../support/fake-llm/fake-llm.mjs';

Logger.overrideLogger(false);

const SDKS: [string, unknown][] = [
  ['ai 6', ai6],
  ['ai 7', ai7],
];
/** Providers with models of each specification version, each made with the options that all of them share. */
const PROVIDERS: [string, (baseURL: string) => LanguageModelLike][] = [
  ['v2', (baseURL) => createV2({ name: 'fake', baseURL, apiKey: 'key', includeUsage: true })('fake-model')],
  ['v3', (baseURL) => createV3({ name: 'fake', baseURL, apiKey: 'key', includeUsage: true })('fake-model')],
  ['v4', (baseURL) => createV4({ name: 'fake', baseURL, apiKey: 'key', includeUsage: true })('fake-model')],
];
/** Version 6 of the SDK does not take models of version 4. */
const PAIRS = SDKS.flatMap(([sdkName, sdk]) =>
  PROVIDERS.map(([version, model]) => [sdkName, version, sdk, model] as const),
).filter(([sdkName, version]) => sdkName !== 'ai 6' || version !== 'v4');

// Version 6 and 7 warn on the console of each model of version 2.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

const PROMPT = '[5] This is a sentence of the video. '.repeat(20);

function ask(sdk: unknown, model: LanguageModelLike, meter = new UsageMeter()): Promise<ModelReply> {
  const options = { stallTimeoutMs: 5000, backOffMs: 5 };
  const client = new ModelClient(model, options, { sdk: () => Promise.resolve(sdk as AiSdk) });
  const call = { stage: 'test', system: 'Our own words.', maxOutputTokens: 500 };
  return withContext(10_000, {}, (context) =>
    client.generate({ ...call, parts: [{ type: 'text', text: PROMPT }] }, context, meter),
  );
}

describe.each(PAIRS)('%s with a model of specification %s', (_sdk, _version, sdk, modelOf) => {
  let fake: FakeLlm;
  beforeEach(async () => {
    fake = await startFakeLlm();
  });
  afterEach(() => fake.close());

  it('reads a streamed answer and its usage', async () => {
    const meter = new UsageMeter();
    const { text, truncated } = await ask(sdk, modelOf(fake.url), meter);
    expect(text).toBe(fake.calls[0]!.answer);
    expect(truncated).toBe(false);
    expect(meter.usage).toMatchObject({
      modelCalls: 1,
      inputTokens: fake.calls[0]!.promptTokens,
      outputTokens: fake.calls[0]!.completionTokens,
    });
  });

  it('asks once more for an answer that was cut, then marks it as truncated', async () => {
    fake.settings.fault = () => 'truncated';
    const { text, truncated } = await ask(sdk, modelOf(fake.url));
    expect(fake.calls[1]!.answer).toContain(text);
    expect(truncated).toBe(true);
    expect(fake.calls).toHaveLength(2);
  });

  it.each<[string, FakeLlmFault, object]>([
    ['a content filter', 'filtered', { code: 'upstream_invalid', shouldRetry: false }],
    [
      'refused credentials',
      { name: '401', status: 401, error: { message: 'bad key' } },
      { code: 'upstream_unavailable', shouldRetry: false },
    ],
    [
      'an empty account',
      { name: '402', status: 402, error: { message: 'Insufficient credits' } },
      { code: 'upstream_unavailable', shouldRetry: false },
    ],
  ])('tells %s from other failures', async (_what, fault, expected) => {
    fake.settings.fault = () => fault;
    await expect(ask(sdk, modelOf(fake.url))).rejects.toMatchObject(expected);
    expect(fake.calls).toHaveLength(1);
  });

  it.each<[string, object, object]>([
    [
      'a content filter',
      { message: 'The response was filtered.', type: null, param: 'prompt', code: 'content_filter' },
      { code: 'upstream_invalid', shouldRetry: false },
    ],
    [
      'a content filter without a code',
      { message: 'Your prompt was flagged by the moderation.' },
      { code: 'upstream_invalid', shouldRetry: false },
    ],
    [
      'an empty account',
      { message: 'You exceeded your current quota.', type: 'insufficient_quota', code: 'insufficient_quota' },
      { message: 'The account of the language model is out of quota.', shouldRetry: false },
    ],
    [
      'refused credentials',
      { message: 'Incorrect API key.', type: 'invalid_request_error', code: 'invalid_api_key' },
      { message: 'The language model refused the credentials (status 401).', shouldRetry: false },
    ],
    [
      'an unknown model (vLLM)',
      { message: 'The model `x` does not exist.', type: 'NotFoundError', param: null, code: 404 },
      { message: 'The language model was not found (status 404).', shouldRetry: false },
    ],
    [
      'a refused request (vLLM)',
      { message: 'n must be 1.', type: 'BadRequestError', param: null, code: 400 },
      { message: 'The language model refused the request (status 400).', shouldRetry: false },
    ],
  ])('tells %s inside of a stream from other failures', async (name, error, expected) => {
    for (const after of [0, 12]) {
      fake.reset();
      fake.settings.fault = () => ({ name, error, after });
      const thrown = await ask(sdk, modelOf(fake.url)).catch((one: unknown) => one);
      expect(thrown).toMatchObject(expected);
      // A server that refuses a key may repeat it.
      if (name !== 'refused credentials')
        expect((thrown as Error).cause).toMatchObject({ message: (error as Error).message });
      expect(fake.calls).toHaveLength(1);
    }
  });

  it('waits for a limit, and gets over a server error, inside of a stream', async () => {
    const errors = [
      { message: 'Rate limit reached. Please try again in 50ms.', code: 'rate_limit_exceeded' },
      { message: 'Overloaded', type: 'overloaded_error' },
      { message: 'Provider disconnected', code: 'server_error' },
    ];
    fake.settings.fault = (index) => errors[index] && { name: 'in stream', error: errors[index] };
    expect((await ask(sdk, modelOf(fake.url))).text).toBe(fake.calls[3]!.answer);
  });

  it('reads a prompt that is too long inside of a stream', async () => {
    const error = { message: "This model's maximum context length is 8192 tokens.", code: 400 };
    fake.settings.fault = () => ({ name: 'in stream', error });
    await expect(ask(sdk, modelOf(fake.url))).rejects.toBeInstanceOf(ContextOverflowError);
  });

  it('waits for a 429, and gets over a server error', async () => {
    Object.assign(fake.settings, { retryAfter: '0.05' });
    fake.settings.fault = (index) => (['rate_limited', 'server_error'] as const)[index];
    expect((await ask(sdk, modelOf(fake.url))).text).toBe(fake.calls[2]!.answer);
  });

  it('reads the error for a prompt that is too long', async () => {
    fake.settings.contextTokens = 100;
    await expect(ask(sdk, modelOf(fake.url))).rejects.toBeInstanceOf(ContextOverflowError);
  });
});

it('names the mismatch where version 6 gets a model of version 4', async () => {
  const model = createV4({ name: 'fake', baseURL: 'http://127.0.0.1:9/v1' })('fake-model');
  const error = await ask(ai6, model).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(NotConfiguredError);
  expect((error as Error).message).toContain('another major version of the package `ai`');
});

describe('version 7 with the API of OpenAI, whose connection breaks off', () => {
  let server: Server;
  let requests = 0;
  const EVENTS = {
    '/v1/responses': [
      { type: 'response.created', response: { id: 'r1', created_at: 1, model: 'm' } },
      { type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'm1' } },
      { type: 'response.output_text.delta', item_id: 'm1', delta: 'The vaccine is safe, but only if' },
    ],
    '/v1/chat/completions': [
      {
        id: 'c1',
        object: 'chat.completion.chunk',
        created: 1,
        model: 'm',
        choices: [{ index: 0, delta: { content: 'The vaccine is safe, but only if' }, finish_reason: null }],
      },
    ],
  };
  beforeAll(async () => {
    server = createServer((request, response) => {
      requests++;
      request.resume().on('end', () => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const event of EVENTS[request.url as keyof typeof EVENTS])
          response.write(`data: ${JSON.stringify(event)}\n\n`);
        response.end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it.each(['responses', 'chat'] as const)('does not take the first half for an answer (%s)', async (api) => {
    requests = 0;
    const { port } = server.address() as AddressInfo;
    const provider = createOpenAI4({ baseURL: `http://127.0.0.1:${port}/v1`, apiKey: 'key' });
    const answer = await ask(ai7, provider[api]('m'));
    expect(answer).toEqual({ text: 'The vaccine is safe, but only if', truncated: true });
    expect(requests).toBe(2);
  });
});

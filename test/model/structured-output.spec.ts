import { jest } from '@jest/globals';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Logger } from '@nestjs/common';
import { simulateStreamingMiddleware, wrapLanguageModel } from 'ai';
import { withContext } from '../../lib/core/context.js';
import type { ModelCall } from '../../lib/model/call.js';
import { ModelClient } from '../../lib/model/client.js';
import { type ModelOptions } from '../../lib/model/options.js';
import { UsageMeter } from '../../lib/model/usage-meter.js';
import { startFakeLlm, type FakeLlm } from '../support/fake-llm/fake-llm.mjs';

// Failures of the fake server.
Logger.overrideLogger(false);

const SCHEMA = {
  type: 'object',
  properties: { answer: { type: 'string' } },
  required: ['answer'],
  additionalProperties: false,
};
const CALL: ModelCall = {
  stage: 'answer',
  system: 'Reply with JSON.',
  parts: [{ type: 'text', text: 'What?' }],
  maxOutputTokens: 100,
  schema: { name: 'answer', schema: SCHEMA },
};

describe('structured output', () => {
  let fake: FakeLlm;
  beforeEach(async () => {
    fake = await startFakeLlm();
    fake.settings.answer = () => '{"answer": "yes"}';
  });
  afterEach(() => fake.close());

  const clientOf = (supportsStructuredOutputs?: boolean, options: ModelOptions = {}) => {
    const provider = createOpenAICompatible({
      name: 'fake',
      baseURL: fake.url,
      apiKey: 'key',
      includeUsage: true,
      supportsStructuredOutputs,
    });
    return new ModelClient(provider('fake-model'), { backOffMs: 10, ...options });
  };
  const ask = (client: ModelClient, call = CALL) =>
    withContext(10_000, {}, (context) => client.generate(call, context, new UsageMeter()));
  const formats = () => fake.calls.map(({ body }) => body['response_format']);

  it('asks by schema where the provider takes one', async () => {
    await ask(clientOf(true));
    expect(formats()).toMatchObject([
      { type: 'json_schema', json_schema: { name: 'answer', schema: SCHEMA } },
    ]);
  });

  it('asks for any JSON where the provider takes no schema, without a warning on the console', async () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    await ask(clientOf());
    expect(formats()).toEqual([{ type: 'json_object' }]);
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  it('is asked for as any JSON where a wrapper hides that the provider takes no schema', async () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const provider = createOpenAICompatible({ name: 'fake', baseURL: fake.url, apiKey: 'key' });
    const model = wrapLanguageModel({
      model: provider('fake-model'),
      middleware: simulateStreamingMiddleware(),
    });
    const client = new ModelClient(model, { backOffMs: 10 });
    for (let i = 0; i < 3; i++) expect((await ask(client)).text).toBe('{"answer": "yes"}');
    expect(formats()).toEqual(Array(3).fill({ type: 'json_object' }));
    warn.mockRestore();
  });

  it('is not asked for by calls without a schema, nor where the host turned it off', async () => {
    await ask(clientOf(true), { ...CALL, schema: undefined });
    await ask(clientOf(true, { structuredOutput: false }));
    expect(formats()).toEqual([undefined, undefined]);
  });

  it.each([400, 415, 422, 501])(
    'is left out from then on by a server that refuses it with %i',
    async (status) => {
      fake.settings.fault = (_, { body }) =>
        body['response_format'] === undefined
          ? undefined
          : { name: 'refused', status, error: { message: "'response_format' is not supported" } };
      const client = clientOf(true);
      expect((await ask(client)).text).toBe('{"answer": "yes"}');
      expect((await ask(client)).text).toBe('{"answer": "yes"}');
      expect(formats().map((format) => format !== undefined)).toEqual([true, false, false]);
    },
  );

  it.each([
    {
      message: "'response_format' of type 'json_schema' is not supported",
      type: 'BadRequestError',
      code: 400,
    },
    { message: 'This server does not take response_format.' },
  ])('is left out from then on by a server that refuses it inside of a stream: %j', async (error) => {
    fake.settings.fault = (_, { body }) =>
      body['response_format'] === undefined ? undefined : { name: 'in stream', error };
    const client = clientOf(true);
    expect((await ask(client)).text).toBe('{"answer": "yes"}');
    expect((await ask(client)).text).toBe('{"answer": "yes"}');
    expect(formats().map((format) => format !== undefined)).toEqual([true, false, false]);
  });

  it.each([
    { message: 'Refused.', code: 'content_filter' },
    { message: 'Your credit balance is too low to access.', type: 'invalid_request_error' },
  ])('is no reason to ask again for what is refused for another one: %j', async (error) => {
    for (const fault of [
      { name: 'in stream', error },
      { name: '400', status: 400, error },
    ]) {
      fake.reset();
      fake.settings.fault = () => fault;
      await expect(ask(clientOf(true))).rejects.toMatchObject({ shouldRetry: false });
      expect(fake.calls).toHaveLength(1);
    }
  });

  it('is asked for again when a refusal had another reason', async () => {
    let isBroken = true;
    fake.settings.fault = () =>
      isBroken ? { name: 'refused', status: 400, error: { message: 'bad request' } } : undefined;
    const client = clientOf(true);
    await expect(ask(client)).rejects.toThrow();
    isBroken = false;
    await ask(client);
    expect(formats().at(-1)).toBeDefined();
  });

  it('passes on text that is no JSON', async () => {
    fake.settings.answer = () => 'Yes, "quite" so. [1]';
    expect((await ask(clientOf(true))).text).toBe('Yes, "quite" so. [1]');
  });
});

import { MissingPeerError, UpstreamTimeoutError } from '../../lib/core/errors.js';
import { ContextOverflowError, ModelOutageError, toModelError } from '../../lib/model/errors.js';

const apiCall = (statusCode: number, message = '', responseHeaders: Record<string, string> = {}) =>
  Object.assign(new Error(message), { name: 'AI_APICallError', statusCode, responseHeaders });

describe('toModelError', () => {
  it.each([
    [500, 'upstream_unavailable', true],
    [503, 'upstream_unavailable', true],
    [504, 'upstream_timeout', true],
    [200, 'upstream_invalid', true],
    [400, 'upstream_unavailable', false],
    [401, 'upstream_unavailable', false],
    [404, 'upstream_unavailable', false],
  ])('turns status %i into %s', (status, code, shouldRetry) => {
    expect(toModelError(apiCall(status, 'at http://10.0.0.1/key=abc'))).toMatchObject({ code, shouldRetry });
    expect(toModelError(apiCall(status, 'at http://10.0.0.1/key=abc')).message).not.toContain('10.0.0.1');
  });

  it.each([429, 529])('takes %i as a matter of pace, with the wait that was asked for', (status) => {
    expect(toModelError(apiCall(status, '', { 'retry-after-ms': '1500' }))).toMatchObject({
      retryAfterSeconds: 1.5,
    });
  });

  it.each([
    [
      'OpenAI',
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 13800 tokens. Please reduce the length of the messages.",
    ],
    [
      'vLLM',
      "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (3800 in the messages, 1200 in the completion).",
    ],
    [
      'vLLM, newer',
      "You passed 9001 input tokens and requested 1024 output tokens. However, the model's context length is only 8192 tokens, resulting in a maximum input length of 7168 tokens.",
    ],
    [
      'OpenAI, newer',
      'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300123 tokens.',
    ],
    ['Anthropic', 'prompt is too long: 210000 tokens > 200000 maximum'],
    [
      'Anthropic with max_tokens',
      'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens` and try again',
    ],
    ['Gemini', 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).'],
    ['llama.cpp', 'the request exceeds the available context size (8192 tokens), try increasing it'],
    [
      'Mistral',
      'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
    ],
    [
      'OpenRouter, with separators',
      "This endpoint's maximum context length is 131,072 tokens. However, you requested about 200,000 tokens",
    ],
    ['Bedrock, without numbers', 'Input is too long for requested model.'],
    ['Groq', 'Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 9000'],
  ])('knows a prompt that is too long by the message of %s', (_who, message) => {
    expect(toModelError(apiCall(400, message))).toBeInstanceOf(ContextOverflowError);
  });

  it.each(['Invalid value for temperature', 'model not found', ''])(
    'does not take “%s” for one',
    (message) => {
      expect(toModelError(apiCall(400, message))).not.toBeInstanceOf(ContextOverflowError);
    },
  );

  it('does not repeat a 429 for an empty account', () => {
    const data = { error: { message: 'You exceeded your current quota.', code: 'insufficient_quota' } };
    expect(toModelError(Object.assign(apiCall(429), { data }))).toMatchObject({ shouldRetry: false });
  });

  it.each<[string, number, object]>([
    [
      'Anthropic',
      400,
      { type: 'invalid_request_error', message: 'Your credit balance is too low to access.' },
    ],
    [
      'Anthropic',
      400,
      { message: 'You have reached your specified API usage limits. You will regain access.' },
    ],
    ['Anthropic', 429, { message: 'Slow.', details: { error_code: 'enforced_spend_limit_reached' } }],
    ['OpenAI', 429, { message: 'Quota.', type: 'insufficient_quota', code: 'credit_balance_exhausted' }],
    ['OpenAI', 429, { message: 'Limit.', code: 'organization_spend_limit_exceeded' }],
    ['OpenAI', 429, { message: 'Limit.', code: 'project_spend_limit_exceeded' }],
    ['OpenAI', 429, { message: 'Limit.', code: 'organization_usage_limit_exceeded' }],
    ['OpenRouter', 403, { message: 'Key limit exceeded (total limit).', code: 403 }],
    ['LiteLLM', 400, { message: 'Budget has been exceeded!', type: 'budget_exceeded' }],
    ['any', 402, { message: 'Payment Required' }],
  ])('knows spent money (%s %i %j)', (_who, status, error) => {
    const thrown = Object.assign(apiCall(status, (error as { message: string }).message), {
      data: { error },
    });
    const converted = toModelError(thrown);
    expect(converted).toBeInstanceOf(ModelOutageError);
    expect(converted).toMatchObject({ message: 'The account of the language model is out of quota.' });
    expect(converted).toMatchObject({ shouldRetry: false, retryAfterSeconds: undefined });
  });

  it('knows a key that Gemini refuses with 400', () => {
    const message = 'API key not valid. Please pass a valid API key.';
    expect(toModelError(apiCall(400, message))).toMatchObject({
      message: 'The language model refused the credentials (status 400).',
      shouldRetry: false,
    });
  });

  it('takes words that a server may quote from a prompt for no outage', () => {
    const message = 'Invalid image in “Your credit balance is too low, API key not valid, usage_limit”';
    expect(toModelError(apiCall(400, message))).not.toBeInstanceOf(ModelOutageError);
  });

  it('waits for a limit that only speaks of billing (Gemini), as long as its message says', () => {
    const message =
      'You exceeded your current quota, please check your plan and billing details. Please retry in 34.07s.';
    expect(toModelError(apiCall(429, message))).toMatchObject({
      shouldRetry: true,
      retryAfterSeconds: 34.07,
    });
  });

  it.each([
    ['Please try again in 7.66s.', 7.66],
    ['Please try again in 1m30s.', 90],
    ['Please try again in 6ms.', 0.006],
    ['Slow down.', undefined],
  ])('reads the wait of the message “%s”', (message, retryAfterSeconds) => {
    expect(toModelError(apiCall(429, message))).toMatchObject({ retryAfterSeconds });
  });

  it('reads what servers with bodies of their own say', () => {
    const withBody = (body: unknown) =>
      Object.assign(apiCall(400, 'Bad Request'), { responseBody: JSON.stringify(body) });
    for (const body of [{ error: 'prompt is too long' }, { detail: 'prompt is too long' }])
      expect(toModelError(withBody(body))).toBeInstanceOf(ContextOverflowError);
    expect(toModelError(withBody({ detail: [{ input: 'prompt is too long' }] }))).not.toBeInstanceOf(
      ContextOverflowError,
    );
  });

  it('looks inside the error of a retry layer that is not ours', () => {
    const retry = { name: 'AI_RetryError', lastError: apiCall(400, 'maximum context length is 4096 tokens') };
    expect(toModelError(retry)).toBeInstanceOf(ContextOverflowError);
  });

  it('keeps its own errors', () => {
    const own = new UpstreamTimeoutError('late');
    expect(toModelError(own)).toBe(own);
    const missing = new MissingPeerError('ai', 'A language model');
    expect(toModelError(missing)).toBe(missing);
  });

  it('maps the rest', () => {
    expect(toModelError(new DOMException('late', 'TimeoutError'))).toMatchObject({
      code: 'upstream_timeout',
    });
    expect(toModelError({ name: 'AI_LoadAPIKeyError' })).toMatchObject({ code: 'not_configured' });
    expect(toModelError({ name: 'AI_UnsupportedModelVersionError' })).toMatchObject({
      code: 'not_configured',
    });
    expect(toModelError({ name: 'AI_JSONParseError' })).toMatchObject({ code: 'upstream_invalid' });
    expect(toModelError(apiCall(400, 'blocked by content_filter'))).toMatchObject({
      code: 'upstream_invalid',
      shouldRetry: false,
    });
    expect(toModelError(new TypeError('fetch failed'))).toMatchObject({ code: 'upstream_unavailable' });
    expect(toModelError(undefined)).toMatchObject({ code: 'upstream_unavailable' });
  });

  it.each(['embedding model', 'reranking model'] as const)('names the %s where it is one', (model) => {
    const thrown = [
      apiCall(429),
      apiCall(401),
      apiCall(402),
      apiCall(403),
      apiCall(408),
      apiCall(500),
      apiCall(400, 'maximum context length is 512 tokens'),
      apiCall(400, 'content_filter'),
      Object.assign(new Error('fetch failed'), { name: 'TypeError' }),
      Object.assign(new Error('bad'), { name: 'AI_JSONParseError' }),
      Object.assign(new Error('no key'), { name: 'AI_LoadAPIKeyError' }),
      Object.assign(new Error('none'), { name: 'AI_NoSuchModelError' }),
    ];
    for (const error of thrown) {
      const { message } = toModelError(error, model);
      expect(message).toContain(model);
      expect(message).not.toContain('language model');
    }
  });
});

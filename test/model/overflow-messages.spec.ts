import fc from 'fast-check';
import { parseOverflow } from '../../lib/model/errors.js';

describe('parseOverflow', () => {
  it.each([
    [
      'OpenAI',
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 13800 tokens. Please reduce the length of the messages.",
      8192,
      13800,
    ],
    [
      'vLLM',
      "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (3800 in the messages, 1200 in the completion).",
      4096,
      3800,
    ],
    [
      'vLLM, newer',
      "You passed 9001 input tokens and requested 1024 output tokens. However, the model's context length is only 8192 tokens, resulting in a maximum input length of 7168 tokens.",
      8192,
      9001,
    ],
    [
      'OpenAI, newer',
      'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300123 tokens.',
      272000,
      300123,
    ],
    ['Anthropic', 'prompt is too long: 210000 tokens > 200000 maximum', 200000, 210000],
    [
      'Anthropic with max_tokens',
      'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens` and try again',
      200000,
      undefined,
    ],
    [
      'Gemini',
      'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      1048576,
      1200000,
    ],
    [
      'llama.cpp',
      'the request exceeds the available context size (8192 tokens), try increasing it',
      8192,
      undefined,
    ],
    [
      'Mistral',
      'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      32768,
      40000,
    ],
    [
      'OpenRouter, with separators',
      "This endpoint's maximum context length is 131,072 tokens. However, you requested about 200,000 tokens",
      131072,
      200000,
    ],
    ['Bedrock, without numbers', 'Input is too long for requested model.', undefined, undefined],
  ])('reads the message of %s', (_who, message, limit, requested) => {
    expect(parseOverflow(message)).toMatchObject({
      ...(limit === undefined ? {} : { limit }),
      ...(requested === undefined ? {} : { requested }),
    });
    expect(parseOverflow(message)).not.toHaveProperty('rateLimit');
  });

  it('tells the rate limit of an account from the window of a model', () => {
    const message = 'Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 9000';
    expect(parseOverflow(message)).toMatchObject({ limit: 6000, requested: 9000, rateLimit: true });
  });

  it.each(['Invalid value for temperature', 'model not found', ''])('is undefined for “%s”', (message) => {
    expect(parseOverflow(message)).toBeUndefined();
  });

  it('takes any text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 5000 }), (text) => void parseOverflow(`context length ${text}`)),
    );
  });
});

import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ModelClient } from '../../../lib/model/client.js';
import type { ModelOptions } from '../../../lib/model/options.js';
import type { FakeLlm } from './fake-llm.mjs';

/** A client on the fake server through the real AI SDK. It waits for a slow machine: what hangs or stalls is for the test to say. */
export function clientOf(
  fake: FakeLlm,
  options: ModelOptions = {},
  deps: ConstructorParameters<typeof ModelClient>[2] = {},
): ModelClient {
  const provider = createOpenAICompatible({
    name: 'fake',
    baseURL: fake.url,
    apiKey: 'key',
    includeUsage: true,
  });
  return new ModelClient(
    provider('fake-model'),
    {
      stallTimeoutMs: 60_000,
      backOffMs: 20,
      ...options,
    },
    deps,
  );
}

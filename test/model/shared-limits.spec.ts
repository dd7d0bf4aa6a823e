import type { CallGate, CallLimits } from '../../lib/core/shared-state.js';
import { withContext } from '../../lib/core/context.js';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ModelClient } from '../../lib/model/client.js';
import { type ModelOptions } from '../../lib/model/options.js';
import { UsageMeter } from '../../lib/model/usage-meter.js';
import type { ModelCall } from '../../lib/model/call.js';
import { eventually } from '../support/eventually.js';
import { startFakeLlm, type FakeLlm } from '../support/fake-llm/fake-llm.mjs';

const CALL: ModelCall = {
  stage: 'write',
  system: 'You summarize.',
  parts: [{ type: 'text', text: 'What was said in the talk.' }],
  maxOutputTokens: 500,
};

/** Lets calls in when it is told to, and remembers what it was asked. */
class ToldGate implements CallGate {
  readonly asked: { model: string; limits: CallLimits; tokens: number }[] = [];
  readonly released: (number | undefined)[] = [];
  open = true;
  private readonly waiting: (() => void)[] = [];

  acquire(model: string, limits: CallLimits, tokens: number, signal: AbortSignal) {
    this.asked.push({ model, limits, tokens });
    const permit = { release: (used?: number) => void this.released.push(used) };
    if (this.open) return Promise.resolve(permit);
    return new Promise<typeof permit>((resolve, reject) => {
      this.waiting.push(() => resolve(permit));
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
  }

  letIn(): void {
    for (const enter of this.waiting.splice(0)) enter();
  }
}

describe('calls to a model whose limits are shared', () => {
  let fake: FakeLlm;
  let gate: ToldGate;
  const clientOf = (options: ModelOptions): ModelClient => {
    const provider = createOpenAICompatible({
      name: 'fake',
      baseURL: fake.url,
      apiKey: 'k',
      includeUsage: true,
    });
    const patient = { backOffMs: 20, ...options };
    return new ModelClient(provider('fake-model'), patient, { gate });
  };
  const ask = (client: ModelClient, signal?: AbortSignal): Promise<string> =>
    withContext(5000, { signal }, async (context) => {
      const { text } = await client.generate(CALL, context, new UsageMeter({}));
      return text;
    });

  beforeEach(async () => {
    fake = await startFakeLlm();
    gate = new ToldGate();
  });
  afterEach(() => fake.close());

  it('ask for a permit with the limits that were set, and tell what they have used', async () => {
    await ask(clientOf({ maxParallelCalls: 3, callsPerMinute: 60 }));
    expect(gate.asked).toMatchObject([
      { model: 'fake-model', limits: { maxParallel: 3, callsPerMinute: 60, tokensPerMinute: undefined } },
    ]);
    expect(gate.asked[0]!.tokens).toBeGreaterThanOrEqual(500);
    const [call] = fake.calls;
    expect(gate.released).toEqual([call!.promptTokens + call!.completionTokens]);
  });

  it('ask nobody where no limit was set', async () => {
    await ask(clientOf({}));
    expect(gate.asked).toEqual([]);
  });

  it('are not made before there is a permit, and never when the caller leaves meanwhile', async () => {
    gate.open = false;
    const client = clientOf({ maxParallelCalls: 1 });
    const leaving = new AbortController();
    const left = ask(client, leaving.signal);
    await eventually(
      () => gate.asked.length === 1,
      () => 'nobody was asked',
    );
    // A call without limits needs no permit: it arrives after anything that did not wait.
    await ask(clientOf({}));
    expect(fake.calls).toHaveLength(1);
    leaving.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    // Its place in this process is free again.
    const next = ask(client);
    await eventually(
      () => gate.asked.length === 2,
      () => `${gate.asked.length} were asked`,
    );
    gate.letIn();
    await next;
    expect(fake.calls).toHaveLength(2);
  });

  it('give their permit back when they fail, and ask anew for the next try', async () => {
    fake.settings.fault = (index) => (index === 0 ? 'server_error' : undefined);
    await ask(clientOf({ maxParallelCalls: 2 }));
    expect(gate.asked).toHaveLength(2);
    expect(gate.released).toEqual([0, expect.any(Number)]);
  });

  it('that hang give their place back, and ask anew', async () => {
    fake.settings.fault = (index) => (index === 0 ? 'hang' : undefined);
    await ask(clientOf({ maxParallelCalls: 4, stallTimeoutMs: 1000 }));
    expect(gate.asked).toHaveLength(2);
    expect(gate.released).toHaveLength(2);
    expect(fake.calls.map(({ aborted }) => aborted)).toEqual([true, false]);
  });
});

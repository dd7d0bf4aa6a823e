import { modelCallTelemetry } from '../../lib/model/model-telemetry.js';
import { UpstreamUnavailableError } from '../../lib/core/errors.js';
import { type SpanAttributes, type Telemetry } from '../../lib/core/telemetry.js';

/** Remembers what it is told. */
class Recorder implements Telemetry {
  readonly spans: {
    name: string;
    kind?: string;
    attributes: SpanAttributes;
    failed?: string;
    ended: boolean;
  }[] = [];
  readonly values: [string, number, SpanAttributes][] = [];

  startSpan: Telemetry['startSpan'] = (name, { attributes = {}, kind } = {}) => {
    const span: Recorder['spans'][number] = { name, kind, attributes: { ...attributes }, ended: false };
    this.spans.push(span);
    return {
      set: (more) => void Object.assign(span.attributes, more),
      fail: (type) => void (span.failed = type),
      end: () => void (span.ended = true),
      run: (work) => work(),
    };
  };
  histogram: Telemetry['histogram'] =
    (name) =>
    (value, attributes = {}) => {
      this.values.push([name, value, attributes]);
    };
}

const CALL = {
  operation: 'chat' as const,
  provider: 'openai',
  model: 'gpt-test',
  maxOutputTokens: 500,
  step: 'map',
  attempt: 1,
};

describe('calls to models', () => {
  it('are client spans and histograms as the GenAI conventions have them', async () => {
    const recorder = new Recorder();
    const answer = await modelCallTelemetry(recorder)(CALL, () =>
      Promise.resolve({
        text: 'the secret answer',
        responseModel: 'gpt-test-0613',
        inputTokens: 900,
        outputTokens: 100,
        cachedInputTokens: 640,
        reasoningTokens: 30,
        finishReason: 'stop',
      }),
    );
    expect(answer.text).toBe('the secret answer');
    expect(recorder.spans).toEqual([
      {
        name: 'chat gpt-test',
        kind: 'client',
        ended: true,
        attributes: expect.objectContaining({
          'gen_ai.operation.name': 'chat',
          'gen_ai.provider.name': 'openai',
          'gen_ai.request.model': 'gpt-test',
          'gen_ai.request.max_tokens': 500,
          'gen_ai.response.model': 'gpt-test-0613',
          'gen_ai.usage.input_tokens': 900,
          'gen_ai.usage.output_tokens': 100,
          'gen_ai.usage.cache_read.input_tokens': 640,
          'gen_ai.usage.reasoning.output_tokens': 30,
          'gen_ai.response.finish_reasons': ['stop'],
        }),
      },
    ]);
    expect(
      recorder.values.map(([name, value, labels]) => [name, value > 0, labels['gen_ai.token.type']]),
    ).toEqual([
      ['gen_ai.client.operation.duration', true, undefined],
      ['gen_ai.client.token.usage', true, 'input'],
      ['gen_ai.client.token.usage', true, 'output'],
    ]);
    expect(JSON.stringify(recorder)).not.toContain('secret answer');
  });

  it('that fail carry the type of the error, end their span, and throw the same error', async () => {
    const recorder = new Recorder();
    const failure = new UpstreamUnavailableError('prompt text that must not be recorded');
    const call = modelCallTelemetry(recorder)(CALL, () => Promise.reject(failure));
    await expect(call).rejects.toBe(failure);
    expect(recorder.spans[0]).toMatchObject({ failed: 'upstream_unavailable', ended: true });
    expect(recorder.values[0]![2]).toMatchObject({ 'error.type': 'upstream_unavailable' });
    expect(JSON.stringify(recorder)).not.toContain('prompt text');
  });
});

import { ToolsError, upstreamFaults } from '../core/errors.js';
import type { Telemetry } from '../core/telemetry.js';

interface CallInfo {
  operation: 'chat' | 'embeddings' | 'rerank' | 'transcription';
  /** The provider of the model, e.g. `openai`, `anthropic`, `gcp.gemini`. */
  provider: string;
  model: string;
  maxOutputTokens?: number;
  temperature?: number;
  /** Which step the call is for, e.g. `map`, `write`, `answer`. */
  step: string;
  /** Which try of the same question it is, from 1. */
  attempt: number;
}

/** Facts that a provider reports with its answer; undefined where it does not. */
export interface CallReport {
  inputTokens?: number;
  outputTokens?: number;
  /** Those of the input tokens that came from the provider's cache, and those of the output tokens that were spent on thinking. */
  cachedInputTokens?: number;
  reasoningTokens?: number;
  finishReason?: string;
  /** The model that answered, and the id of its answer. */
  responseModel?: string;
  responseId?: string;
}

const DURATION_BORDERS = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
];
const TOKEN_BORDERS = [
  1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864,
];

/**
 * Calls to models as the GenAI semantic conventions have them (open-telemetry/semantic-conventions-genai, v0.1.0): a client span
 * `{operation} {model}` and the histograms `gen_ai.client.operation.duration` and `gen_ai.client.token.usage`. Prompts and answers are
 * never recorded.
 */
export function modelCallTelemetry(
  telemetry: Telemetry,
): <T extends CallReport>(info: CallInfo, call: () => Promise<T>) => Promise<T> {
  const duration = telemetry.histogram('gen_ai.client.operation.duration', {
    description: 'Duration of a call to a model.',
    unit: 's',
    boundaries: DURATION_BORDERS,
  });
  const tokens = telemetry.histogram('gen_ai.client.token.usage', {
    description: 'Tokens sent to and received from a model.',
    unit: '{token}',
    boundaries: TOKEN_BORDERS,
  });
  return async (info, call) => {
    const asked = {
      'gen_ai.operation.name': info.operation,
      'gen_ai.provider.name': info.provider,
      'gen_ai.request.model': info.model,
    };
    const span = telemetry.startSpan(`${info.operation} ${info.model}`, {
      kind: 'client',
      attributes: {
        ...asked,
        'gen_ai.request.max_tokens': info.maxOutputTokens,
        'gen_ai.request.temperature': info.temperature,
        'nestjs_tools.step': info.step,
        'nestjs_tools.attempt': info.attempt,
      },
    });
    const start = performance.now();
    const seconds = (): number => (performance.now() - start) / 1000;
    try {
      const report = await span.run(call);
      const { inputTokens, outputTokens, finishReason, responseModel, responseId } = report;
      span.set({
        'gen_ai.response.model': responseModel,
        'gen_ai.response.id': responseId,
        'gen_ai.response.finish_reasons': finishReason === undefined ? undefined : [finishReason],
        'gen_ai.usage.input_tokens': inputTokens,
        'gen_ai.usage.output_tokens': outputTokens,
        'gen_ai.usage.cache_read.input_tokens': report.cachedInputTokens,
        'gen_ai.usage.reasoning.output_tokens': report.reasoningTokens,
      });
      const labels = { ...asked, 'gen_ai.response.model': responseModel };
      duration(seconds(), labels);
      if (inputTokens !== undefined) tokens(inputTokens, { ...labels, 'gen_ai.token.type': 'input' });
      if (outputTokens !== undefined) tokens(outputTokens, { ...labels, 'gen_ai.token.type': 'output' });
      return report;
    } catch (error) {
      const type = ToolsError.isInstance(error) ? error.code : 'cancelled';
      span.set({ 'nestjs_tools.upstream_fault': upstreamFaults(error) });
      span.fail(type);
      duration(seconds(), { ...asked, 'error.type': type });
      throw error;
    } finally {
      span.end();
    }
  };
}

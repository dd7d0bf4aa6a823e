import { upstreamFaults } from '../core/errors.js';
import type { RecordValue, Telemetry } from '../core/telemetry.js';

/** A call to a language model, as far as it is known before it is made. */
export interface ModelCall {
  /** What is asked for; `chat` where there are messages. Default `chat`. */
  operation?: 'chat' | 'embeddings' | 'rerank' | 'text_completion';
  /** Who serves the model, e.g. `openai`, `anthropic`, `gcp.gemini`. */
  provider: string;
  /** The model as it is asked for. */
  model: string;
  /** Highest number of tokens that the answer may have. */
  maxOutputTokens?: number;
  /** 0..2. */
  temperature?: number;
  /** Which step the call is for, e.g. `map`, `write`, `answer`. */
  step?: string;
  /** Which try of the same question it is, from 1. */
  attempt?: number;
  /** True for an equal call begun beside one that seems to hang. */
  hedge?: boolean;
}

/** What is known once the model has answered. */
export interface ModelCallResult {
  /** The model that answered, where it is another name. */
  model?: string;
  responseId?: string;
  inputTokens?: number;
  outputTokens?: number;
  /** Why it stopped, e.g. `stop`, `length`. */
  finishReasons?: readonly string[];
}

const DURATION_BORDERS = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
];
const TOKEN_BORDERS = [
  1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864,
];

/**
 * Calls to models as the GenAI semantic conventions have them (opentelemetry.io/docs/specs/semconv/gen-ai): a client span
 * `{operation} {model}` and the histograms `gen_ai.client.operation.duration` and `gen_ai.client.token.usage`. Prompts and answers are
 * never recorded.
 */
export class ModelCallTelemetry {
  private readonly duration: RecordValue;
  private readonly tokens: RecordValue;

  constructor(private readonly telemetry: Telemetry) {
    this.duration = telemetry.histogram('gen_ai.client.operation.duration', {
      description: 'Duration of a call to a model.',
      unit: 's',
      boundaries: DURATION_BORDERS,
    });
    this.tokens = telemetry.histogram('gen_ai.client.token.usage', {
      description: 'Tokens sent to and received from a model.',
      unit: '{token}',
      boundaries: TOKEN_BORDERS,
    });
  }

  /**
   * Makes the call inside its span.
   *
   * @param describe what the value says about the call; a stream is described when it has ended, so `call` resolves then
   * @param errorType stable name of an error; default its class name
   */
  async observe<T>(
    info: ModelCall,
    call: () => Promise<T>,
    describe: (value: T) => ModelCallResult,
    errorType: (error: unknown) => string = classNameOf,
  ): Promise<T> {
    const { operation = 'chat', provider, model } = info;
    const asked = {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': model,
    };
    const span = this.telemetry.startSpan(`${operation} ${model}`, {
      kind: 'client',
      attributes: {
        ...asked,
        'gen_ai.request.max_tokens': info.maxOutputTokens,
        'gen_ai.request.temperature': info.temperature,
        'nestjs_tools.step': info.step,
        'nestjs_tools.attempt': info.attempt,
        'nestjs_tools.hedge': info.hedge,
      },
    });
    const start = performance.now();
    try {
      const value = await span.run(call);
      const result = describe(value);
      const labels = { ...asked, 'gen_ai.response.model': result.model };
      span.set({
        'gen_ai.response.model': result.model,
        'gen_ai.response.id': result.responseId,
        'gen_ai.response.finish_reasons': result.finishReasons,
        'gen_ai.usage.input_tokens': result.inputTokens,
        'gen_ai.usage.output_tokens': result.outputTokens,
      });
      this.duration((performance.now() - start) / 1000, labels);
      const { inputTokens, outputTokens } = result;
      if (inputTokens !== undefined) this.tokens(inputTokens, { ...labels, 'gen_ai.token.type': 'input' });
      if (outputTokens !== undefined) this.tokens(outputTokens, { ...labels, 'gen_ai.token.type': 'output' });
      return value;
    } catch (error) {
      const type = errorType(error);
      span.set({ 'nestjs_tools.upstream_fault': upstreamFaults(error) });
      span.fail(type);
      this.duration((performance.now() - start) / 1000, { ...asked, 'error.type': type });
      throw error;
    } finally {
      span.end();
    }
  }
}

const classNameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');

import {
  Inject,
  Injectable,
  Optional,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  type Provider,
} from '@nestjs/common';
import type { CacheStore } from '../core/cache.js';
import { InvalidOptionError } from '../core/errors.js';
import type { Watcher } from '../core/health.js';
import { MODELS, RESOLVED_OPTIONS, SHARED_STATE, TOOLS_OPTIONS, WATCHER } from '../core/injection-tokens.js';
import { check, parseOption } from '../core/schema.js';
import type { SharedState } from '../core/shared-state.js';
import { isModel, loadAiSdk, type LanguageModelLike } from './ai-sdk.js';
import type { ModelClient } from './client.js';
import type { Budget, ModelOptions } from './options.js';
import type { ModelEnvironment } from './upstream.js';

/** Options for language models. */
export interface ModelModuleOptions {
  /**
   * A language model of the AI SDK (package `ai` 6 or 7), e.g. `openai('…')`: it then writes summaries and answers. Default
   * none: the embedded engines do.
   */
  model?: LanguageModelLike;
  /** Facts about the model: window, parallel calls, calls and tokens a minute, prices. */
  modelOptions?: ModelOptions;
  /** Reads the parts of long transcripts; a cheaper one will do. Default: `model`. */
  mapModel?: LanguageModelLike;
  /** Default: `modelOptions` where `mapModel` is not given, else their defaults. */
  mapModelOptions?: ModelOptions;
  /** Sees the pictures of `multi_modal`. Default: `model`. */
  visionModel?: LanguageModelLike;
  /** Default: `modelOptions` where `visionModel` is not given, else their defaults. */
  visionModelOptions?: ModelOptions;
  /** The most that one request may cost in model calls; checked before each call. Default: no limit. */
  budget?: Budget;
}

const MODEL_DEPENDENTS = [
  'modelOptions',
  'mapModel',
  'mapModelOptions',
  'visionModel',
  'visionModelOptions',
  'budget',
] as const satisfies readonly (keyof ModelModuleOptions)[];

/** The models in use. One that is not set is `model` itself. */
export interface Models {
  model: ModelClient;
  mapModel: ModelClient;
  visionModel: ModelClient;
  budget: Budget;
}

/** Checks which options are given together; {@link createModels} checks the rest. @throws InvalidOptionError */
export function checkModels(options: ModelModuleOptions): void {
  if (options.model === undefined) {
    const useless = MODEL_DEPENDENTS.find((name) => options[name] !== undefined);
    if (useless) throw new InvalidOptionError(useless, 'set together with `model`', options[useless]);
  }
  for (const name of ['model', 'mapModel', 'visionModel'] as const)
    if (options[name] !== undefined) parseOption(name, LANGUAGE_MODEL, options[name]);
}

const LANGUAGE_MODEL = check(
  "a language model of the AI SDK, e.g. openai('…'), or a name of the AI Gateway, e.g. 'openai/…'",
  (value) => isModel(value, 'doGenerate'),
);

/**
 * What all parts of a host share that call models. When the application is closed, it ends their work in the background. After the last
 * request it closes the shared state.
 */
@Injectable()
export class Background implements OnModuleDestroy, OnApplicationShutdown {
  private readonly controller = new AbortController();
  readonly signal = this.controller.signal;
  readonly environment: ModelEnvironment;

  constructor(
    @Inject(WATCHER) { telemetry, health }: Watcher,
    @Inject(TOOLS_OPTIONS) { budget }: ModelModuleOptions,
    @Inject(RESOLVED_OPTIONS) { cache }: { cache?: CacheStore },
    @Optional() @Inject(SHARED_STATE) private readonly shared?: SharedState,
  ) {
    this.environment = { telemetry, health, budget, cache, gate: shared?.calls, signal: this.signal };
  }

  onModuleDestroy(): void {
    this.controller.abort(new Error('The application is being closed.'));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.shared?.close();
  }
}

/**
 * The clients of the models; undefined without a model. Loads the package `ai` at once: loading it holds the event loop for a time that no
 * request should wait for. A host without a model does not load it.
 *
 * @throws InvalidOptionError; MissingPeerError where the package `ai` is not installed
 */
async function createModels(
  options: ModelModuleOptions & { limits?: { dailyCost?: number } },
  { environment }: Background,
): Promise<Models | undefined> {
  const { model, mapModel, visionModel, budget = {} } = options;
  if (model === undefined) return undefined;
  await loadAiSdk();
  const { ModelClient } = await import('./client.js');
  const { checkBudget } = await import('./options.js');
  const clientOf = (
    name: 'model' | 'mapModel' | 'visionModel',
    languageModel: LanguageModelLike,
  ): ModelClient => {
    const client = new ModelClient(languageModel, options[`${name}Options`], {
      ...environment,
      option: name,
    });
    checkBudget(budget, client.options, options.limits?.dailyCost);
    return client;
  };
  const client = clientOf('model', model);
  return {
    model: client,
    mapModel: mapModel === undefined ? client : clientOf('mapModel', mapModel),
    visionModel: visionModel === undefined ? client : clientOf('visionModel', visionModel),
    budget,
  };
}

export const MODEL_PROVIDERS: Provider[] = [
  Background,
  { provide: MODELS, useFactory: createModels, inject: [TOOLS_OPTIONS, Background] },
];

import type { Watcher } from './core/health.js';
import type { SharedState } from './core/shared-state.js';
import { checkBudget, type Budget, type ModelOptions } from './model/options.js';
import { ModelClient } from './model/client.js';
import type { LanguageModelLike } from './model/ai-sdk.js';
import type { ToolsModuleOptions } from './tools.options.js';

/** The models in use; where one is not given it is `model` itself. */
export interface ResolvedModels {
  model: ModelClient;
  mapModel: ModelClient;
  visionModel: ModelClient;
  budget: Budget;
}

/**
 * Makes the clients of the models; in a file of its own, so that a host without a model does not load them.
 *
 * @param model the option of that name
 * @param watcher what watches the calls
 * @param shared what the replicas of the host share; default: nothing
 * @throws InvalidOptionError saying what was expected and what came
 */
export function resolveModels(
  model: LanguageModelLike,
  options: ToolsModuleOptions,
  { telemetry, health }: Watcher,
  shared?: SharedState,
): ResolvedModels {
  const { modelOptions, mapModel, visionModel, budget = {} } = options;
  const clientOf = (name: string, given: LanguageModelLike, own?: ModelOptions): ModelClient =>
    new ModelClient(given, own, { telemetry, health, gate: shared?.calls, optionsName: `${name}Options` });
  const client = clientOf('model', model, modelOptions);
  checkBudget(budget, client.options);
  return {
    model: client,
    mapModel: mapModel === undefined ? client : clientOf('mapModel', mapModel, options.mapModelOptions),
    visionModel:
      visionModel === undefined ? client : clientOf('visionModel', visionModel, options.visionModelOptions),
    budget,
  };
}

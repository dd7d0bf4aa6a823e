import { lazy } from '../core/async.js';
import { modelId, type LanguageModelLike } from '../model/ai-sdk.js';
import type { ModelOptions } from '../model/options.js';
import type { Verifier } from './verifier.js';

/**
 * A {@link Verifier} on a language model: one call for each text. A cheaper model than the one that writes will do.
 *
 * @param options of the model, as `modelOptions`
 * @throws InvalidOptionError with the first text
 */
export function modelVerifier(model: LanguageModelLike, options?: ModelOptions): Verifier {
  const loaded = lazy(async () => {
    const [{ ModelClient }, { UsageMeter }, { verifyWithModel }] = await Promise.all([
      import('../model/client.js'),
      import('../model/usage-meter.js'),
      import('./verifier.js'),
    ]);
    const client = new ModelClient(model, options, { optionsName: 'options of modelVerifier' });
    const verify: Verifier['verify'] = async (question, claims, context, onSpent) => {
      const meter = new UsageMeter();
      try {
        return await verifyWithModel(client, question, claims, context, meter);
      } finally {
        onSpent?.(meter.usage);
      }
    };
    return verify;
  });
  return { name: modelId(model), verify: async (...question) => (await loaded())(...question) };
}

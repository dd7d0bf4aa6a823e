import type { Provider } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { MODELS, RESOLVED_OPTIONS, SUMMARIZER } from '../core/injection-tokens.js';
import { resolveProviderOption, type ProviderOption } from '../core/ports.js';
import { parseOption, port } from '../core/schema.js';
import type { Models } from '../model/model.providers.js';
import { ExtractiveSummarizer } from './extractive/extractive.summarizer.js';
import type { Summarizer } from './summarizer.js';

const OWN = port<Summarizer>('Summarizer', 'engine', 'summarize');

/** The host's own summarizer, else one on the model, else the embedded one. */
async function summarizer(
  { summarizer: own }: { summarizer?: ProviderOption<Summarizer> },
  moduleRef: ModuleRef,
  models?: Models,
): Promise<Summarizer> {
  if (own !== undefined) return parseOption('summarizer', OWN, await resolveProviderOption(own, moduleRef));
  if (models === undefined) return new ExtractiveSummarizer();
  const { ModelSummarizer } = await import('./model-summarizer.js');
  const { ExtractiveEvidence } = await import('./extractive/extractive-evidence.js');
  return new ModelSummarizer({ ...models, evidence: new ExtractiveEvidence() });
}

/** The engine that writes summaries. */
export const SUMMARIZE_PROVIDERS: Provider[] = [
  { provide: SUMMARIZER, useFactory: summarizer, inject: [RESOLVED_OPTIONS, ModuleRef, MODELS] },
];

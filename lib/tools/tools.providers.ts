import type { Provider } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { ContentSource } from '../content/content-source.js';
import { CONTENT_SOURCES, MODELS, RESOLVED_OPTIONS, SUMMARIZER } from '../core/injection-tokens.js';
import { resolveProviderOption, type ProviderOption } from '../core/ports.js';
import { parseOption, port } from '../core/schema.js';
import { ExtractiveSummarizer } from '../embedded/summary/extractive.summarizer.js';
import { resolveVerify, type VerifyOption } from '../grounding/verifier.js';
import type { Models } from '../model/model.providers.js';
import type { Summarizer } from '../summarize/summarizer.js';
import { CallReporter } from './request-log.js';
import { ContentLoader } from './load-content.js';
import { StartChecks } from './start-checks.js';
import { ToolCalls } from './tool-calls.js';
import { TOOLS } from './tools.js';

const OWN_SUMMARIZER = port<Summarizer>('Summarizer', 'engine', 'summarize');

/** The host's own summarizer, else one on the model, else the embedded one. */
async function summarizer(
  {
    summarizer: own,
    summarize: { verify },
  }: { summarizer?: ProviderOption<Summarizer>; summarize: { verify?: VerifyOption } },
  moduleRef: ModuleRef,
  models?: Models,
): Promise<Summarizer> {
  const hasModel = own === undefined && models !== undefined;
  const verifier = await resolveVerify('summarize.verify', verify, hasModel, moduleRef);
  if (own !== undefined)
    return parseOption('summarizer', OWN_SUMMARIZER, await resolveProviderOption(own, moduleRef));
  if (models === undefined) return new ExtractiveSummarizer();
  const { ModelSummarizer } = await import('../summarize/model-summarizer.js');
  return new ModelSummarizer({ ...models, ...(verifier ? { verifier } : {}) });
}

/** The tools as injectable services, and what runs them for callers from outside. */
export const TOOLS_PROVIDERS: Provider[] = [
  { provide: SUMMARIZER, useFactory: summarizer, inject: [RESOLVED_OPTIONS, ModuleRef, MODELS] },
  {
    provide: ContentLoader,
    useFactory: (sources: ContentSource[]) => new ContentLoader(sources),
    inject: [CONTENT_SOURCES],
  },
  ...TOOLS.map(({ service, provider }) => ({ provide: service, ...provider })),
  ToolCalls,
  CallReporter,
  StartChecks,
];

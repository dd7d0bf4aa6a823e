import { Logger } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { lazy } from '../core/async.js';
import { withFork, type CallOptions } from '../core/context.js';
import { MethodUnavailableError, NotConfiguredError } from '../core/errors.js';
import { watchGroup, type Watcher } from '../core/health.js';
import { MODELS, RERANKER, RESOLVED_OPTIONS, SEARCH_PROVIDERS, WATCHER } from '../core/injection-tokens.js';
import { integer, options, withDefault, type Infer } from '../core/schema.js';
import type { OutputSchemaOf } from '../data/output-schema.js';
import { embeddedAnswers } from '../embedded/answer/embedded-answers.js';
import { resolveVerify, VERIFY_OPTION, type VerifyOption } from '../grounding/verifier.js';
import type { Models } from '../model/model.providers.js';
import type { Effort, ReportLength, ResearchState } from '../research/needs.js';
import type { ResearchDeps } from '../research/research.js';
import { resolveFilters, type RequestFilters } from '../search/filters.js';
import type { FindParts } from '../search/find-pages.js';
import { guarded } from '../search/provider-race.js';
import type { GuardedReranker } from '../search/reranker.js';
import type { SearchProvider } from '../search/search-provider.js';
import type { ResolvedSearchOptions } from '../search/search.options.js';
import type { Language } from '../text/languages.js';
import { createPageReader, watchedPages } from '../web/result-pages.js';
import { ResearchDataDto, ResearchDto } from './dto/research.dto.js';
import { checkRequest, outputSchemaOf } from './request-fields.js';
import type { ResultOf } from './result-fields.js';
import { ToolService, type Host, type ToolWork } from './run-tool.js';
import { refusal, type Enabled, type ToolDefinition } from './tool-definition.js';
import type { EarlierQuestion } from '../search/video/stand-alone-question.js';

/** Options of `research`; all are optional. It needs the option `model`, and searches with the option `search`. */
export interface ResearchOptions {
  /** Time for a research on an open connection, ms; a job has at most ten minutes. Default 120,000. */
  deadlineMs?: number;
  /** A second look at the report, as `search.verify`. Default: none. */
  verify?: VerifyOption;
  /** How long reports are kept in the cache, ms; 0 keeps none. Default one hour. */
  cacheTtlMs?: number;
}

const HOUR_MS = 3_600_000;
/** Time of a research as a job, ms; a plain bound. */
const JOB_MS = 600_000;
const RESEARCH_SCHEMA = options({
  deadlineMs: withDefault(integer(1, HOUR_MS), 120_000),
  verify: VERIFY_OPTION,
  cacheTtlMs: withDefault(integer(0, 8760 * HOUR_MS), HOUR_MS),
});
type ResolvedResearchOptions = Infer<typeof RESEARCH_SCHEMA>;

/** A question that takes several searches. */
export interface ResearchRequest<T = unknown> extends RequestFilters {
  /** 1..1000 characters. */
  question: string;
  /** The most rounds of searches: `quick` 1, `standard` 3, `thorough` 4. Default `standard`. */
  effort?: Effort;
  /** `short`, `medium` or `long`: about 150, 350 or 700 words. Default `medium`. */
  length?: ReportLength;
  /** Language of the report. Default: that of the question. */
  outputLanguage?: Language;
  /** Up to 5 earlier questions with their answers, the latest last, 4,000 characters in all. */
  context?: readonly EarlierQuestion[];
  /** The form of `output`, as for `SearchRequest.outputSchema`. */
  outputSchema?: OutputSchemaOf<T>;
}

/** The report on a question; fields as in docs/reference.md. */
export interface ResearchResult<T = unknown> extends ResultOf<ResearchDataDto, T> {}

/** Loaded with the first research. */
const loadRun = lazy(() => import('../research/research.js'));

/**
 * Researches questions in several searches, and reports with sources. The tool `research`, usable without HTTP.
 * @publicApi
 */
export class ResearchService extends ToolService<
  ResearchRequest,
  Omit<ResearchResult, 'cached'>,
  ResolvedResearchOptions
> {
  constructor(
    host: Host,
    private readonly parts: FindParts & Pick<ResearchDeps, 'verifier'>,
    private readonly models?: Models,
  ) {
    super(RESEARCH, host);
  }

  /**
   * Researches one question.
   *
   * Reports as progress: `plan` with `needs`; `search` and `read` of each round; `finding` with its `need` and `url`; `answer` with each piece of the
   * report, and `rewrite` where it begins anew.
   *
   * @throws InvalidRequestError; MethodUnavailableError without a model; NotConfiguredError when the tool is off, or there is nothing to search;
   *   UpstreamUnavailableError or UpstreamInvalidError when every search fails; UpstreamTimeoutError; the caller's reason when it aborts
   */
  async research<T = unknown>(
    request: ResearchRequest<T>,
    call: CallOptions = {},
  ): Promise<ResearchResult<T>> {
    return (await this.answer(request, call)) as ResearchResult<T>;
  }

  protected prepare(request: ResearchRequest): ToolWork<Omit<ResearchResult, 'cached'>> {
    const { models, parts } = this;
    const { providers, options: search, verifier } = parts;
    if (!models) throw new MethodUnavailableError('research needs a language model: set the option `model`.');
    if (providers.length === 0)
      throw new NotConfiguredError(
        'There is nothing to search: configure `search.providers`, e.g. with documents([…]).',
      );
    checkRequest(ResearchDto, request);
    const { effort = 'standard', length = 'medium', outputLanguage, context: before = [] } = request;
    const question = request.question.trim();
    const filters = resolveFilters(request, search);
    const schema = request.outputSchema && outputSchemaOf(request.outputSchema, true);
    const task = { question, effort, length, outputLanguage, before, filters, schema };
    const by = [models.model.id, verifier === 'model' ? verifier : verifier?.name, models.budget];
    const embedded = embeddedAnswers(search.answerThreshold);
    const deps = { ...parts, ...models, embedded };
    return {
      key: [
        { ...task, schema: schema?.json },
        ...by,
        providers.map(({ provider: { name, version } }) => [name, version]),
      ],
      deadlineMs: this.options.deadlineMs,
      run: async (context, spent) => {
        const { ResearchRun } = await loadRun();
        const kept = context.checkpoint?.kept as ResearchState | undefined;
        const ms = context.inJob ? JOB_MS : Infinity;
        const result = await withFork(context, { ms }, (fork) => new ResearchRun(task, deps, kept).run(fork));
        return { question, ...result, usage: spent() };
      },
    };
  }
}

// The tool

async function researchService(
  providers: SearchProvider[],
  host: Host & { research: Enabled<ResolvedResearchOptions>; search: ResolvedSearchOptions },
  moduleRef: ModuleRef,
  watcher: Watcher,
  models?: Models,
  reranker?: GuardedReranker,
): Promise<ResearchService> {
  const { research, search } = host;
  if (research.enabled && !models)
    new Logger('ToolsModule').warn('research needs the option `model`: without it every request gets 501.');
  if (research.enabled) for (const { name } of providers) watcher.health.register('research', name);
  const parts = {
    providers: guarded(providers, watchGroup('research', watcher), search.prices),
    usesDefaults: search.providers === undefined,
    pages: search.pages === false ? undefined : watchedPages(createPageReader(search.pages), watcher.health),
    reranker,
    options: search,
    verifier: await resolveVerify('research.verify', research.verify, models !== undefined, moduleRef),
  };
  return new ResearchService(host, parts, models);
}

/** The option `research`. */
export interface ResearchOption {
  /** Settings of `research`, or true for the defaults. Needs `model`. Default: the tool is off: no route, or 501 with `forRootAsync`. */
  research?: ResearchOptions | boolean;
}

export const RESEARCH: ToolDefinition<'research', ResearchService, ResearchOption> = {
  name: 'research',
  title: 'Research a question',
  description:
    'Answers a question that takes several searches with a report, whose sentences are checked against their sources.',
  request: ResearchDto,
  data: ResearchDataDto,
  answer: 'The report.',
  errors: {
    400: refusal('question', 'must be 1 to 1000 characters long after trimming, received 0'),
  },
  option: { name: 'research', schema: RESEARCH_SCHEMA, byDefault: false },
  service: ResearchService,
  provider: {
    inject: [SEARCH_PROVIDERS, RESOLVED_OPTIONS, ModuleRef, WATCHER, MODELS, RERANKER],
    useFactory: researchService,
  },
  agent: {
    description:
      'Research a question in several web searches. Returns a report with citations, and what is not known. Takes up to two minutes.',
    advice: 'Ask for a shorter length.',
  },
  run: async (service, request, call) => {
    const result = await service.research(request, call);
    return { result, method: result.outcome };
  },
};

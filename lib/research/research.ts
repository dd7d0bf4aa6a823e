import type { ToolContext } from '../core/context.js';
import { failureOf } from '../core/failures.js';
import type { Warning } from '../core/warning.js';
import type { OutputSchema } from '../data/output-schema.js';
import type { Verifier } from '../grounding/verifier.js';
import type { ModelClient } from '../model/client.js';
import type { Budget } from '../model/options.js';
import { UsageMeter } from '../model/usage-meter.js';
import type { Answer, AnswerEngine } from '../search/answer-engine.js';
import { writeAnswer } from '../search/answer/answer-with-fallback.js';
import { ModelAnswer, type ModelAnswerOptions } from '../search/answer/model-answer.js';
import type { SearchQuery } from '../search/search-provider.js';
import type { EarlierQuestion } from '../search/video/stand-alone-question.js';
import { detectLanguage } from '../text/detect-language.js';
import type { Language } from '../text/languages.js';
import { newPassages, PassageFinder, type FinderDeps, type Found } from './find-passages.js';
import { describeNeed, type ResearchState } from './needs.js';
import { planResearch, queryOf, withoutPlan, type Plan } from './plan.js';
import { quotedPassages, reportForm } from './report-form.js';
import { runRounds } from './research-loop.js';
import type { Effort, ReportLength } from './research-values.js';
import { composeResult, type Research } from './research-result.js';

/** A checked request. */
export interface ResearchTask {
  question: string;
  effort: Effort;
  length: ReportLength;
  outputLanguage: Language | undefined;
  /** Earlier questions with their answers. */
  before: readonly EarlierQuestion[];
  filters: Omit<SearchQuery, 'text' | 'count'>;
  schema: OutputSchema | undefined;
}

export interface ResearchDeps extends FinderDeps {
  model: ModelClient;
  budget: Budget;
  /** Takes the place of the model where it fails. */
  embedded: AnswerEngine;
  verifier?: 'model' | Verifier;
}

/** Passages that a question with one need is answered from. */
const AT_ONCE = { perSearch: 8, most: 8 };

/**
 * Researches a question: a plan next to the first search; rounds of searches with one reading call each, until code says that everything was found or nothing
 * new comes; a report, whose sentences are checked. A question with one need is answered from its first search, where that has the answer.
 *
 * @throws UpstreamUnavailableError or UpstreamInvalidError where every search fails; the context's reason when it is aborted; nothing else
 */
export class ResearchRun {
  private readonly meter: UsageMeter;
  private readonly finder: PassageFinder;
  private readonly warnings: Warning[] = [];

  /** @param kept how far another worker came with it */
  constructor(
    private readonly task: ResearchTask,
    private readonly deps: ResearchDeps,
    private readonly kept?: ResearchState,
  ) {
    this.meter = new UsageMeter(deps.budget);
    this.finder = new PassageFinder(deps, task.filters, kept?.pages.length);
  }

  async run(context: ToolContext): Promise<Research> {
    const { deps, finder, task, warnings, kept } = this;
    const { plan, first } = kept ? { plan: kept, first: [] } : await this.begin(context);
    const begun = { ...plan, passages: [], rounds: 0, searches: first.length, pages: finder.readAddresses };
    const state: ResearchState = kept ?? begun;
    const needs = state.needs.map((need) => describeNeed(need, state.needs));
    if (!kept) context.progress({ stage: 'plan', needs });
    const today = new Date();
    const language = task.outputLanguage ?? detectLanguage(state.question) ?? deps.options.language ?? 'en';
    const atOnce = await this.answerAtOnce(state, first, context);
    const work = { ...task, state, language, today };
    const stopped = atOnce
      ? 'complete'
      : await runRounds(work, first, warnings, context, { ...deps, finder, meter: this.meter });
    const answer = atOnce ?? (await this.report(state, language, context));
    const hitOf = finder.hitOf.bind(finder);
    const result = composeResult(state, stopped, answer, hitOf, deps.options.answerThreshold);
    return {
      ...result,
      warnings: [...warnings, ...finder.warnings, ...result.warnings],
      engine: deps.model.id,
    };
  }

  /** Plans next to the search of the question. Where the model fails, the question itself is the plan. */
  private async begin(context: ToolContext): Promise<{ plan: Plan; first: Found[] }> {
    const { question, before } = this.task;
    const { model } = this.deps;
    const planned = planResearch({ question, before }, context, model, this.meter).catch((error: unknown) => {
      const message = `The model did not plan the research (${this.whyNot(error, context)}); the question was searched as it is.`;
      this.warnings.push({ code: 'not_planned', message, transient: true });
      return withoutPlan(question);
    });
    // A question that refers to others finds nothing.
    const isAlone = before.length === 0;
    const searched = isAlone ? this.finder.find([queryOf(question, question)], context) : [];
    const [plan, first] = await Promise.all([planned, searched]);
    return { plan, first };
  }

  /** The answer to a question with one need from its first search; undefined where that has none. */
  private async answerAtOnce(
    state: ResearchState,
    [found]: readonly Found[],
    context: ToolContext,
  ): Promise<Answer | undefined> {
    const { needs, question } = state;
    if (needs.length !== 1 || !found || !('passages' in found)) return undefined;
    const passages = await newPassages([found.passages], [], AT_ONCE, context);
    const answers = this.engine();
    let isAnswered = false;
    try {
      const answer = await writeAnswer({ answers }, question, passages, context, this.task.schema);
      isAnswered = answer.outcome === 'answered';
      if (!isAnswered) return undefined;
      const quoted = answer.citations.flatMap(({ url, quote }) => {
        const passage = passages.findIndex((one) => one.url === url);
        return passage < 0 ? [] : [{ passage, quote }];
      });
      const text = answer.text.replace(/\s?\[(?:\d+|\?)\]/g, '');
      state.passages = passages.map(({ blocks: _, ...passage }) => passage);
      state.needs = [
        { ...needs[0]!, state: 'found', tried: [found.query], findings: [{ text, quotes: quoted }] },
      ];
      return answer;
    } catch {
      context.signal.throwIfAborted();
      return undefined;
    } finally {
      if (!isAnswered) context.progress({ stage: 'rewrite' });
    }
  }

  /** The report from the findings; undefined where there are none, and where the model fails: the findings are the report then. */
  private async report(
    state: ResearchState,
    outputLanguage: Language,
    context: ToolContext,
  ): Promise<Answer | undefined> {
    const { length, before, schema } = this.task;
    const passages = quotedPassages(state);
    if (passages.length === 0) return undefined;
    const answers = this.engine({ form: reportForm(state, length, before), outputLanguage });
    try {
      return await writeAnswer({ answers }, state.question, passages, context, schema);
    } catch (error) {
      const message = `The model did not write the report (${this.whyNot(error, context)}); the findings are the report.`;
      this.warnings.push({ code: 'report_not_written', message, transient: true });
      context.progress({ stage: 'rewrite' });
      return undefined;
    }
  }

  private engine(options: ModelAnswerOptions = {}): AnswerEngine {
    const {
      model,
      embedded,
      verifier,
      options: { answerThreshold: threshold, language },
    } = this.deps;
    const { outputLanguage } = this.task;
    return new ModelAnswer(model, embedded, {
      threshold,
      verifier,
      language,
      outputLanguage,
      meter: this.meter,
      ...options,
    });
  }

  /** Why the model did not do a step, which costs the research nothing else. @throws the context's reason when it is aborted */
  private whyNot(error: unknown, context: ToolContext): string {
    context.signal.throwIfAborted();
    return failureOf(this.deps.model.id, error).code;
  }
}

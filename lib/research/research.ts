import type { ToolContext } from '../core/context.js';
import { failureOf } from '../core/failures.js';
import type { Warning } from '../core/warning.js';
import type { OutputSchema } from '../data/output-schema.js';
import type { Verifier } from '../grounding/verifier.js';
import type { ModelClient } from '../model/client.js';
import { estimatePrompt, roughTokens } from '../model/model-profile.js';
import type { Budget } from '../model/options.js';
import { BudgetExceededError, UsageMeter } from '../model/usage-meter.js';
import type { Answer, AnswerEngine, AnswerPassage } from '../search/answer-engine.js';
import { writeAnswer } from '../search/answer/answer-with-fallback.js';
import { ModelAnswer, type ModelAnswerOptions } from '../search/answer/model-answer.js';
import type { ResolvedFilters } from '../search/filters.js';
import type { FindParts } from '../search/find-pages.js';
import type { EarlierQuestion } from '../search/video/stand-alone-question.js';
import { detectLanguage } from '../text/detect-language.js';
import type { Language } from '../text/languages.js';
import { newPassages, PassageFinder, type Found } from './find-passages.js';
import {
  describeNeed,
  isSettled,
  nextQueries,
  plainQuery,
  type Effort,
  type ReportLength,
  type ResearchState,
  type Stop,
} from './needs.js';
import { planResearch, queryOf, withoutPlan, type Plan } from './plan.js';
import { quotePassages, readingCall, readPassages, type ReadingWork } from './read-passages.js';
import { quotedPassages, reportForm, reportTokens } from './report-form.js';
import { composeResult } from './research-result.js';

export interface ResearchTask {
  question: string;
  effort: Effort;
  length: ReportLength;
  outputLanguage: Language | undefined;
  before: readonly EarlierQuestion[];
  filters: ResolvedFilters;
  schema: OutputSchema | undefined;
}

export interface ResearchDeps extends FindParts {
  model: ModelClient;
  budget: Budget;
  /** Takes the place of the model where it fails. */
  embedded: AnswerEngine;
  verifier?: 'model' | Verifier;
}

const ROUNDS: Record<Effort, number> = { quick: 1, standard: 3, thorough: 4 };
/** So many rounds in a row may find nothing: the second one searches in other words; set by hand. */
const MOST_EMPTY = 2;
/** Passages of one round, and of an answer at once; plain bounds. */
const PER_ROUND = 12;
const AT_ONCE = 8;
/** A further round begins where so many times the time of the longest one is left: the report needs some too; set by hand. */
const ROUND_TIMES = 2;
const REPORT_PROMPT = 1000; // tokens of the report's prompt without its passages, about

/**
 * Researches a question: a plan next to the first search; rounds of searches with one reading call each, until code says that everything was found or nothing
 * new comes; a report, whose sentences are checked. A question with one need is answered from its first search, where that has the answer.
 */
export class ResearchRun {
  private readonly meter: UsageMeter;
  private readonly finder: PassageFinder;
  private readonly warnings: Warning[] = [];
  private readonly today = new Date();
  private state!: ResearchState;

  /** @param kept how far another worker came with it */
  constructor(
    private readonly task: ResearchTask,
    private readonly deps: ResearchDeps,
    private readonly kept?: ResearchState,
  ) {
    this.meter = new UsageMeter(deps.budget);
    this.finder = new PassageFinder(deps, task.filters, this.warn, kept?.pages.length);
  }

  /** @throws UpstreamUnavailableError or UpstreamInvalidError where every search fails; the context's reason when it is aborted; nothing else */
  async run(context: ToolContext) {
    const { deps, finder } = this;
    const first = this.kept ? [] : await this.begin(context);
    this.state = this.kept ?? this.state;
    let answer = await this.answerAtOnce(first, context);
    const stopped = answer ? 'complete' : await this.runRounds(first, context);
    answer ??= await this.report(context);
    const result = composeResult(this.state, stopped, answer, finder.hitOf, deps.options.answerThreshold);
    return { ...result, warnings: [...this.warnings, ...result.warnings], engine: deps.model.id };
  }

  /** Plans next to the search of the question. Where the model fails, the question itself is the plan. @returns what was found */
  private async begin(context: ToolContext): Promise<Found[]> {
    const { question, before } = this.task;
    const { model } = this.deps;
    const planned = planResearch(this.task, context, model, this.meter).catch((error: unknown): Plan => {
      const message = 'did not plan the research ($); the question was searched as it is.';
      this.warnOfModel({ code: 'not_planned', message }, error, context);
      return withoutPlan(question);
    });
    // A question that refers to others finds nothing.
    const searched = before.length === 0 ? this.finder.find([queryOf(question, question)], context) : [];
    const [plan, first] = await Promise.all([planned, searched]);
    const pages = this.finder.readAddresses;
    this.state = { ...plan, passages: [], rounds: 0, searches: first.length, pages };
    context.progress({ stage: 'plan', needs: plan.needs.map((need) => describeNeed(need, plan.needs)) });
    return first;
  }

  /** The answer to a question with one need from its first search; undefined where that has none. */
  private async answerAtOnce(first: readonly Found[], context: ToolContext): Promise<Answer | undefined> {
    const { needs, question } = this.state;
    const passages = needs.length === 1 ? await newPassages(first, [], AT_ONCE, context) : [];
    if (passages.length === 0) return undefined;
    const answer = await this.written(question, passages, {}, context).catch(() =>
      context.signal.throwIfAborted(),
    );
    if (answer?.outcome !== 'answered') {
      context.progress({ stage: 'rewrite' });
      return undefined;
    }
    this.state.passages = passages.map(withoutBlocks);
    Object.assign(needs[0]!, { state: 'found', tried: first.map(({ query }) => query) });
    return answer;
  }

  /**
   * Searches for the needs, round by round, and reads what is new. Each round is kept, so that a job goes on behind it.
   *
   * @param first the search of the question itself
   * @returns why it ended
   * @throws the first failure where every search failed and nothing is known; the context's reason when it is aborted
   */
  private async runRounds(first: readonly Found[], context: ToolContext): Promise<Stop> {
    const { state } = this;
    const made = first.flatMap((search) => ('error' in search ? [] : [search.query]));
    const asked = new Set([...made, ...state.needs.flatMap(({ tried }) => tried)].map(plainQuery));
    let waiting = first;
    let [longest, empty] = [0, 0];
    /** Failed searches were made again, and led to no passage. */
    let isAgain = false;
    for (let isFirst = state.rounds === 0; ;) {
      if (state.needs.every(isSettled)) return 'complete';
      if (state.rounds >= ROUNDS[this.task.effort]) return 'rounds';
      if (!isFirst && context.remainingMs() < ROUND_TIMES * longest) return 'deadline';
      if (!isFirst && !this.affordsRound()) return 'budget';
      const begun = performance.now();
      const found = [...(await this.search(asked, context)), ...waiting];
      waiting = [];
      const failures = found.flatMap((search) => ('error' in search ? [search] : []));
      for (const { query, error } of failures)
        this.warn({
          code: 'search_failed',
          message: `The search for “${query}” failed (${failureOf('search', error).code}).`,
          transient: true,
        });
      if (state.passages.length === 0 && failures.length > 0 && failures.length === found.length)
        throw failures[0]!.error;
      const fresh = await newPassages(found, state.passages, PER_ROUND, context);
      state.pages = [...new Set([...state.pages, ...this.finder.readAddresses])];
      if (fresh.length === 0) {
        if (failures.length === 0 || isAgain) return 'no_new_pages';
        isAgain = true;
        continue;
      }
      [isAgain, isFirst] = [false, false];
      state.rounds++;
      state.passages.push(...fresh.map(withoutBlocks));
      empty = (await this.read(fresh, context)) === 0 ? empty + 1 : 0;
      await context.checkpoint?.keep(state);
      longest = Math.max(longest, performance.now() - begun);
      if (empty === MOST_EMPTY) return 'no_new_findings';
    }
  }

  /** Makes the searches that the needs are waiting for, each once, and notes them there. @param asked was searched before, as `plainQuery` */
  private async search(asked: Set<string>, context: ToolContext): Promise<Found[]> {
    const { needs } = this.state;
    const wanted = needs.flatMap((need) =>
      nextQueries(need, needs).map((query) => ({ need, query, key: plainQuery(query) })),
    );
    const fresh = new Map(wanted.flatMap(({ key, query }) => (asked.has(key) ? [] : [[key, query]])));
    const found = fresh.size > 0 ? await this.finder.find([...fresh.values()], context) : [];
    this.state.searches += fresh.size;
    const failed = new Set(found.flatMap((search) => ('error' in search ? [plainQuery(search.query)] : [])));
    for (const key of fresh.keys()) if (!failed.has(key)) asked.add(key);
    for (const { need, query, key } of wanted) {
      if (!failed.has(key)) need.tried.push(query);
      if (need.findings.length > 0) continue;
      if (failed.has(key)) need.state = 'failed';
      else if (need.state !== 'not_read') need.state = 'missing';
    }
    return found;
  }

  /** Reads the new passages; where the model fails, the embedded engine quotes them. @returns how many sentences were found */
  private async read(passages: readonly AnswerPassage[], context: ToolContext): Promise<number> {
    const { model, embedded } = this.deps;
    const work = this.readingOf(passages);
    try {
      return await readPassages(work, context, model, this.meter);
    } catch (error) {
      const message = `did not read the passages of round ${work.state.rounds} ($); their best sentences were taken.`;
      const failure = this.warnOfModel({ code: 'passages_not_read', message }, error, context);
      context.fellBack?.({ part: model.id, error: failure, by: embedded.engine });
      const count = await quotePassages(work, context, embedded);
      for (const need of work.state.needs) if (need.state === 'missing') need.state = 'not_read';
      return count;
    }
  }

  private readingOf(passages: readonly AnswerPassage[]): ReadingWork {
    const { state, today } = this;
    return { state, passages, language: this.language, today };
  }

  private get language(): Language {
    const { outputLanguage } = this.task;
    return outputLanguage ?? detectLanguage(this.state.question) ?? this.deps.options.language ?? 'en';
  }

  /** Whether the budget has room for a further reading and the report. */
  private affordsRound(): boolean {
    const { state, task, meter } = this;
    const { profile, options } = this.deps.model;
    const reading = readingCall(this.readingOf(state.passages.slice(-PER_ROUND)));
    const quoted = quotedPassages(state).map(({ text }) => text);
    const input = estimatePrompt(reading) + roughTokens(quoted.join('\n')) + REPORT_PROMPT;
    const most = [reading.maxOutputTokens, reportTokens(task.length, task.schema)];
    const output = most.reduce((sum, tokens) => sum + profile.outputTokens(tokens), 0);
    try {
      meter.reserve(input, output, options)();
      return true;
    } catch (error) {
      if (error instanceof BudgetExceededError) return false;
      throw error;
    }
  }

  /** The report from the findings; undefined where there are none, and where the model fails: the findings are the report then. */
  private async report(context: ToolContext): Promise<Answer | undefined> {
    const { state, task, language } = this;
    const passages = quotedPassages(state);
    if (passages.length === 0) return undefined;
    const form = reportForm(state, task.length, task.before);
    const options = { form, outputLanguage: language };
    return this.written(state.question, passages, options, context).catch((error: unknown) => {
      const message = 'did not write the report ($); the findings are the report.';
      this.warnOfModel({ code: 'report_not_written', message }, error, context);
      context.progress({ stage: 'rewrite' });
      return undefined;
    });
  }

  private written(
    question: string,
    passages: AnswerPassage[],
    more: ModelAnswerOptions,
    context: ToolContext,
  ): Promise<Answer> {
    const { model, embedded, verifier, options } = this.deps;
    const { answerThreshold: threshold, language } = options;
    const { outputLanguage, schema } = this.task;
    const settings = { threshold, verifier, language, outputLanguage, meter: this.meter, ...more };
    const answers = new ModelAnswer(model, embedded, settings);
    return writeAnswer({ answers }, question, passages, context, schema);
  }

  /** Warns that the model did not do a step, which costs the research nothing else. @throws the context's reason when it is aborted */
  private warnOfModel({ code, message }: Warning, error: unknown, { signal }: ToolContext): Failure {
    signal.throwIfAborted();
    const failure = failureOf(this.deps.model.id, error);
    this.warn({ code, message: `The model ${message.replace('$', failure.code)}`, transient: true });
    return failure;
  }

  private readonly warn = (warning: Warning): void => {
    if (!this.warnings.some(({ message }) => message === warning.message)) this.warnings.push(warning);
  };
}

type Failure = ReturnType<typeof failureOf>;

const withoutBlocks = ({ blocks: _, ...passage }: AnswerPassage): AnswerPassage => passage;

import type { ToolContext } from '../core/context.js';
import { failureOf } from '../core/failures.js';
import type { OutputSchema } from '../data/output-schema.js';
import type { Warning } from '../core/warning.js';
import type { ModelClient } from '../model/client.js';
import { estimatePrompt, roughTokens } from '../model/context-window.js';
import { BudgetExceededError, type UsageMeter } from '../model/usage-meter.js';
import type { AnswerEngine, AnswerPassage } from '../search/answer-engine.js';
import { newPassages, type Found, type PassageFinder } from './find-passages.js';
import { isSettled, nextQueries, sameQuery, type Need } from './needs.js';
import { quotePassages, readingCall, readPassages, type ReadingWork } from './read-passages.js';
import { quotedPassages, reportTokens } from './report-form.js';
import type { Effort, ReportLength, Stop } from './research-values.js';

const ROUNDS: Record<Effort, number> = { quick: 1, standard: 3, thorough: 4 };

/** So many rounds in a row may find nothing: the second one searches in other words. */
const MOST_EMPTY = 2;
/** Passages of one round, and of one search of it. */
const PER_ROUND = 12;
const PER_SEARCH = 8;
/** A further round begins where so many times the time of the longest one is left: the report needs some too. */
const ROUND_TIMES = 2;
/** Tokens of the report's prompt without its passages. */
const REPORT_PROMPT = 1000;

/** What the rounds work on. */
export interface LoopWork extends Omit<ReadingWork, 'passages'> {
  effort: Effort;
  length: ReportLength;
  schema: OutputSchema | undefined;
}

export interface LoopDeps {
  model: ModelClient;
  embedded: AnswerEngine;
  finder: PassageFinder;
  meter: UsageMeter;
}

/**
 * Searches for the needs, round by round, and reads what is new. Each round is kept, so that a job goes on behind it.
 *
 * @param first the search of the question itself
 * @returns why it ended
 * @throws the first failure where every search failed and nothing is known; the context's reason when it is aborted
 */
export async function runRounds(
  work: LoopWork,
  first: readonly Found[],
  warnings: Warning[],
  context: ToolContext,
  deps: LoopDeps,
): Promise<Stop> {
  const { state } = work;
  const { finder } = deps;
  const answered = first.flatMap((one) => ('passages' in one ? [one.query] : []));
  const asked = new Set([...answered, ...state.needs.flatMap(({ tried }) => tried)]);
  let waiting = first;
  let longest = 0;
  let empty = 0;
  /** Failed searches were made again without a passage between. */
  let isAgain = false;
  let isFirst = state.rounds === 0;
  for (;;) {
    if (state.needs.every(isSettled)) return 'complete';
    if (state.rounds >= ROUNDS[work.effort]) return 'rounds';
    if (!isFirst && context.remainingMs() < ROUND_TIMES * longest) return 'deadline';
    if (!isFirst && !affords(work, deps)) return 'budget';
    const begun = performance.now();
    const searches = new Map<string, Need[]>();
    for (const need of state.needs)
      for (const query of nextQueries(need, state.needs)) {
        const same = [...searches.keys()].find((one) => sameQuery(one, query)) ?? query;
        searches.set(same, [...(searches.get(same) ?? []), need]);
      }
    const queries = [...searches.keys()].filter((query) => ![...asked].some((one) => sameQuery(one, query)));
    for (const query of queries) asked.add(query);
    const found = queries.length > 0 ? await finder.find(queries, context) : [];
    state.searches += queries.length;
    for (const [query, needs] of searches) {
      const result = found.find((one) => one.query === query);
      const hasFailed = result !== undefined && 'error' in result;
      if (hasFailed) asked.delete(query);
      for (const need of needs) {
        if (!hasFailed) need.tried.push(query);
        if (need.findings.length > 0) continue;
        if (hasFailed) need.state = 'failed';
        else if (need.state !== 'not_read') need.state = 'missing';
      }
    }
    const all = [...found, ...waiting];
    waiting = [];
    for (const one of all) if ('error' in one) warnFailed(one.query, one.error, warnings);
    const failures = all.flatMap((one) => ('error' in one ? [one.error] : []));
    if (state.passages.length === 0 && failures.length > 0 && failures.length === all.length)
      throw failures[0];
    const lists = all.flatMap((one) => ('passages' in one ? [one.passages] : []));
    const fresh = await newPassages(
      lists,
      state.passages,
      { perSearch: PER_SEARCH, most: PER_ROUND },
      context,
    );
    state.pages = [...new Set([...state.pages, ...finder.readAddresses])];
    if (fresh.length === 0) {
      const goesOn = failures.length > 0 && !isAgain;
      isAgain = true;
      if (goesOn) continue;
      return 'no_new_pages';
    }
    isAgain = false;
    state.rounds++;
    state.passages.push(...fresh.map(({ blocks: _, ...passage }) => passage));
    const count = await readRound(work, fresh, warnings, context, deps);
    await context.checkpoint?.keep(state);
    longest = Math.max(longest, performance.now() - begun);
    empty = count === 0 ? empty + 1 : 0;
    if (empty === MOST_EMPTY) return 'no_new_findings';
    isFirst = false;
  }
}

/** Reads the new passages; where the model fails, the embedded engine quotes them. @returns how many sentences were found */
async function readRound(
  work: LoopWork,
  passages: readonly AnswerPassage[],
  warnings: Warning[],
  context: ToolContext,
  { model, embedded, meter }: LoopDeps,
): Promise<number> {
  const reading = { ...work, passages };
  try {
    return await readPassages(reading, context, model, meter);
  } catch (error) {
    context.signal.throwIfAborted();
    const failure = failureOf(model.id, error);
    context.fellBack?.({ part: model.id, error: failure, by: embedded.engine });
    const message = `The model did not read the passages of round ${work.state.rounds} (${failure.code}); their best sentences were taken.`;
    warnings.push({ code: 'passages_not_read', message, transient: true });
    const count = await quotePassages(reading, context, embedded);
    for (const need of work.state.needs) if (need.state === 'missing') need.state = 'not_read';
    return count;
  }
}

/** Whether the budget has room for a further reading and the report. */
function affords(work: LoopWork, { meter, model }: LoopDeps): boolean {
  const { state, length, schema } = work;
  const { profile, options } = model;
  const reading = readingCall({ ...work, passages: state.passages.slice(-PER_ROUND) });
  const quoted = quotedPassages(state).map(({ text }) => text);
  const input = estimatePrompt(reading) + roughTokens(quoted.join('\n')) + REPORT_PROMPT;
  const tokens = [reading.maxOutputTokens, reportTokens(length, schema)];
  const output = tokens.reduce((sum, most) => sum + profile.outputTokens(most), 0);
  try {
    meter.reserve(input, output, options)();
    return true;
  } catch (error) {
    if (error instanceof BudgetExceededError) return false;
    throw error;
  }
}

function warnFailed(query: string, error: unknown, warnings: Warning[]): void {
  const { code } = failureOf('search', error);
  const message = `The search for “${query}” failed (${code}).`;
  if (!warnings.some((one) => one.message === message))
    warnings.push({ code: 'search_failed', message, transient: true });
}

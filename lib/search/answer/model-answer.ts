import { setImmediate as nextTurn } from 'node:timers/promises';
import { InvalidOptionError, UpstreamInvalidError, UpstreamTimeoutError } from '../../core/errors/index.js';
import { withContext, type ToolContext } from '../../core/tool-context.js';
import { UsageMeter } from '../../model/usage.js';
import type { Budget } from '../../model/options.js';
import type { ModelClient } from '../../model/client.js';
import type { Answer, AnswerEngine, AnswerPassage, AnswerUsage, Citation } from '../answer-engine.js';
import { disagreement, type Contradiction } from './agreement.js';
import { ExtractiveAnswer } from './extractive-answer.js';
import { judgeReply, type KeptSentence } from './model-judgement.js';
import { modelProbability } from './model-probability.js';
import { answerCall } from './model-prompt.js';
import type { FoundQuote } from './model-quotes.js';
import { readReply, type ModelReply } from './model-reply.js';
import { notFound, otherwise, related } from './wording.js';
import { shownSentence } from './shown-sentence.js';

/** Settings of {@link ModelAnswer}. */
export interface ModelAnswerOptions {
  /** Below this probability the answer says that the sources do not answer, 0..1. Default 0.5. */
  threshold?: number;
  /** What the call may cost at most. Default: no limit. */
  budget?: Budget;
}

/** Passages that go to the model. */
const MOST_PASSAGES = 8;
/** Kept back from the deadline for the extractive answer, should the model be late, and for sending it, ms. */
const RESERVE_MS = 300;
/** Highest probability of an answer of which no sentence stood the checks, or which the model itself says is none. */
const MOST_DENIED = 0.3;
const MOST_CLOSEST = 3;
const MOST_CONTRADICTING = 2;
const ACROSS_LANGUAGES = {
  code: 'answer_partly_checked',
  message:
    'Sources are in another language than the question: numbers, names and denials of the answer were checked there, not each word.',
};

/**
 * Answers with a language model: one call over the best passages, and then nothing of it is believed that cannot be checked.
 * Numbers of sources must exist, quotations must stand word for word in their source, sentences must rest on what they quote;
 * the others are left out. What is left, the retrieval evidence, the model's verdict and the agreement of sources make the
 * probability.
 */
export class ModelAnswer implements AnswerEngine {
  /** The model's id. */
  readonly engine: string;
  private readonly threshold: number;
  private readonly extractive: ExtractiveAnswer;

  /** @throws InvalidOptionError */
  constructor(
    private readonly model: ModelClient,
    private readonly options: ModelAnswerOptions = {},
  ) {
    this.engine = model.id;
    this.threshold = options.threshold ?? 0.5;
    if (!(this.threshold >= 0 && this.threshold <= 1)) {
      throw new InvalidOptionError('search.answerThreshold', 'a number from 0 to 1', options.threshold);
    }
    this.extractive = new ExtractiveAnswer({ threshold: this.threshold });
  }

  /**
   * Without passages the model is not asked.
   * @throws UpstreamTimeoutError 300 ms before the context's deadline; UpstreamInvalidError for a reply that cannot be read;
   *   what `ModelClient.generate` throws; the context's reason when it is aborted
   */
  async answer(
    query: string,
    passages: AnswerPassage[],
    context: ToolContext,
    onSpent?: (usage: AnswerUsage) => void,
  ): Promise<Answer> {
    const sources = passages.slice(0, MOST_PASSAGES);
    const extractive = await this.extractive.answer(query, sources, context);
    if (sources.length === 0) return { ...extractive, engine: this.engine };
    const meter = new UsageMeter(this.options.budget);
    try {
      const reply = await this.ask(query, sources, context, meter);
      const judged = await this.judged(query, sources, reply, extractive, context);
      return { ...judged, engine: this.engine, usage: usageOf(meter) };
    } catch (error) {
      // A call that was given up books its tokens as it ends, a turn later.
      await nextTurn();
      onSpent?.(usageOf(meter));
      throw error;
    }
  }

  private async ask(
    query: string,
    sources: readonly AnswerPassage[],
    context: ToolContext,
    meter: UsageMeter,
  ): Promise<ModelReply> {
    const budgetMs = context.remainingMs() - RESERVE_MS;
    if (budgetMs <= 0) throw new UpstreamTimeoutError('There was no time left to ask the language model.');
    const { text } = await withContext(
      budgetMs,
      {
        signal: context.signal,
        requestId: context.requestId,
        noCache: context.noCache,
        spend: context.spend,
      },
      (own) => this.model.generate(answerCall(query, sources), own, meter),
    );
    const reply = readReply(text);
    if (!reply)
      throw new UpstreamInvalidError('The language model did not answer in the form that was asked for.');
    return reply;
  }

  private async judged(
    query: string,
    sources: readonly AnswerPassage[],
    reply: ModelReply,
    extractive: Answer,
    context: ToolContext,
  ): Promise<Pick<Answer, 'text' | 'outcome' | 'answerableProbability' | 'citations' | 'warnings'>> {
    const { language, kept, quotes, signs, standing, isForeign } = await judgeReply(
      query,
      sources,
      reply,
      context,
    );
    const estimate = modelProbability(signs);
    const denied = kept.length === 0 || reply.answerable === false;
    // Whatever the threshold: what is said not to be an answer is estimated below it.
    const answerableProbability = denied ? Math.min(estimate, MOST_DENIED, 0.9 * this.threshold) : estimate;
    if (kept.length === 0) {
      const citations = quotes.length > 0 ? closest(quotes, sources) : extractive.citations;
      const text = citations.map(({ quote, index }) => `${quote.replaceAll('\n', ' ')} [${index}]`).join(' ');
      const outcome = text === '' ? 'not_found' : 'related';
      const shown = text === '' ? notFound(language) : related(language, text);
      return { text: shown, outcome, answerableProbability, citations, warnings: [] };
    }
    const { text, citations } = cite(kept, sources);
    const answered = answerableProbability >= this.threshold && !denied;
    const isContradicted = standing.contradictions.length > 0 && !denied;
    const others = isContradicted ? unsaid(standing.contradictions, citations, sources) : [];
    const whole = [text, ...(answered && others.length > 0 ? [otherwise(language)] : []), ...others].join(
      ' ',
    );
    return {
      text: answered ? whole : related(language, whole, isContradicted),
      outcome: answered ? 'answered' : 'related',
      answerableProbability,
      citations,
      warnings: [
        ...(isContradicted ? [disagreement(standing)] : []),
        ...(isForeign ? [ACROSS_LANGUAGES] : []),
      ],
    };
  }
}

/** What contradicts the answer and is not in it, word for word, with its marks; the citations are added to the others. */
function unsaid(
  contradictions: readonly Contradiction[],
  citations: Citation[],
  sources: readonly AnswerPassage[],
): string[] {
  const said = citations.map((c) => c.quote);
  return contradictions
    .filter(({ evidence: { text } }) => !said.some((quote) => text.includes(quote)))
    .slice(0, MOST_CONTRADICTING)
    .map(({ evidence: { passage, text } }) => {
      const index = indexOf({ passage, text }, citations, sources);
      return `${shownSentence(text)} [${index}]`;
    });
}

/** Numbers the quotations anew, in the order in which they are first used. */
function cite(
  kept: readonly KeptSentence[],
  sources: readonly AnswerPassage[],
): { text: string; citations: Citation[] } {
  const citations: Citation[] = [];
  const sentences = kept.map(({ text, quotes }) => {
    const marks = new Set(quotes.map((quote) => indexOf(quote, citations, sources)));
    return `${text} ${[...marks].map((n) => `[${n}]`).join('')}`;
  });
  return { text: sentences.join(' '), citations };
}

function closest(quotes: readonly FoundQuote[], sources: readonly AnswerPassage[]): Citation[] {
  const citations: Citation[] = [];
  for (const quote of quotes) if (citations.length < MOST_CLOSEST) indexOf(quote, citations, sources);
  return citations;
}

/** The number of a quotation among the citations, to which it is added when it is new. */
function indexOf(
  quote: Pick<FoundQuote, 'passage' | 'text'>,
  citations: Citation[],
  sources: readonly AnswerPassage[],
): number {
  const { url, title } = sources[quote.passage]!;
  const known = citations.find((c) => c.url === url && c.quote === quote.text);
  if (known) return known.index;
  const index = citations.length + 1;
  citations.push({ index, url, title, quote: quote.text });
  return index;
}

function usageOf(meter: UsageMeter): AnswerUsage {
  const { modelCalls, inputTokens, outputTokens } = meter.usage;
  return { modelCalls, inputTokens, outputTokens };
}

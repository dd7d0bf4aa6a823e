import { InvalidOptionError, UpstreamInvalidError, UpstreamTimeoutError } from '../../core/errors/index.js';
import type { Language } from '../../core/text/index.js';
import { withContext, type ToolContext } from '../../core/tool-context.js';
import { UsageMeter, type Budget, type ModelClient } from '../../model/index.js';
import type { Answer, AnswerEngine, AnswerPassage, Citation } from '../answer-engine.js';
import { detectLanguage } from '../ranking/detect-language.js';
import { ExtractiveAnswer } from './extractive-answer.js';
import { modelProbability } from './model-probability.js';
import { answerCall } from './model-prompt.js';
import { findQuote, type FoundQuote } from './model-quotes.js';
import { readReply, type ModelReply } from './model-reply.js';
import { addressKey, writtenSentences } from './model-sentences.js';
import { SupportCheck } from './model-support.js';
import { analyseQuestion } from './question.js';
import { NOT_ANSWERED } from './wording.js';

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

/** A sentence that stood the checks, and what it rests on. */
interface KeptSentence {
  text: string;
  quotes: FoundQuote[];
}

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
  async answer(query: string, passages: AnswerPassage[], context: ToolContext): Promise<Answer> {
    const sources = passages.slice(0, MOST_PASSAGES);
    const extractive = await this.extractive.answer(query, sources, context);
    if (sources.length === 0) return { ...extractive, engine: this.engine };
    const meter = new UsageMeter(this.options.budget);
    const reply = await this.ask(query, sources, context, meter);
    const { modelCalls, inputTokens, outputTokens } = meter.usage;
    return {
      ...this.judged(query, sources, reply, extractive),
      engine: this.engine,
      usage: { modelCalls, inputTokens, outputTokens },
      warnings: [],
    };
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

  private judged(
    query: string,
    sources: readonly AnswerPassage[],
    reply: ModelReply,
    extractive: Answer,
  ): Pick<Answer, 'text' | 'answerableProbability' | 'citations'> {
    const question = analyseQuestion(
      query,
      detectLanguage(sources.map((s) => s.text.slice(0, 300)).join(' ')),
    );
    const { language } = question;
    const check = new SupportCheck(sources, language);
    const quotes = reply.quotes.flatMap(({ n, text }) => findQuote(text, n - 1, sources) ?? []);
    const known = [
      ...sources.map((s) => `${s.text} ${s.title}`.toLowerCase()),
      ...sources.map((s) => addressKey(s.url)),
    ];
    const written = writtenSentences(reply.answer, (address) => known.some((text) => text.includes(address)));
    const kept = written.flatMap(({ text, cited }): KeptSentence[] => {
      const own = quotes.filter((q) => cited.includes(q.passage + 1));
      const each = own.filter((quote) => check.isSupported(text, [quote]));
      if (each.length > 0) return [{ text, quotes: each }];
      return check.isSupported(text, own) ? [{ text, quotes: own }] : [];
    });
    const passages = [...new Set(kept.flatMap((k) => k.quotes.map((q) => q.passage)))];
    const estimate = modelProbability({
      // The extractive engine compares words, which tells nothing across languages.
      evidence: passages.length > 0 && check.isForeign(passages) ? 0.5 : extractive.answerableProbability,
      supported: written.length === 0 ? 0 : kept.length / written.length,
      verdict: reply.answerable,
      agreement: kept.some((k) => pagesSaying(k, sources, check) > 1),
      missing: kept.length === 0 ? 1 : check.missingIn(question.tokens, passages),
    });
    const denied = kept.length === 0 || reply.answerable === false;
    // Whatever the threshold: what is said not to be an answer is estimated below it.
    const answerableProbability = denied ? Math.min(estimate, MOST_DENIED, 0.9 * this.threshold) : estimate;
    if (kept.length === 0) {
      const citations = quotes.length > 0 ? closest(quotes, sources) : extractive.citations;
      const text = citations.map(({ quote, index }) => `${quote.replaceAll('\n', ' ')} [${index}]`).join(' ');
      return { text: notAnswered(language, text), answerableProbability, citations };
    }
    const { text, citations } = cite(kept, sources);
    const answered = answerableProbability >= this.threshold && !denied;
    return { text: answered ? text : notAnswered(language, text), answerableProbability, citations };
  }
}

/** Pages that are cited for a sentence, and others that say the same. */
function pagesSaying(kept: KeptSentence, sources: readonly AnswerPassage[], check: SupportCheck): number {
  const cited = new Set(kept.quotes.map((q) => q.passage));
  const saying = sources.filter((_, p) => cited.has(p) || check.agrees(kept.text, p));
  return new Set(saying.map((s) => s.url)).size;
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
function indexOf(quote: FoundQuote, citations: Citation[], sources: readonly AnswerPassage[]): number {
  const { url, title } = sources[quote.passage]!;
  const known = citations.find((c) => c.url === url && c.quote === quote.text);
  if (known) return known.index;
  const index = citations.length + 1;
  citations.push({ index, url, title, quote: quote.text });
  return index;
}

function notAnswered(language: Language, said: string): string {
  const { none, closest: lead } = NOT_ANSWERED[language];
  return said === '' ? none : `${none} ${lead} ${said}`;
}

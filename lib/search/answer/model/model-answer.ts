import { setImmediate as nextTurn } from 'node:timers/promises';
import { InvalidOptionError, UpstreamInvalidError, UpstreamTimeoutError } from '../../../core/errors.js';
import { detectLanguage } from '../../../core/text/detect-language.js';
import { type Language } from '../../../core/text/languages.js';
import { withContext, type ToolContext } from '../../../core/context.js';
import type { ModelClient } from '../../../model/client.js';
import { type Budget, UsageMeter } from '../../../model/options.js';
import type {
  Answer,
  AnswerEngine,
  AnswerPassage,
  AnswerUsage,
  AnswerVerifier,
  Citation,
} from '../../answer-engine.js';
import { addressesAssistant } from '../addresses-assistant.js';
import { shownSentence } from '../shown-sentence.js';
import { noClearAnswer, notFound, related } from '../wording.js';
import { replyProbability, signsOf } from './probability.js';
import { answerCall, MAX_TEXT } from './prompt.js';
import { wholeSentences, type FoundQuote } from './quotes.js';
import { readReply, type ModelReply } from './read-reply.js';
import { Source } from './source.js';
import { verifyWithModel } from './verifier.js';
import { checkSentences, textOf, type CheckedSentence, type SentenceFault } from './verify.js';
import { addressKey, writtenSentences } from './written-sentences.js';

/** Settings of {@link ModelAnswer}. */
export interface ModelAnswerOptions {
  /** Below this probability the outcome is `related` or `not_found`, 0..1. Default 0.5. */
  threshold?: number;
  /** The most that the call may cost. Default: no limit. */
  budget?: Budget;
  /** Takes a second look at each answer: the model itself, or a verifier. Default: none. */
  verifier?: 'model' | AnswerVerifier;
  /** The current time. Default: the system's. */
  now?: () => Date;
}

/** Passages that go to the model. */
const MOST_PASSAGES = 8;
/** Kept back from the deadline for the extractive answer, should the model be late, and for sending it, ms. */
const RESERVE_MS = 300;
/** With less time than this no second look begins, ms. */
const LEAST_FOR_VERIFYING_MS = 500;
const MOST_RELATED = 3;

const REASONS: Record<SentenceFault, string> = {
  instruction: 'repeats an instruction that a page gives to language models',
  no_quotation: 'has no words of a source to rest on',
  altered_quotation: 'repeats what was changed in a quotation',
  value: 'states a number, unit or date that its sources do not',
  name: 'states a name that its sources do not',
  not_said: 'is not said by its sources',
  contradicted: 'is contradicted by its sources',
};

/** Material for an answer and its text. */
type Landed = Pick<Answer, 'text' | 'outcome' | 'answerableProbability' | 'citations' | 'warnings'>;

/**
 * Answers with a language model. One call over the best passages; then code checks of each sentence what code can decide: quotations,
 * numbers, units, dates, names. Sentences that fail are left out. A second look at their meaning is optional.
 */
export class ModelAnswer implements AnswerEngine {
  /** The model's id. */
  readonly engine: string;
  private readonly threshold: number;

  /**
   * @param embedded finds the closest passages when no part of a reply can be shown, and sources that disagree
   * @throws InvalidOptionError
   */
  constructor(
    private readonly model: ModelClient,
    private readonly embedded: AnswerEngine,
    private readonly options: ModelAnswerOptions = {},
  ) {
    this.engine = model.id;
    this.threshold = options.threshold ?? 0.5;
    if (!(this.threshold >= 0 && this.threshold <= 1)) {
      throw new InvalidOptionError('search.answerThreshold', 'a number from 0 to 1', options.threshold);
    }
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
    // A source that the model does not see cannot support its answer.
    const seen = passages.slice(0, MOST_PASSAGES).map((p) => ({ ...p, text: p.text.slice(0, MAX_TEXT) }));
    const embedded = await this.embedded.answer(query, seen, context);
    if (seen.length === 0) return { ...embedded, engine: this.engine };
    const meter = new UsageMeter(this.options.budget);
    const usage = usageOf(meter);
    try {
      const reply = await this.ask(query, seen, context, meter);
      const language = languageOf(query, reply, seen);
      const sources = seen.map((passage, i) => new Source(passage, i, language));
      const checked = check(reply, sources, query, language, this.now());
      const second = await this.secondLook(query, reply, checked, context, meter, usage);
      const landed = this.land(reply, second, language, embedded);
      return { ...landed, engine: this.engine, usage: sum(usage, usageOf(meter)) };
    } catch (error) {
      // A call that was given up books its tokens as it ends, a turn later.
      await nextTurn();
      onSpent?.(sum(usage, usageOf(meter)));
      throw error;
    }
  }

  private now(): Date {
    return this.options.now?.() ?? new Date();
  }

  private async ask(
    query: string,
    sources: readonly AnswerPassage[],
    context: ToolContext,
    meter: UsageMeter,
  ): Promise<ModelReply> {
    const timeMs = context.remainingMs() - RESERVE_MS;
    if (timeMs <= 0) throw new UpstreamTimeoutError('There was no time left to ask the language model.');
    const { signal, requestId, noCache, spend } = context;
    const call = answerCall(query, sources, this.now());
    const { text } = await withContext(timeMs, { signal, requestId, noCache, spend }, (own) =>
      this.model.generate(call, own, meter),
    );
    const reply = readReply(text);
    if (!reply) throw new UpstreamInvalidError('The language model did not answer in the requested form.');
    return reply;
  }

  /** Asks the verifier about the sentences that stand. Without one, or where it fails, they stay as they are. */
  private async secondLook(
    query: string,
    reply: ModelReply,
    checked: CheckedSentence[],
    context: ToolContext,
    meter: UsageMeter,
    usage: AnswerUsage,
  ): Promise<SecondLook> {
    const { verifier } = this.options;
    const standing = checked.filter((s) => !s.fault);
    if (!verifier || reply.answerable === false || standing.length === 0) {
      return { checked, isConfirmed: false, warnings: [] };
    }
    const failed = (reason: string): SecondLook => ({
      checked,
      isConfirmed: false,
      warnings: [
        {
          code: 'answer_not_verified',
          message: `The answer was not verified: ${reason}.`,
        },
      ],
    });
    const timeMs = context.remainingMs() - RESERVE_MS;
    if (timeMs < LEAST_FOR_VERIFYING_MS) return failed('no time was left');
    const claims = standing.map(({ text, quotes }) => ({
      text,
      passages: [...new Set(quotes.map((q) => q.source.passage))],
    }));
    try {
      const { signal, requestId, noCache, spend } = context;
      const verdicts = await withContext(timeMs, { signal, requestId, noCache, spend }, (own) =>
        verifier === 'model'
          ? verifyWithModel(this.model, query, claims, own, meter)
          : verifier.verify(query, claims, own, (spent) => Object.assign(usage, sum(usage, spent))),
      );
      const judged = checked.map((sentence) => {
        const verdict = verdicts[standing.indexOf(sentence)];
        return verdict === 'contradicted' || verdict === 'not_said'
          ? { ...sentence, fault: verdict }
          : sentence;
      });
      const isConfirmed = standing.every((_, i) => verdicts[i] !== undefined);
      return { checked: judged, isConfirmed, warnings: [] };
    } catch {
      context.signal.throwIfAborted();
      return failed('the verifier failed');
    }
  }

  /** Decides what is shown and as what. */
  private land(
    reply: ModelReply,
    { checked, isConfirmed, warnings }: SecondLook,
    language: Language,
    embedded: Answer,
  ): Landed {
    const standing = checked.filter((s) => !s.fault);
    const disagreements = embedded.warnings.filter(({ code }) => code === 'sources_disagree');
    const notes = [
      ...removalWarning(checked),
      ...warnings,
      ...disagreements,
      ...languageWarning(standing, language),
    ];
    const signs = signsOf(checked);
    const probability = (outcome: 'answers' | 'related' | 'denied'): number =>
      replyProbability(signs, outcome, isConfirmed, this.threshold);
    // The first sentence answers; the others explain it. Without it they are no answer.
    if (reply.answerable !== false && checked[0] && !checked[0].fault) {
      const answerableProbability = probability('answers');
      if (answerableProbability >= this.threshold) {
        const { text, citations } = write(standing);
        return { text, outcome: 'answered', answerableProbability, citations, warnings: notes };
      }
    }
    const answerableProbability = probability(reply.answerable === false ? 'denied' : 'related');
    if (reply.answerable === false && standing.length > 0) {
      // The model says itself what is missing.
      const { text, citations } = write(standing);
      const outcome = citations.length > 0 ? 'related' : 'not_found';
      return {
        text: noClearAnswer(language, text),
        outcome,
        answerableProbability,
        citations,
        warnings: notes,
      };
    }
    const closest = write(closestSentences(checked, signs.discredited > 0));
    if (closest.citations.length > 0) {
      const text = related(language, closest.text);
      return {
        text,
        outcome: 'related',
        answerableProbability,
        citations: closest.citations,
        warnings: notes,
      };
    }
    if (reply.answerable === false) {
      return {
        text: notFound(language),
        outcome: 'not_found',
        answerableProbability,
        citations: [],
        warnings: notes,
      };
    }
    // No part of the reply is left: show the closest passages of the embedded engine, but not as an answer.
    const citations = embedded.citations
      .filter(({ quote }) => !addressesAssistant(quote))
      .map((citation, i) => ({ ...citation, index: i + 1 }));
    const said = citations.map(({ quote, index }) => `${shownSentence(quote)} [${index}]`).join(' ');
    const outcome = citations.length > 0 ? 'related' : 'not_found';
    const text = citations.length > 0 ? related(language, said) : notFound(language);
    return { text, outcome, answerableProbability, citations, warnings: notes };
  }
}

/** A sentence as it is written into the answer. */
type ShownSentence = Pick<CheckedSentence, 'text' | 'lead' | 'quotes' | 'isLeadIn'>;

/** The checked sentences after a second look. */
interface SecondLook {
  checked: CheckedSentence[];
  /** Every sentence that is left has been found supported. */
  isConfirmed: boolean;
  warnings: Answer['warnings'];
}

function check(
  reply: ModelReply,
  sources: readonly Source[],
  question: string,
  language: Language,
  today: Date,
): CheckedSentence[] {
  const known = [
    ...sources.map(({ passage }) => `${passage.text} ${passage.title}`.toLowerCase()),
    ...sources.map(({ passage }) => addressKey(passage.url)),
  ];
  const written = writtenSentences(reply.answer, (address) => known.some((text) => text.includes(address)));
  const isAnswer = reply.answerable !== false;
  return checkSentences(written, reply.quotes, { sources, question, language, today, isAnswer });
}

/** Of the question; where that is too short to tell, of the answer, then of the sources. */
function languageOf(query: string, reply: ModelReply, sources: readonly AnswerPassage[]): Language {
  const sample = sources.map((s) => s.text.slice(0, 300)).join(' ');
  return detectLanguage(query) ?? detectLanguage(reply.answer) ?? detectLanguage(sample) ?? 'en';
}

/**
 * What is shown where there is no answer: sentences that stand, and in place of the others the whole sentences of the sources that they point
 * to. Of a discredited reply only the latter.
 */
function closestSentences(checked: readonly CheckedSentence[], isDiscredited: boolean): ShownSentence[] {
  const shown = checked
    .filter(({ fault, isLeadIn }) => fault !== 'instruction' && !isLeadIn)
    .flatMap((sentence): ShownSentence[] => {
      if (!sentence.fault && !isDiscredited) return [{ ...sentence, lead: '' }];
      return sentence.quotes.slice(0, 1).map(({ source, sentences }) => {
        const whole = wholeSentences(source, sentences);
        return { text: shownSentence(textOf(whole)), lead: '', quotes: [whole], isLeadIn: false };
      });
    });
  return shown.filter(({ text }, i) => shown.findIndex((s) => s.text === text) === i).slice(0, MOST_RELATED);
}

/** The sentences with their source numbers, and the citations in the order of their first use. */
function write(sentences: readonly ShownSentence[]): Pick<Answer, 'text' | 'citations'> {
  const citations: Citation[] = [];
  let text = '';
  for (const { text: sentence, lead, quotes, isLeadIn } of sentences) {
    const marks = new Set(isLeadIn ? [] : quotes.map((quote) => indexOf(quote, citations)));
    const gap = text === '' ? '' : lead ? '\n' : ' ';
    text += `${gap}${lead}${[sentence, [...marks].map((n) => `[${n}]`).join('')].filter(Boolean).join(' ')}`;
  }
  return { text, citations };
}

/** The number of a quotation among the citations, to which it is added when it is new. */
function indexOf(found: FoundQuote, citations: Citation[]): number {
  const { url, title } = found.source.passage;
  const quote = textOf(found);
  const known = citations.find((c) => c.url === url && c.quote === quote);
  if (known) return known.index;
  citations.push({ index: citations.length + 1, url, title, quote });
  return citations.length;
}

/** Says how many sentences are missing, and why. */
function removalWarning(checked: readonly CheckedSentence[]): Answer['warnings'] {
  const faults = checked.flatMap(({ fault, about }) => (fault ? [{ fault, about }] : []));
  if (faults.length === 0) return [];
  const reasons = [...new Set(faults.map((f) => f.fault))].map((fault) => {
    const about = faults.flatMap((f) => (f.fault === fault && f.about ? [`"${f.about}"`] : []));
    const count = faults.filter((f) => f.fault === fault).length;
    return `${count} ${REASONS[fault]}${about.length > 0 ? ` (${about.join(', ')})` : ''}`;
  });
  const message = `Sentences of the model's answer that were removed: ${faults.length} of ${checked.length}. ${capitalized(reasons.join('; '))}.`;
  return [{ code: 'answer_sentences_removed', message }];
}

/** Names are not compared across languages. */
function languageWarning(standing: readonly CheckedSentence[], language: Language): Answer['warnings'] {
  const isForeign = standing.some(({ quotes }) =>
    quotes.some(({ source }) => source.language !== undefined && source.language !== language),
  );
  if (!isForeign) return [];
  const message =
    'Some sources are in another language than the question: quotations, numbers, units and dates of the answer were checked, names were not.';
  return [{ code: 'answer_partly_checked', message }];
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function usageOf(meter: UsageMeter): AnswerUsage {
  const { modelCalls, inputTokens, outputTokens } = meter.usage;
  return { modelCalls, inputTokens, outputTokens };
}

function sum(a: AnswerUsage, b: AnswerUsage): AnswerUsage {
  return {
    modelCalls: a.modelCalls + b.modelCalls,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
  };
}

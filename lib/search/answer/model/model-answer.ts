import { setImmediate as nextTurn } from 'node:timers/promises';
import { InvalidOptionError, UpstreamInvalidError, UpstreamTimeoutError } from '../../../core/errors.js';
import { detectLanguage } from '../../../text/detect-language.js';
import { type Language } from '../../../text/languages.js';
import { withFork, type ToolContext } from '../../../core/context.js';
import { addUsage, NO_USAGE, type ModelUsage } from '../../../core/usage.js';
import type { ModelClient } from '../../../model/client.js';
import { type Budget, UsageMeter } from '../../../model/options.js';
import type {
  Answer,
  AnswerEngine,
  AnswerOutcome,
  AnswerPassage,
  AnswerVerifier,
  Citation,
} from '../../answer-engine.js';
import { noClearAnswer, notFound, related, shownSentence } from '../wording.js';
import { answerCall, MAX_TEXT, verifyWithModel } from './prompts.js';
import { Source, textOf, wholeSentences, type FoundQuote } from './quotes.js';
import { readReply, writtenSentences, type ModelReply } from './read-reply.js';
import { checkSentences, type CheckedSentence, type SentenceFault } from './verify.js';

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
    onSpent?: (usage: ModelUsage) => void,
  ): Promise<Answer> {
    // A source that the model does not see cannot support its answer.
    const seen = passages.slice(0, MOST_PASSAGES).map((p) => ({ ...p, text: p.text.slice(0, MAX_TEXT) }));
    const embedded = await this.embedded.answer(query, seen, context);
    if (seen.length === 0) return { ...embedded, engine: this.engine };
    const spending = new Spending(new UsageMeter(this.options.budget));
    try {
      const reply = await this.ask(query, seen, context, spending.meter);
      const language = languageOf(query, reply, seen);
      const sources = seen.map((passage, i) => new Source(passage, i, language));
      const checked = check(reply, sources, query, language, this.now());
      const second = await this.secondLook(query, reply, checked, context, spending);
      return { ...this.decide(reply, second, language, embedded), usage: spending.total };
    } catch (error) {
      // A call that was given up books its tokens as it ends, a turn later.
      await nextTurn();
      onSpent?.(spending.total);
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
    const ms = context.remainingMs() - RESERVE_MS;
    if (ms <= 0) throw new UpstreamTimeoutError('There was no time left to ask the language model.');
    const call = answerCall(query, sources, this.now());
    const { text } = await withFork(context, { ms }, (own) => this.model.generate(call, own, meter));
    const reply = readReply(text, sources);
    if (!reply) throw new UpstreamInvalidError('The language model did not answer in the requested form.');
    return reply;
  }

  /** Asks the verifier about the sentences that stand. Without one, or where it fails, they stay as they are. */
  private async secondLook(
    query: string,
    reply: ModelReply,
    checked: CheckedSentence[],
    context: ToolContext,
    spending: Spending,
  ): Promise<SecondLook> {
    const { verifier } = this.options;
    const standing = checked.filter((s) => !s.fault);
    if (!verifier || reply.answerable === false || standing.length === 0) {
      return { checked, isConfirmed: false, warnings: [] };
    }
    const failed = (reason: string): SecondLook => {
      const warning = { code: 'answer_not_verified', message: `The answer was not verified: ${reason}.` };
      return { checked, isConfirmed: false, warnings: [warning] };
    };
    const ms = context.remainingMs() - RESERVE_MS;
    if (ms < LEAST_FOR_VERIFYING_MS) return failed('no time was left');
    const claims = standing.map(({ text, quotes }) => ({
      text,
      passages: [...new Set(quotes.map((q) => q.source.passage))],
    }));
    try {
      const verdicts = await withFork(context, { ms }, (own) =>
        verifier === 'model'
          ? verifyWithModel(this.model, query, claims, own, spending.meter)
          : verifier.verify(query, claims, own, (spent) => spending.add(spent)),
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
  private decide(
    reply: ModelReply,
    { checked, isConfirmed, warnings }: SecondLook,
    language: Language,
    embedded: Answer,
  ): Answer {
    const standing = checked.filter((s) => !s.fault);
    const signs = signsOf(checked);
    const isDenied = reply.answerable === false;
    const answerWith = (verdict: Verdict, outcome: AnswerOutcome, shown: Shown): Answer => ({
      ...shown,
      outcome,
      answerableProbability: replyProbability(signs, verdict, isConfirmed, this.threshold),
      engine: this.engine,
      warnings: [
        ...removalWarning(checked),
        ...warnings,
        ...embedded.warnings.filter(({ code }) => code === 'sources_disagree'),
        ...languageWarning(standing, language),
      ],
    });
    // The first sentence answers; the others explain it. Without it they are no answer.
    if (!isDenied && checked[0] && !checked[0].fault) {
      const answered = answerWith('answers', 'answered', write(standing));
      if (answered.answerableProbability >= this.threshold) return answered;
    }
    if (isDenied && standing.length > 0) {
      // The model says itself what is missing.
      const { text, citations } = write(standing);
      const outcome = citations.length > 0 ? 'related' : 'not_found';
      return answerWith('denied', outcome, { text: noClearAnswer(language, text), citations });
    }
    const verdict = isDenied ? 'denied' : 'related';
    const { text, citations } = write(closestSentences(checked, signs.discredited > 0));
    if (citations.length > 0) {
      return answerWith(verdict, 'related', { text: related(language, text), citations });
    }
    if (isDenied || embedded.citations.length === 0) {
      return answerWith(verdict, 'not_found', { text: notFound(language), citations });
    }
    // No part of the reply is left: show the closest passages of the embedded engine, but not as an answer.
    const closest = embedded.outcome === 'related' ? embedded.text : related(language, embedded.text);
    return answerWith(verdict, 'related', { text: closest, citations: embedded.citations });
  }
}

/** Counts the cost of an answer: the calls that the meter sees, and those of a verifier of the host. */
class Spending {
  private others: ModelUsage = NO_USAGE;

  constructor(readonly meter: UsageMeter) {}

  add(usage: ModelUsage): void {
    this.others = addUsage(this.others, usage);
  }

  get total(): ModelUsage {
    return addUsage(this.others, this.meter.usage);
  }
}

/** A sentence as it is written into the answer. */
type ShownSentence = Pick<CheckedSentence, 'text' | 'lead' | 'quotes' | 'isLeadIn'>;

/** The text of an answer and the citations that its marks refer to. */
type Shown = Pick<Answer, 'text' | 'citations'>;

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
  const passages = sources.map(({ passage }) => passage);
  const quoted = reply.quotes.flatMap(({ n }) => n ?? []);
  const written = writtenSentences(reply.answer, passages, quoted);
  const isAnswer = reply.answerable !== false;
  return checkSentences(written, reply.quotes, { sources, question, language, today, isAnswer });
}

/** Of the question; where that is too short to tell, of the answer, then of the sources. */
function languageOf(query: string, reply: ModelReply, sources: readonly AnswerPassage[]): Language {
  const sample = sources.map((s) => s.text.slice(0, 300)).join(' ');
  return detectLanguage(query) ?? detectLanguage(reply.answer) ?? detectLanguage(sample) ?? 'en';
}

/**
 * The sentences to show where there is no answer: those that stand. A sentence that fell is replaced by the whole sentences of the source that
 * it points to. In a discredited reply every sentence is replaced.
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
function write(sentences: readonly ShownSentence[]): Shown {
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

/** Fate of a reply: the answering sentence stands; it fell; or the model says that the sources do not answer. */
type Verdict = 'answers' | 'related' | 'denied';

/** Findings of the checks in a reply. Each sign can only lower the probability. */
interface ReplySigns {
  /** 1 when the model invented a quotation, claims what it changed in one, or obeyed a page; else 0. */
  discredited: number;
  /** Sentences removed for a value, and quotations with small changes: 0, 1, or 2 for more. */
  doubts: number;
}

/**
 * `intercept` and `discredited` are fitted by `npm run bench:replies -- --fit` on the replies in bench/replies. `doubts` is set by hand: the good
 * replies there never have any, because they were written so. One alone leaves an answer above 0.5, two do not.
 */
export const COEFFICIENTS = { intercept: 0.86, discredited: -3.56, doubts: -0.8 } as const;
/**
 * Probability of an answer after a second look has supported all its shown sentences: a verifier that lets one wrong
 * sentence in seven pass leaves about this share of answers right. Set by hand, for the verifier is not known.
 */
const CONFIRMED = 0.85;

const DISCREDITING: ReadonlySet<SentenceFault> = new Set(['altered_quotation', 'instruction']);
/** Nothing is certain. */
const LEAST = 0.02;
const MOST = 0.98;
/** Probability after the answering sentence was removed. */
const RELATED = 0.2;
/** The model itself says that the sources do not answer. */
const DENIED = 0.05;

/** Reads the signs off the checked sentences. */
export function signsOf(sentences: readonly CheckedSentence[]): ReplySigns {
  const quotes = sentences.flatMap((s) => s.located);
  const isDiscredited =
    sentences.some((s) => s.fault && DISCREDITING.has(s.fault)) || quotes.some((q) => q.status === 'missing');
  const values = sentences.filter((s) => s.fault === 'value').length;
  const changed = sentences.filter(
    (s) => s.fault !== 'altered_quotation' && s.located.some((q) => q.status === 'altered'),
  ).length;
  return { discredited: isDiscredited ? 1 : 0, doubts: Math.min(2, values + changed) };
}

/**
 * Estimated probability that the shown answer is right and grounded in its sources, 0.02..0.98 to 3 decimals: a logistic regression on two
 * signs. It never rises when a reply gets worse. An answer that is not shown as one stays below the threshold.
 *
 * @param isConfirmed a second look has supported every shown sentence
 * @param threshold of an answer, 0..1
 */
function replyProbability(
  signs: ReplySigns,
  verdict: Verdict,
  isConfirmed: boolean,
  threshold: number,
): number {
  const { intercept, discredited, doubts } = COEFFICIENTS;
  const logit = intercept + discredited * signs.discredited + doubts * signs.doubts;
  const estimate = isConfirmed ? CONFIRMED : 1 / (1 + Math.exp(-logit));
  const most = verdict === 'answers' ? MOST : verdict === 'related' ? RELATED : DENIED;
  const bounded = Math.max(LEAST, Math.min(estimate, most));
  // The estimate of a text that is not shown as an answer stays below the threshold of the host.
  const value = verdict === 'answers' ? bounded : Math.min(bounded, 0.9 * threshold);
  return Math.round(value * 1000) / 1000;
}

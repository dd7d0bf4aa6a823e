import { setImmediate as nextTurn } from 'node:timers/promises';
import { InvalidOptionError, UpstreamInvalidError, UpstreamTimeoutError } from '../../core/errors.js';
import { withFork, type ToolContext } from '../../core/context.js';
import { addUsage, NO_USAGE, type ModelUsage } from '../../core/usage.js';
import { coverageOf, refusalWarnings } from '../../data/check-fields.js';
import type { OutputSchema } from '../../data/output-schema.js';
import { problemsOfData, type Problem } from '../../data/prompts.js';
import { describe, isHard, type Unsupported } from '../../grounding/unsupported.js';
import type { Evidence } from '../../grounding/evidence.js';
import { secondLook, withVerdictsOf, type Claim, type Verifier } from '../../grounding/verifier.js';
import { wordsOf } from '../../grounding/quotations.js';
import { askTwice } from '../../model/ask-twice.js';
import type { ModelCall } from '../../model/call.js';
import type { ModelClient } from '../../model/client.js';
import { type Budget } from '../../model/options.js';
import { UsageMeter } from '../../model/usage-meter.js';
import { addressesOf, cleanOutput } from '../../text/clean-output.js';
import { detectLanguage } from '../../text/detect-language.js';
import { type Language } from '../../text/languages.js';
import type { Answer, AnswerEngine, AnswerPassage, Citation, GroundedField } from '../answer-engine.js';
import { AnswerStream } from './answer-stream.js';
import { composeAnswer, type Composed } from './compose-answer.js';
import {
  evidenceOf,
  groundReply,
  type AnswerMaterial,
  type AnswerReply,
  type GroundedReply,
  type GroundedStatement,
} from './grounded-reply.js';
import { answerCall, MAX_TEXT, readAnswerReply, repairCall } from './prompts.js';
import { noClearAnswer, notFound, related, shownSentence } from './wording.js';

/** Settings of {@link ModelAnswer}. */
export interface ModelAnswerOptions {
  /** Below this probability the outcome is `related` or `not_found`, 0..1. Default 0.5. */
  threshold?: number;
  /** The most that the calls may cost. Default: no limit. */
  budget?: Budget;
  /** Takes a second look at each answer: the model itself, or a verifier. Default: none. */
  verifier?: 'model' | Verifier;
  /** The current time. Default: the system's. */
  now?: () => Date;
}

/** Passages that go to the model. */
const MOST_PASSAGES = 8;
/** Kept back from the deadline for the extractive answer, should the model be late, and for sending it, ms. */
const RESERVE_MS = 300;
/** With less time than this no second look and no repair begins, ms. */
const LEAST_MS = 500;
const MOST_RELATED = 3;
/** The sentence that answers has at least so many words; "No." alone is answered by the next one. */
const LEAST_WORDS = 3;

/** A reply with what was found out about it. */
interface Judged extends GroundedReply {
  warnings: Answer['warnings'];
}

/** One answer while it is made. */
interface Work {
  question: string;
  seen: readonly AnswerPassage[];
  evidence: Evidence;
  context: ToolContext;
  meter: UsageMeter;
  today: Date;
  schema: OutputSchema | undefined;
}

/**
 * Answers with a language model: one call over the best passages, whose text is passed on while it is written. Then code checks what it can
 * decide: values, names, quotations, words in common. What fails is repaired by one more call, and what still fails is marked.
 */
export class ModelAnswer implements AnswerEngine {
  /** The model's id. */
  readonly engine: string;
  readonly fillsSchemas = true;
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
   * Reports the text as progress while it is written, and `rewrite` where a repair begins anew. Without passages the model is not asked.
   *
   * @throws UpstreamTimeoutError 300 ms before the context's deadline; UpstreamInvalidError for a reply without an answer;
   *   what `ModelClient.generate` throws; the context's reason when it is aborted
   */
  async answer(
    query: string,
    passages: AnswerPassage[],
    context: ToolContext,
    onSpent?: (usage: ModelUsage) => void,
    schema?: OutputSchema,
  ): Promise<Answer> {
    // A source that the model does not see cannot support its answer.
    const seen = passages.slice(0, MOST_PASSAGES).map((p) => ({ ...p, text: p.text.slice(0, MAX_TEXT) }));
    const embedded = await this.embedded.answer(query, seen, context);
    if (seen.length === 0) {
      const nothing = { ...embedded, engine: this.engine };
      if (!schema) return nothing;
      const outputComplete = schema.root.fields.every(({ required }) => !required);
      return { ...nothing, data: { output: {}, outputComplete, grounding: [] } };
    }
    const meter = new UsageMeter(this.options.budget);
    try {
      const language = languageOf(query, seen);
      const evidence = await evidenceOf(seen, language, context.signal);
      const today = this.options.now?.() ?? new Date();
      const work: Work = { question: query, seen, evidence, context, meter, today, schema };
      const start = performance.now();
      const draft = await this.draft(work);
      const took = performance.now() - start;
      const judged = await this.verified(draft, work);
      const final = await this.repaired(judged, work, took);
      const answer = this.withData(this.decide(final, work, embedded), final, work);
      return { ...answer, usage: addUsage(NO_USAGE, meter.usage) };
    } catch (error) {
      // A call that was given up books its tokens as it ends, a turn later.
      await nextTurn();
      onSpent?.(addUsage(NO_USAGE, meter.usage));
      throw error;
    }
  }

  /** Asks for the answer; once more where it ends in the middle, where nothing came, or prose of which the sources have nothing: a refusal. */
  private async draft(work: Work): Promise<GroundedReply> {
    const { question, seen, today, schema, context } = work;
    const start = performance.now();
    const { value, flaw } = await askTwice(
      context,
      (again) => {
        const isLate = again && context.remainingMs() - RESERVE_MS < performance.now() - start;
        if (isLate) throw new UpstreamTimeoutError('There was no time left to ask the language model again.');
        if (again) context.progress({ stage: 'rewrite' });
        return this.ask(answerCall(question, seen, today, schema, again), work);
      },
      async (reply) => {
        const draft = await this.check(reply, work);
        const isProse = reply.unstructured && (schema !== undefined || draft.grounded.every(isBaseless));
        const isAnswer = (reply.answer !== '' && !isProse) || (draft.data?.fields.length ?? 0) > 0;
        const isEmpty = !isAnswer && reply.answerable !== false;
        return { value: draft, flaw: isEmpty ? 'empty' : reply.truncated ? 'cut' : undefined };
      },
    );
    if (flaw === 'empty') throw new UpstreamInvalidError('The language model gave no answer.');
    return value;
  }

  /** Asks the model, and passes its answer on while it is written. */
  private async ask(call: ModelCall, work: Work): Promise<AnswerReply> {
    const { context, seen, evidence, question, meter } = work;
    const ms = context.remainingMs() - RESERVE_MS;
    if (ms <= 0) throw new UpstreamTimeoutError('There was no time left to ask the language model.');
    const language = languageOf(question, seen);
    const begin = (isAnswerable: boolean): string => (isAnswerable ? '' : noClearAnswer(language, ''));
    const known = addressesOf(seen.flatMap(({ text, title, url }) => [text, title, url]));
    const stream = new AnswerStream(seen, evidence, language, known, begin, (text) =>
      context.progress({ stage: 'answer', text }),
    );
    const streamed: ModelCall = {
      ...call,
      onText: (delta) => stream.push(delta),
      onRestart: () => {
        stream.restart();
        context.progress({ stage: 'rewrite' });
      },
    };
    const answer = await withFork(context, { ms }, (own) => this.model.generate(streamed, own, meter));
    const reply = readAnswerReply(answer, work.schema);
    return { ...reply, answer: cleanOutput(reply.answer, known).trim() };
  }

  private check(reply: AnswerReply, work: Work): Promise<GroundedReply> {
    return groundReply(reply, materialOf(reply, work), work.context.signal);
  }

  /** The answer after a second look. Without a verifier, or where it fails, it stays as it is. */
  private async verified(draft: GroundedReply, work: Work): Promise<Judged> {
    const { verifier } = this.options;
    const { question, seen, context, meter } = work;
    const unjudged = { ...draft, warnings: [] };
    if (!verifier || draft.reply.answerable === false) return unjudged;
    const failed = (reason: string): Judged => {
      const warning = { code: 'answer_not_verified', message: `The answer was not verified: ${reason}.` };
      return { ...draft, warnings: [warning] };
    };
    const ms = context.remainingMs() - RESERVE_MS;
    if (ms < LEAST_MS) return failed('no time was left');
    const claimOf = ({ isClaim, written, rests }: GroundedStatement): Claim | undefined => {
      const sources = [...new Set(rests.map(({ source }) => source))];
      return isClaim ? { text: written.text, passages: sources.map((n) => seen[n]!) } : undefined;
    };
    try {
      const grounded = await withFork(context, { ms }, (own) =>
        secondLook(draft.grounded, claimOf, verifier, { model: this.model, question, context: own, meter }),
      );
      return { ...unjudged, grounded };
    } catch {
      context.signal.throwIfAborted();
      return failed('the verifier failed');
    }
  }

  /**
   * Asks the model once to repair what is wrong in its answer: statements with a hard finding, and another language than the question's. The repaired
   * answer is taken where it has fewer of them, and no less that holds.
   *
   * @param took time of the first call, ms: with less left none begins
   */
  private async repaired(judged: Judged, work: Work, took: number): Promise<Judged> {
    const { question, seen, today, context } = work;
    const problems = problemsOf(judged);
    const language = foreignLanguage(question, judged.reply.answer);
    const isLate = context.remainingMs() - RESERVE_MS < Math.max(LEAST_MS, took);
    if (!this.model.options.repair || isLate || (problems.length === 0 && !language)) return judged;
    context.progress({ stage: 'rewrite' });
    try {
      const call = repairCall(question, seen, today, judged.reply, problems, language, work.schema);
      const reply = await this.ask(call, work);
      const checked = await this.check(reply, work);
      const again = { ...checked, grounded: withVerdictsOf(judged.grounded, checked.grounded, textOf) };
      const isWhole =
        !reply.unstructured &&
        !reply.truncated &&
        reply.answer !== '' &&
        again.grounded.filter(isBaseless).length <= judged.grounded.filter(isBaseless).length &&
        (again.data?.fields.length ?? 0) >= (judged.data?.fields.length ?? 0);
      const isBetter =
        problemsOf(again).length < problems.length || (language && !foreignLanguage(question, reply.answer));
      return isWhole && isBetter ? { ...judged, ...again } : judged;
    } catch {
      // The draft is shown as it is, with its marks.
      context.signal.throwIfAborted();
      return judged;
    }
  }

  /** The answer with the data that were asked for, whose required fields then decide about its outcome. */
  private withData(answer: Answer, { data }: Judged, { schema, evidence, seen }: Work): Answer {
    if (!schema || !data) return answer;
    const { filled, probability: mean } = coverageOf(data, schema);
    const citations = [...answer.citations];
    const grounding = data.fields.map(({ pointer, place, probability }): GroundedField => {
      const { url, title } = seen[place.source]!;
      const quote = evidence.textAt(place);
      const known = citations.find((one) => one.url === url && one.quote.includes(quote));
      const cited: Citation = known ?? { index: citations.length + 1, url, title, quote };
      if (!known) citations.push(cited);
      return { field: pointer, citations: [cited.index], probability };
    });
    const estimate = Math.min(MOST, Math.max(LEAST, filled * mean));
    const isAnswer = filled === 1 && estimate >= this.threshold;
    const value = isAnswer ? estimate : Math.min(estimate, 0.9 * this.threshold);
    return {
      ...answer,
      outcome: isAnswer ? 'answered' : citations.length > 0 ? 'related' : 'not_found',
      answerableProbability: Math.round(value * 1000) / 1000,
      citations,
      data: { output: data.output, outputComplete: data.isComplete, grounding },
      warnings: [...answer.warnings, ...refusalWarnings(data.refused)],
    };
  }

  /** Decides what is shown and as what. */
  private decide(judged: Judged, work: Work, embedded: Answer): Answer {
    const { seen, evidence, question } = work;
    const { reply, grounded } = judged;
    const { language } = materialOf(reply, work);
    const isDenied = reply.answerable === false;
    const claims = grounded.filter(({ isClaim }) => isClaim);
    const answering = claims.find(({ written }) => wordsOf(written.text).length >= LEAST_WORDS) ?? claims[0];
    const failed = claims.filter(({ findings }) => findings.length > 0);
    const baseless = claims.filter(isBaseless);
    const isAnswer =
      answering !== undefined && !answering.findings.some(isHard) && 2 * baseless.length <= claims.length;
    const verdict: Verdict = isDenied ? 'denied' : isAnswer ? 'answers' : 'related';
    const probability = replyProbability(judged, verdict, this.threshold);
    const dropped = claims.filter(
      ({ written, findings }) => written.kind === 'item' && findings.some(isHard),
    );
    const isShown = isDenied || (isAnswer && probability >= this.threshold);
    const isDropped = ({ written }: GroundedStatement): boolean =>
      isShown && dropped.some((one) => one.written === written);
    const unsupported = unsupportedOf(failed.filter((statement) => !isDropped(statement)));
    const base = {
      answerableProbability: probability,
      engine: this.engine,
      ...(unsupported.length > 0 ? { unsupported } : {}),
      warnings: [
        ...warningsOf(judged, isShown ? dropped : []),
        ...embedded.warnings.filter(({ code }) => code === 'sources_disagree'),
        ...languageWarnings(question, reply.answer, grounded, evidence, language),
      ],
    };
    if (isShown && claims.length > 0) {
      const { text, citations } = composeAnswer(judged, grounded, evidence, seen, isDropped);
      const shown = { ...base, citations };
      if (!isDenied) return { ...shown, text, outcome: 'answered' };
      // The model says itself what is missing.
      const outcome = citations.length > 0 ? 'related' : 'not_found';
      return { ...shown, text: noClearAnswer(language, text), outcome };
    }
    const closest = isDenied ? { text: '', citations: [] } : closestPassages(claims, evidence, seen);
    if (closest.citations.length > 0) {
      return { ...base, ...closest, text: related(language, closest.text), outcome: 'related' };
    }
    if (isDenied || embedded.citations.length === 0) {
      return { ...base, text: notFound(language), citations: [], outcome: 'not_found' };
    }
    // No part of the reply has a source: show the closest passages of the embedded engine, but not as an answer.
    const { citations } = embedded;
    const text = embedded.outcome === 'related' ? embedded.text : related(language, embedded.text);
    return { ...base, text, citations, outcome: 'related' };
  }
}

/** Of the question; where that is too short to tell, of the sources. */
function languageOf(query: string, sources: readonly AnswerPassage[], reply = ''): Language {
  const sample = sources.map((s) => s.text.slice(0, 300)).join(' ');
  return detectLanguage(query) ?? detectLanguage(reply) ?? detectLanguage(sample) ?? 'en';
}

function materialOf(reply: AnswerReply, { seen, evidence, question, today, schema }: Work): AnswerMaterial {
  const language = languageOf(question, seen, reply.answer);
  return { passages: seen, evidence, question, language, today, ...(schema ? { schema } : {}) };
}

const NAMES = new Intl.DisplayNames('en', { type: 'language' });

/** The language of the question, in English, where the answer is in another one of the six. */
function foreignLanguage(question: string, answer: string): string | undefined {
  const [asked, written] = [detectLanguage(question), detectLanguage(answer)];
  return asked && written && asked !== written ? NAMES.of(asked) : undefined;
}

function problemsOf({ grounded, data }: GroundedReply): Problem[] {
  return [
    ...grounded
      .map((one) => ({ text: textOf(one), why: one.findings.filter(isHard) }))
      .filter(({ why }) => why.length > 0)
      .map(({ text, why }) => ({ text, why: describe(why) })),
    ...problemsOfData(data?.refused ?? []),
  ];
}

/** A statement with a wrong fact, or with few words of the sources and none quoted. */
function isBaseless({ findings, isQuoted }: GroundedStatement): boolean {
  return findings.some(isHard) || (findings.length > 0 && !isQuoted);
}

function unsupportedOf(failed: readonly GroundedStatement[]): Unsupported[] {
  return failed.map((one) => ({ text: textOf(one), reason: one.findings[0]!.reason }));
}

function textOf({ written }: GroundedStatement): string {
  return written.text || written.code.join('\n');
}

/** The whole sentences of the sources that the statements rest on, each once. */
function closestPassages(
  claims: readonly GroundedStatement[],
  evidence: Evidence,
  passages: readonly AnswerPassage[],
): Composed {
  const places = claims.flatMap(({ rests }) => rests.slice(0, 1)).map((place) => evidence.sentencesAt(place));
  const texts = places.map((place) => evidence.textAt(place));
  const unique = places.filter((_, i) => texts.indexOf(texts[i]!) === i).slice(0, MOST_RELATED);
  const citations = unique.map((place, i) => {
    const { url, title } = passages[place.source]!;
    return { index: i + 1, url, title, quote: evidence.textAt(place) };
  });
  return {
    text: citations.map(({ quote, index }) => `${shownSentence(quote)} [${index}]`).join(' '),
    citations,
  };
}

/** Says what is not supported, and what was left out. */
function warningsOf(
  { grounded, reply, invented, warnings }: Judged,
  dropped: readonly GroundedStatement[],
): Answer['warnings'] {
  const quoted = (statements: readonly GroundedStatement[]): string =>
    statements.map((one) => `“${textOf(one)}” (${describe(one.findings)})`).join(' ');
  const failed = grounded.filter((one) => one.findings.length > 0 && !dropped.includes(one));
  const found: Answer['warnings'] = [
    {
      code: 'reply_unstructured',
      message: reply.unstructured
        ? 'The model did not answer in the requested form; its text was taken as it is.'
        : '',
    },
    {
      code: 'answer_truncated',
      message: reply.truncated
        ? "The model's answer ends in the middle: it ran out of tokens, or its connection was cut."
        : '',
    },
    {
      code: 'unsupported_statements',
      message:
        failed.length > 0
          ? `Statements that the checks did not find in the sources: ${failed.length} of ${grounded.length}. ${quoted(failed)}`
          : '',
    },
    {
      code: 'points_dropped',
      message: dropped.length > 0 ? `List items that were left out: ${quoted(dropped)}` : '',
    },
    {
      code: 'points_dropped',
      message:
        invented.length > 0
          ? `Quotations of the model that stand in no source were left out: ${invented.map((quote) => `“${quote}”`).join(' ')}`
          : '',
    },
  ];
  return [...found.filter(({ message }) => message !== ''), ...warnings];
}

/** Names and words are not compared across languages. */
function languageWarnings(
  question: string,
  answer: string,
  grounded: readonly GroundedStatement[],
  evidence: Evidence,
  language: Language,
): Answer['warnings'] {
  const asked = foreignLanguage(question, answer);
  const isForeign = grounded.some(({ rests }) =>
    rests.some(({ source }) => evidence.sources[source]!.reading !== language),
  );
  const result: Answer['warnings'] = [];
  if (asked) {
    const message = `The question is in ${asked}, the answer is not.`;
    result.push({ code: 'answer_language', message });
  }
  if (isForeign) {
    const message =
      'Some sources are in another language than the question: quotations, numbers, units, dates and names of persons were checked; other names and words were not.';
    result.push({ code: 'answer_partly_checked', message });
  }
  return result;
}

/** Fate of a reply: it answers; its answering sentence failed, or half of it; or the model says that the sources do not answer. */
type Verdict = 'answers' | 'related' | 'denied';

/** Share of the answers that are right of those without a finding: in bench/replies, where half of the replies are careless on purpose. */
const UNREFUTED = 0.63;
/**
 * The same after a second look has supported all statements: of a verifier that lets one wrong sentence in seven pass. Set by hand, for the
 * verifier is not known.
 */
const CONFIRMED = 0.85;
/**
 * Subtracted from the probability: a share for quotations that are missing or altered, for statements with a wrong fact, and for those with few
 * words in common.
 * Set by hand: each alone leaves an answer above 0.5, because it is marked.
 */
const COST = { quotation: 0.12, hard: 0.24, soft: 0.12 };
/** The most where the answering sentence failed, and where the model itself says that the sources do not answer. */
const MOST_BY_VERDICT: Readonly<Record<Verdict, number>> = { answers: 0.98, related: 0.2, denied: 0.05 };
const [LEAST, MOST] = [0.02, MOST_BY_VERDICT.answers];

/**
 * Estimated probability that the shown answer is right and grounded in its sources, 0.02..0.98 to 3 decimals. It never rises when a reply gets
 * worse. An answer that is not shown as one stays below the threshold.
 *
 * @param threshold of an answer, 0..1
 */
function replyProbability(
  { grounded, invented, altered }: GroundedReply,
  verdict: Verdict,
  threshold: number,
): number {
  const claims = grounded.filter(({ isClaim }) => isClaim);
  const shareOf = (test: (claim: GroundedStatement) => boolean): number =>
    claims.length === 0 ? 0 : claims.filter(test).length / claims.length;
  const hard = shareOf(({ findings }) => findings.some(isHard));
  const soft = shareOf(({ findings }) => findings.length > 0) - hard;
  // A quotation that discredits a statement counts there.
  const discrediting = new Set(grounded.flatMap(({ findings }) => findings.map(({ about }) => about)));
  const others = invented.some((quote) => !discrediting.has(quote));
  const quotations = Number(others) + Number(altered > 0);
  const isConfirmed = claims.length > 0 && claims.every((one) => one.verdict === 'supported');
  const estimate = isConfirmed
    ? CONFIRMED
    : UNREFUTED - COST.quotation * quotations - COST.hard * hard - COST.soft * soft;
  const bounded = Math.max(LEAST, Math.min(estimate, MOST_BY_VERDICT[verdict]));
  // The estimate of a text that is not shown as an answer stays below the threshold of the host.
  const value = verdict === 'answers' ? bounded : Math.min(bounded, 0.9 * threshold);
  return Math.round(value * 1000) / 1000;
}

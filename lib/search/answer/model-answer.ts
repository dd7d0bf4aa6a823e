import { withFork, type ToolContext } from '../../core/context.js';
import { UpstreamInvalidError, UpstreamTimeoutError } from '../../core/errors.js';
import { addUsage, NO_USAGE } from '../../core/usage.js';
import { coverageOf, refusalWarnings } from '../../data/check-fields.js';
import type { OutputSchema } from '../../data/output-schema.js';
import { problemsOfData, type Problem } from '../../data/prompts.js';
import { comparedWords } from '../../grounding/quotations.js';
import { describe, isHard, isRefuting, type Unsupported } from '../../grounding/unsupported.js';
import { secondLook, withVerdictsOf, type Claim, type Verifier } from '../../grounding/verifier.js';
import { askTwice, PART_MISSING, type Flaw } from '../../model/ask-twice.js';
import type { ModelReply, ModelCall } from '../../model/call.js';
import type { ModelClient } from '../../model/client.js';
import type { Budget } from '../../model/options.js';
import { UsageMeter } from '../../model/usage-meter.js';
import { addressesOf, cleanOutput } from '../../text/clean-output.js';
import { detectLanguage, languageOfQuestion, toldLanguage } from '../../text/detect-language.js';
import { languageName, type Language } from '../../text/languages.js';
import type { Answer, AnswerEngine, AnswerPassage, Citation, GroundedField } from '../answer-engine.js';
import { AnswerStream } from './answer-stream.js';
import { citationOf, composeAnswer, type Composed } from './compose-answer.js';
import {
  evidenceOfPassages,
  groundReply,
  type AnswerMaterial,
  type AnswerReply,
  type GroundedReply,
  type GroundedStatement,
} from './grounded-reply.js';
import { answerCall, MAX_TEXT, readAnswerReply, repairCall } from './prompts.js';
import { introduced, notFound, related, shownSentence } from './wording.js';

/** How a text is asked for and read. */
export interface AnswerForm {
  /** The most passages that the model is shown. */
  mostPassages: number;
  /** False: a text that is probably wrong is shown with its marks, in place of the closest passages. */
  showsClosest: boolean;
  call(material: AnswerMaterial, again?: Flaw): ModelCall;
  read(reply: ModelReply, schema?: OutputSchema): AnswerReply;
  repairCall(
    material: AnswerMaterial,
    draft: GroundedReply,
    problems: readonly Problem[],
    language?: string,
  ): ModelCall;
  readRepair(reply: ModelReply, draft: GroundedReply, schema?: OutputSchema): AnswerReply;
}

const ANSWER: AnswerForm = {
  mostPassages: 8,
  showsClosest: true,
  call: answerCall,
  read: readAnswerReply,
  repairCall: (material, { reply }, ...rest) => repairCall(material, reply, ...rest),
  readRepair: (reply, _, schema) => readAnswerReply(reply, schema),
};

export interface ModelAnswerOptions {
  /** Default: an answer of a few sentences. */
  form?: AnswerForm;
  /** Adds up what the calls cost, together with others; `usage` is then absent. Default: one for each answer, with `budget`. */
  meter?: UsageMeter;
  /** Language of the text. Default: that of the question. */
  outputLanguage?: Language | undefined;
  /** Below this probability the outcome is `related` or `not_found`, 0..1. Default 0.5. */
  threshold?: number;
  /** The most that the calls may cost. Default: no limit. */
  budget?: Budget;
  /** Takes a second look at each answer: the model itself, or a verifier. Default: none. */
  verifier?: 'model' | Verifier;
  /** Of an answer where neither question nor sources tell. Default `'en'`. */
  language?: Language;
  /** The current time. Default: the system's. */
  now?: () => Date;
}

/** Kept back from the deadline for the extractive answer, should the model be late, and for sending it, ms. */
const RESERVE_MS = 300;
/** With less time than this no second look and no repair begins, ms. */
const LEAST_MS = 500;
const MOST_RELATED = 3;
/** The sentence that answers has at least so many words; "No." alone is answered by the next one. */
const LEAST_WORDS = 3;

interface Work extends AnswerMaterial {
  context: ToolContext;
  meter: UsageMeter;
}

/** A reply after the second look; with the reason why there was none, where one was wanted. */
type Judged = GroundedReply & {
  unverified?: string;
  /** The repair left out the sentence that answered, so the first version stays. */
  isAnswerLost?: boolean;
};

/**
 * Answers with a language model: one call over the best passages, whose text is passed on while it is written. Then code checks what it can
 * decide: values, names, quotations, words in common. What fails is repaired by one more call, and what still fails is marked.
 */
export class ModelAnswer implements AnswerEngine {
  readonly engine: string;
  readonly fillsSchemas = true;
  private readonly threshold: number;
  private readonly form: AnswerForm;

  /** @param embedded answers without passages, and finds the closest ones where no part of a reply can be shown */
  constructor(
    private readonly model: ModelClient,
    private readonly embedded: AnswerEngine,
    private readonly options: ModelAnswerOptions = {},
  ) {
    this.engine = model.id;
    this.threshold = options.threshold ?? 0.5;
    this.form = options.form ?? ANSWER;
  }

  /**
   * Reports the text as progress while it is written, and `rewrite` where a repair begins anew. Without passages the model is not asked.
   *
   * @throws UpstreamTimeoutError 300 ms before the context's deadline; UpstreamInvalidError for a reply without an answer;
   *   what `ModelClient.generate` throws; the context's reason when it is aborted
   */
  async answer(
    query: string,
    given: AnswerPassage[],
    context: ToolContext,
    schema?: OutputSchema,
  ): Promise<Answer> {
    // A source that the model does not see cannot support its answer.
    const passages = given
      .slice(0, this.form.mostPassages)
      .map((p) => ({ ...p, text: p.text.slice(0, MAX_TEXT) }));
    if (passages.length === 0) {
      const nothing = { ...(await this.embedded.answer(query, [], context)), engine: this.engine };
      const outputComplete = schema?.root.fields.every(({ required }) => !required) ?? false;
      return schema ? { ...nothing, data: { output: {}, outputComplete, grounding: [] } } : nothing;
    }
    const { outputLanguage, budget, meter = new UsageMeter(budget) } = this.options;
    const language = outputLanguage ?? languageOf(query, passages, this.options.language);
    const evidence = await evidenceOfPassages(passages, language, context.signal);
    const today = this.options.now?.() ?? new Date();
    const work: Work = { question: query, passages, evidence, language, today, schema, context, meter };
    const start = performance.now();
    const draft = await this.draft(work);
    const took = performance.now() - start;
    const judged = await this.verified(draft, work);
    const final = await this.repaired(judged, work, took);
    const answer = this.withData(await this.decide(final, work), final, work);
    // A meter of the caller holds other calls too.
    return this.options.meter ? answer : { ...answer, usage: addUsage(NO_USAGE, meter.usage) };
  }

  /** Asks for the answer; once more where it ends in the middle, where nothing came, or prose of which the sources have nothing: a refusal. */
  private async draft(work: Work): Promise<GroundedReply> {
    const { schema, context } = work;
    const { value, flaw } = await askTwice(
      context,
      (again) => {
        if (again) context.progress({ stage: 'rewrite' });
        return this.ask(this.form.call(work, again), work, (reply) => this.form.read(reply, schema));
      },
      async (reply) => {
        const draft = await groundReply(reply, work, context.signal);
        const isProse = reply.unstructured && (schema !== undefined || draft.grounded.every(isBaseless));
        const isAnswer = (reply.answer !== '' && !isProse) || (draft.data?.fields.length ?? 0) > 0;
        const isEmpty = !isAnswer && reply.answerable !== false;
        const cut = reply.isDamaged ? 'broken' : reply.truncated ? 'cut' : undefined;
        return { value: draft, flaw: isEmpty ? 'empty' : cut };
      },
    );
    if (flaw === 'empty') throw new UpstreamInvalidError('The language model gave no answer.');
    return value;
  }

  private async ask(
    call: ModelCall,
    work: Work,
    read: (reply: ModelReply) => AnswerReply,
  ): Promise<AnswerReply> {
    const { context, passages, meter } = work;
    const ms = context.remainingMs() - RESERVE_MS;
    if (ms <= 0) throw new UpstreamTimeoutError('There was no time left to ask the language model.');
    const known = addressesOf(passages.flatMap(({ text, title, url }) => [text, title, url]));
    const stream = new AnswerStream(work, known, (text) => context.progress({ stage: 'answer', text }));
    const streamed: ModelCall = {
      ...call,
      onText: (delta) => stream.push(delta),
      onRestart: () => {
        stream.restart();
        context.progress({ stage: 'rewrite' });
      },
    };
    const answer = await withFork(context, { ms }, (own) => this.model.generate(streamed, own, meter));
    const reply = read(answer);
    return { ...reply, answer: cleanOutput(reply.answer, known).trim() };
  }

  /** The answer after a second look. Without a verifier, or where it fails, it stays as it is. */
  private async verified(draft: GroundedReply, work: Work): Promise<Judged> {
    const { verifier } = this.options;
    const { question, passages, context, meter } = work;
    if (!verifier || draft.reply.answerable === false) return draft;
    const ms = context.remainingMs() - RESERVE_MS;
    if (ms < LEAST_MS) return { ...draft, unverified: 'no time was left' };
    const claimOf = ({ isClaim, written, rests }: GroundedStatement): Claim | undefined => {
      const sources = [...new Set(rests.map(({ source }) => source))];
      return isClaim ? { text: written.text, passages: sources.map((n) => passages[n]!) } : undefined;
    };
    try {
      const grounded = await withFork(context, { ms }, (own) =>
        secondLook(draft.grounded, claimOf, verifier, { model: this.model, question, context: own, meter }),
      );
      return { ...draft, grounded };
    } catch {
      context.signal.throwIfAborted();
      return { ...draft, unverified: 'the verifier failed' };
    }
  }

  /**
   * Asks the model once to repair what is wrong in its answer: statements with a hard finding, and another language than the question's. The repaired
   * answer is taken where less of it is wrong.
   *
   * @param took time of the first call, ms: with less left none begins
   */
  private async repaired(judged: Judged, work: Work, took: number): Promise<Judged> {
    const { context, schema } = work;
    const { form } = this;
    const problems = problemsOf(judged);
    const foreignIn = (reply: AnswerReply): string | undefined => this.foreignLanguage(work, reply);
    const language = foreignIn(judged.reply);
    const isLate = context.remainingMs() - RESERVE_MS < Math.max(LEAST_MS, took);
    if (!this.model.options.repair || isLate || (problems.length === 0 && !language)) return judged;
    context.progress({ stage: 'rewrite' });
    try {
      const call = form.repairCall(work, judged, problems, language);
      const reply = await this.ask(call, work, (given) => form.readRepair(given, judged, schema));
      const checked = await groundReply(reply, work, context.signal);
      const again = { ...checked, grounded: withVerdictsOf(judged.grounded, checked.grounded, textOf) };
      const isWhole = !reply.unstructured && !reply.truncated && reply.answer !== '';
      const isLess =
        again.grounded.filter(isBaseless).length > judged.grounded.filter(isBaseless).length ||
        (again.data?.fields.length ?? 0) < (judged.data?.fields.length ?? 0);
      const isBetter = problemsOf(again).length < problems.length || (language && !foreignIn(reply));
      if (!isWhole || isLess || !isBetter) return judged;
      return form.showsClosest && leavesOutAnswer(judged, again)
        ? { ...judged, isAnswerLost: true }
        : { ...judged, ...again };
    } catch {
      // The draft is shown as it is, with its marks.
      context.signal.throwIfAborted();
      return judged;
    }
  }

  private async decide(judged: Judged, work: Work): Promise<Answer> {
    const { passages, evidence, question, language, context } = work;
    const { reply, grounded } = judged;
    const claims = grounded.filter(({ isClaim }) => isClaim);
    const answering = answeringOf(judged);
    const isDenied = reply.answerable === false;
    const isOtherwise = reply.false_premise === true;
    const isRefuted =
      !answering ||
      answering.findings.some(isRefuting) ||
      2 * claims.filter(isBaseless).length > claims.length;
    const estimate = Math.min(estimateOf(judged), isDenied ? MOST_DENIED : isRefuted ? MOST_REFUTED : MOST);
    const isAnswer = !isDenied && !isRefuted && estimate >= this.threshold;
    const isShown = isDenied || isAnswer || !this.form.showsClosest;
    const isDropped = ({ written, findings }: GroundedStatement): boolean =>
      isShown && written.kind === 'item' && findings.some(isRefuting);
    const failed = claims.filter(({ findings }) => findings.length > 0);
    const [dropped, listed] = [failed.filter(isDropped), failed.filter((one) => !isDropped(one))];
    const unsupported = listed.map((one): Unsupported => ({
      text: textOf(one),
      reason: one.findings[0]!.reason,
    }));
    const base = {
      answerableProbability: isRefuted || isDenied ? this.belowThreshold(estimate) : rounded(estimate),
      engine: this.engine,
      ...(unsupported.length > 0 ? { unsupported } : {}),
      warnings: warningsOf(judged, listed, dropped, work, this.foreignLanguage(work, reply)),
    };
    if (isShown && claims.length > 0) {
      const shown = composeAnswer(judged, grounded, evidence, passages, isDropped);
      const text = introduced(language, shown.text, { isDenied, isOtherwise });
      if (isAnswer) return { ...base, ...shown, text, outcome: 'answered' };
      // The model says itself what is missing.
      const outcome = shown.citations.length > 0 ? 'related' : 'not_found';
      return { ...base, ...shown, text, outcome };
    }
    if (isDenied) return { ...base, text: notFound(language), citations: [], outcome: 'not_found' };
    // What else the first version says is worth showing where most of it holds.
    const isWorth = judged.isAnswerLost && 2 * failed.length <= claims.length;
    const marked = isWorth ? composeAnswer(judged, grounded, evidence, passages) : undefined;
    const closest = closestPassages(isWorth ? failed : claims, work, marked?.citations);
    if (closest.text !== '') {
      const passage = related(language, closest.text);
      const text = marked ? `${passage}\n\n${marked.text}` : passage;
      return { ...base, ...closest, text, outcome: 'related' };
    }
    // No part of the reply has a source: the closest passages of the embedded engine are shown, but not as an answer.
    const { text, citations, outcome } = await this.embedded.answer(question, [...passages], context);
    if (outcome === 'not_found') return { ...base, text, citations, outcome };
    return {
      ...base,
      text: outcome === 'related' ? text : related(language, text),
      citations,
      outcome: 'related',
    };
  }

  /** The answer with the data that were asked for, whose required fields then decide about its outcome. */
  private withData(answer: Answer, { data }: Judged, { schema, evidence, passages }: Work): Answer {
    if (!schema || !data) return answer;
    const { filled, probability: mean } = coverageOf(data, schema);
    const citations = [...answer.citations];
    const grounding = data.fields.map(({ pointer, place, probability }): GroundedField => {
      const cited = citationOf(place, citations.length + 1, evidence, passages);
      const known = citations.find((one) => one.url === cited.url && one.quote.includes(cited.quote));
      if (!known) citations.push(cited);
      return { field: pointer, citations: [(known ?? cited).index], probability };
    });
    const estimate = Math.min(MOST, Math.max(LEAST, filled * mean));
    const isAnswer = filled === 1 && estimate >= this.threshold;
    return {
      ...answer,
      outcome: isAnswer ? 'answered' : citations.length > 0 ? 'related' : 'not_found',
      answerableProbability: isAnswer ? rounded(estimate) : this.belowThreshold(estimate),
      citations,
      data: { output: data.output, outputComplete: data.isComplete, grounding },
      warnings: [...answer.warnings, ...refusalWarnings(data.refused)],
    };
  }

  /** The language in which the answer should be, in English, where it is in another one of the six. */
  private foreignLanguage({ question }: Work, { answer }: AnswerReply): string | undefined {
    const { outputLanguage = toldLanguage(question) } = this.options;
    const written = toldLanguage(answer);
    return outputLanguage && written && outputLanguage !== written ? languageName(outputLanguage) : undefined;
  }

  /** The probability of a text that is not shown as an answer stays below the threshold of the host. */
  private belowThreshold(estimate: number): number {
    return rounded(Math.min(estimate, 0.9 * this.threshold));
  }
}

/** Of the question; where that is too short to tell, of the sources, or the host's. */
function languageOf(query: string, sources: readonly AnswerPassage[], ofHost: Language = 'en'): Language {
  const sample = sources.map(({ text }) => text.slice(0, 300)).join(' ');
  const words = new Set(sources.flatMap(({ text }) => text.toLowerCase().match(/\p{L}+/gu) ?? []));
  return languageOfQuestion(query, { words, language: detectLanguage(sample) ?? ofHost });
}

/** The sentence that answers: the first one that claims something in more than a word. */
function answeringOf({ grounded }: GroundedReply): GroundedStatement | undefined {
  const claims = grounded.filter(({ isClaim }) => isClaim);
  return claims.find(({ written }) => comparedWords(written.text).length >= LEAST_WORDS) ?? claims[0];
}

/** Whether a repair only leaves out the refused sentence that answered, so that a further one of the first version takes its place. */
function leavesOutAnswer(first: GroundedReply, repaired: GroundedReply): boolean {
  const [before, after] = [answeringOf(first), answeringOf(repaired)];
  if (!before || !after || !before.findings.some(isRefuting)) return false;
  return first.grounded.some((one) => one !== before && textOf(one) === textOf(after));
}

function problemsOf({ grounded, data }: GroundedReply): Problem[] {
  const wrong = grounded.filter(({ findings }) => findings.some(isRefuting));
  return [
    ...wrong.map((one) => ({ text: textOf(one), why: describe(one.findings.filter(isRefuting)) })),
    ...problemsOfData(data?.refused ?? []),
  ];
}

/** A statement with a wrong fact, or with few words of the sources and none quoted. */
function isBaseless({ findings, isQuoted }: GroundedStatement): boolean {
  return findings.some(isRefuting) || (findings.some((one) => !isHard(one)) && !isQuoted);
}

function textOf({ written }: GroundedStatement): string {
  return written.text || written.code.join('\n');
}

/**
 * The whole sentences of the sources that the statements rest on, each once.
 * @param before citations that theirs are added to
 */
function closestPassages(
  claims: readonly GroundedStatement[],
  { evidence, passages }: AnswerMaterial,
  before: readonly Citation[] = [],
): Composed {
  const places = claims.flatMap(({ rests }) => rests.slice(0, 1)).map((place) => evidence.sentencesAt(place));
  const unique = [...new Map(places.map((place) => [evidence.textAt(place), place])).values()];
  const citations = unique
    .slice(0, MOST_RELATED)
    .map((place, i) => citationOf(place, before.length + i + 1, evidence, passages));
  const text = citations.map(({ quote, index }) => `${shownSentence(quote)} [${index}]`).join(' ');
  return { text, citations: [...before, ...citations] };
}

function warningsOf(
  { grounded, reply, invented, unverified }: Judged,
  marked: readonly GroundedStatement[],
  dropped: readonly GroundedStatement[],
  { evidence, language }: AnswerMaterial,
  asked: string | undefined,
): Answer['warnings'] {
  const quoted = (statements: readonly GroundedStatement[]): string =>
    statements.map((one) => `“${textOf(one)}” (${describe(one.findings)})`).join(' ');
  const isAcross = grounded.some(({ rests }) =>
    rests.some(({ source }) => evidence.sources[source]!.reading !== language),
  );
  const all = [
    {
      applies: reply.unstructured,
      code: 'reply_unstructured',
      message: 'The model did not answer in the requested form; its text was taken as it is.',
    },
    {
      applies: reply.truncated,
      code: 'answer_truncated',
      message: `The model's answer ${PART_MISSING}`,
      transient: true,
    },
    {
      applies: marked.length > 0,
      code: 'unsupported_statements',
      message: `Statements that the checks did not find in the sources: ${marked.length} of ${grounded.length}. ${quoted(marked)}`,
    },
    {
      applies: dropped.length > 0,
      code: 'points_dropped',
      message: `List items that were left out: ${quoted(dropped)}`,
    },
    {
      applies: invented.length > 0,
      code: 'points_dropped',
      message: `Quotations of the model that stand in no source were left out: ${invented.map((quote) => `“${quote}”`).join(' ')}`,
    },
    {
      applies: unverified !== undefined,
      code: 'answer_not_verified',
      message: `The answer was not verified: ${unverified}.`,
      transient: true,
    },
    {
      applies: asked !== undefined,
      code: 'answer_language',
      message: `The question is in ${asked}, the answer is not.`,
    },
    {
      applies: isAcross,
      code: 'answer_partly_checked',
      message:
        'Some sources are in another language than the question: quotations, numbers, units, dates and names of persons were checked; other names and words were not.',
    },
  ];
  return all.flatMap(({ applies, ...warning }) => (applies ? [warning] : []));
}

/**
 * Share of the answers that are right of those without a finding: in bench/replies, where half of the replies are careless on purpose. One number, for a
 * fit on words in common, quotations and number of statements learns how the author of a set writes: it fails on replies of another author.
 */
const UNREFUTED = 0.63;
/**
 * The same after a second look has supported all statements: of a verifier that lets one wrong sentence in seven pass. Set by hand, for the
 * verifier is not known.
 */
const CONFIRMED = 0.85;
/**
 * Subtracted from the probability: for the share of statements with a wrong fact, for that of those with few words in common, and where a quotation
 * is altered. Set by hand: each alone leaves an answer above 0.5, or is marked.
 */
const COST = { hard: 0.24, soft: 0.12, altered: 0.12 };
/** The most where the answering sentence failed, and where the model itself says that the sources do not answer. */
const [MOST_REFUTED, MOST_DENIED] = [0.2, 0.05];
const [LEAST, MOST] = [0.02, 0.98];

/** Estimated probability that the answer is right and grounded in its sources, 0.02..0.85. It never rises when a reply gets worse. */
function estimateOf({ grounded, altered }: GroundedReply): number {
  const claims = grounded.filter(({ isClaim }) => isClaim);
  if (claims.length > 0 && claims.every(({ verdict }) => verdict === 'supported')) return CONFIRMED;
  const shareOf = (test: (claim: GroundedStatement) => boolean): number =>
    claims.filter(test).length / Math.max(1, claims.length);
  const hard = shareOf(({ findings }) => findings.some(isRefuting));
  const soft = shareOf(({ findings }) => findings.length > 0) - hard;
  const cost = COST.hard * hard + COST.soft * soft + (altered > 0 ? COST.altered : 0);
  return Math.max(LEAST, UNREFUTED - cost);
}

function rounded(probability: number): number {
  return Math.round(probability * 1000) / 1000;
}

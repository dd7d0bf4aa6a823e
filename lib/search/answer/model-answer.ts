import type { ToolContext } from '../../core/context.js';
import { addUsage, NO_USAGE } from '../../core/usage.js';
import { coverageOf, refusalWarnings } from '../../data/check-fields.js';
import type { OutputSchema } from '../../data/output-schema.js';
import type { Problem } from '../../data/prompts.js';
import { describe, type Unsupported } from '../../grounding/unsupported.js';
import type { Verifier } from '../../grounding/verifier.js';
import type { Flaw } from '../../model/ask-twice.js';
import type { ModelReply, ModelCall } from '../../model/call.js';
import type { ModelClient } from '../../model/client.js';
import type { Budget } from '../../model/options.js';
import { UsageMeter } from '../../model/usage-meter.js';
import { addressesOf, cleanOutput } from '../../text/sanitize-output.js';
import { detectLanguage, languageOfQuestion, toldLanguage } from '../../text/detect-language.js';
import { languageName, type Language } from '../../text/languages.js';
import type { Answer, AnswerEngine, AnswerPassage, GroundedField } from '../answer-engine.js';
import {
  draftWarnings,
  isRefuted,
  statementText,
  writeChecked,
  type DraftForm,
  type Written,
} from '../../writing/write-checked.js';
import { answerStream, citationOf, composeAnswer, type Composed } from './compose-answer.js';
import {
  evidenceOfPassages,
  groundReply,
  type AnswerMaterial,
  type AnswerReply,
  type GroundedReply,
  type GroundedStatement,
} from './grounded-reply.js';
import {
  answeringOf,
  deniesAnswer,
  estimateOf,
  isBaseless,
  LEAST,
  leavesOutAnswer,
  MOST,
  MOST_DENIED,
  MOST_REFUTED,
} from './outcome.js';
import { answerCall, MAX_TEXT, readAnswerReply, repairCall } from './prompts.js';
import { introduced, notFound, related, shownSentence } from './wording.js';

/** How a text is asked for and read. */
export interface AnswerForm {
  /** False: a text that is probably wrong is shown with its marks, in place of the closest passages. */
  showsClosest: boolean;
  call(material: AnswerMaterial, again?: Flaw): ModelCall;
  read(reply: ModelReply, schema?: OutputSchema): AnswerReply;
  repairCall(material: AnswerMaterial, draft: GroundedReply, problems: readonly Problem[]): ModelCall;
  readRepair(reply: ModelReply, draft: GroundedReply, schema?: OutputSchema): AnswerReply;
}

const ANSWER: AnswerForm = {
  showsClosest: true,
  call: answerCall,
  read: readAnswerReply,
  repairCall: (material, { reply }, problems) => repairCall(material, reply, problems),
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
  now?: () => Date;
}

/** Kept back from the deadline for the extractive answer, should the model be late, and for sending it, ms; set by hand. */
const RESERVE_MS = 300;
const MOST_RELATED = 3; // passages of a text without a clear answer; a plain bound

interface Work extends AnswerMaterial {
  context: ToolContext;
  meter: UsageMeter;
}

type Judged = Written<GroundedReply>;

/**
 * Answers with a language model: one call over the best passages, whose text is passed on while it is written. Then code checks what it can
 * decide: values, names, quotations, words in common. What fails is repaired by one more call, and what still fails is marked.
 */
export class ModelAnswer implements AnswerEngine {
  readonly engine: string;
  readonly fillsSchemas = true;
  readonly version?: string;
  private readonly threshold: number;
  private readonly form: AnswerForm;

  /** @param embedded answers without passages, and finds the closest ones where no part of a reply can be shown */
  constructor(
    private readonly model: ModelClient,
    private readonly embedded: AnswerEngine,
    private readonly options: ModelAnswerOptions = {},
  ) {
    const { verifier } = options;
    this.engine = model.id;
    if (verifier) this.version = `verified by ${verifier === 'model' ? model.id : verifier.name}`;
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
    ranked: AnswerPassage[],
    context: ToolContext,
    schema?: OutputSchema,
  ): Promise<Answer> {
    // What the model does not see of a source cannot support its answer.
    const passages = ranked.map((passage) => ({ ...passage, text: passage.text.slice(0, MAX_TEXT) }));
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
    const { model } = this;
    const { verifier } = this.options;
    const writer = { model, context, meter, question: query, verifier, reserveMs: RESERVE_MS };
    const draft = await writeChecked(this.draftForm(work), writer);
    const answer = this.withData(await this.decide(draft, work), draft, work);
    // A meter of the caller holds other calls too.
    return this.options.meter ? answer : { ...answer, usage: addUsage(NO_USAGE, meter.usage) };
  }

  private draftForm(work: Work): DraftForm<GroundedReply> {
    const { schema, passages } = work;
    const { form } = this;
    const known = addressesOf(passages.flatMap(({ text, title, url }) => [text, title, url]));
    const check = async (reply: AnswerReply): Promise<GroundedReply> => {
      const answer = cleanOutput(reply.answer, known).trim();
      const draft = await groundReply({ ...reply, answer }, work, work.context.signal);
      return { ...draft, flaw: this.flawOf(draft, work) };
    };
    return {
      nothing: 'The language model gave no answer.',
      stream: answerStream(work, known, work.context),
      call: (again) => form.call(work, again),
      read: (reply) => check(form.read(reply, schema)),
      claimOf: ({ isClaim, text, rests }, { reply }) => {
        if (!isClaim || reply.answerable === false) return undefined;
        const sources = [...new Set(rests.map(({ source }) => source))];
        return { text, passages: sources.map((n) => passages[n]!) };
      },
      repairCall: (draft, problems) => form.repairCall(work, draft, problems),
      readRepair: (reply, draft) => check(form.readRepair(reply, draft, schema)),
      choose: (draft, repaired) => {
        const baseless = (version: GroundedReply): number => version.statements.filter(isBaseless).length;
        if (repaired.text === '' || baseless(repaired) > baseless(draft)) return draft;
        return form.showsClosest && leavesOutAnswer(draft, repaired) ? draft : repaired;
      },
    };
  }

  /** Nothing, prose of which the sources have nothing (a refusal), another language than the question's, or a bad end. */
  private flawOf({ reply, statements, data }: GroundedReply, work: Work): Flaw | undefined {
    const isProse = reply.unstructured && (work.schema !== undefined || statements.every(isBaseless));
    const isAnswer = (reply.answer !== '' && !isProse) || (data?.fields.length ?? 0) > 0;
    if (!isAnswer && reply.answerable !== false) return 'empty';
    return this.foreignLanguage(work, reply) ? 'language' : reply.end;
  }

  private async decide(judged: Judged, work: Work): Promise<Answer> {
    const { passages, evidence, question, language, context } = work;
    const { reply, statements } = judged;
    const claims = statements.filter(({ isClaim }) => isClaim);
    const answering = answeringOf(judged);
    const isOtherwise = reply.false_premise === true;
    const isDenied = reply.answerable === false || (!isOtherwise && deniesAnswer(answering));
    const isWrong =
      !answering || isRefuted(answering) || 2 * claims.filter(isBaseless).length > claims.length;
    const estimate = Math.min(estimateOf(judged), isDenied ? MOST_DENIED : isWrong ? MOST_REFUTED : MOST);
    const isAnswer = !isDenied && !isWrong && estimate >= this.threshold;
    const isShown = isDenied || isAnswer || !this.form.showsClosest;
    const isDropped = (statement: GroundedStatement): boolean =>
      isShown && statement.kind === 'item' && isRefuted(statement);
    const failed = claims.filter(({ findings }) => findings.length > 0);
    const [dropped, listed] = [failed.filter(isDropped), failed.filter((statement) => !isDropped(statement))];
    const unsupported = listed.map((statement): Unsupported => ({
      text: statementText(statement),
      reason: statement.findings[0]!.reason,
    }));
    const base = {
      answerableProbability: isWrong || isDenied ? this.belowThreshold(estimate) : rounded(estimate),
      engine: this.engine,
      ...(unsupported.length > 0 ? { unsupported } : {}),
      warnings: warningsOf(judged, listed, dropped, work, this.foreignLanguage(work, reply)),
    };
    if (isShown && claims.length > 0) {
      const shown = composeAnswer(judged, evidence, passages, isDropped);
      const text = introduced(language, shown.text, { isDenied, isOtherwise });
      if (isAnswer) return { ...base, ...shown, text, outcome: 'answered' };
      const outcome = shown.citations.length > 0 ? 'related' : 'not_found';
      return { ...base, ...shown, text, outcome };
    }
    if (isDenied) return { ...base, text: notFound(language), citations: [], outcome: 'not_found' };
    const closest = closestPassages(claims, work);
    if (closest.text !== '')
      return { ...base, ...closest, text: related(language, closest.text), outcome: 'related' };
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
      const known = citations.find(
        (citation) => citation.url === cited.url && citation.quote.includes(cited.quote),
      );
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

/** The whole sentences of the sources that the statements rest on, each once. */
function closestPassages(
  claims: readonly GroundedStatement[],
  { evidence, passages }: AnswerMaterial,
): Composed {
  const places = claims.flatMap(({ rests }) => rests.slice(0, 1)).map((place) => evidence.sentencesAt(place));
  const unique = [...new Map(places.map((place) => [evidence.textAt(place), place])).values()];
  const citations = unique
    .slice(0, MOST_RELATED)
    .map((place, i) => citationOf(place, i + 1, evidence, passages));
  const text = citations.map(({ quote, index }) => `${shownSentence(quote)} [${index}]`).join(' ');
  return { text, citations };
}

function warningsOf(
  judged: Judged,
  marked: readonly GroundedStatement[],
  dropped: readonly GroundedStatement[],
  { evidence, language }: AnswerMaterial,
  asked: string | undefined,
): Answer['warnings'] {
  const { statements, invented } = judged;
  const quoted = (list: readonly GroundedStatement[]): string =>
    list.map((statement) => `“${statementText(statement)}” (${describe(statement.findings)})`).join(' ');
  const isAcross = statements.some(({ rests }) =>
    rests.some(({ source }) => evidence.sources[source]!.reading !== language),
  );
  const all = [
    {
      applies: marked.length > 0,
      code: 'unsupported_statements',
      message: `Statements that the checks did not find in the sources: ${marked.length} of ${statements.length}. ${quoted(marked)}`,
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
  return [
    ...draftWarnings('answer', judged),
    ...all.flatMap(({ applies, ...warning }) => (applies ? [warning] : [])),
  ];
}

function rounded(probability: number): number {
  return Math.round(probability * 1000) / 1000;
}

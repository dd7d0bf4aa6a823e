import type { Content } from '../../content/content-source.js';
import type { LoadedContent } from '../../content/loaded-content.js';
import type { ToolContext } from '../../core/context.js';
import { failureOf } from '../../core/failures.js';
import type { Warning } from '../../core/warning.js';
import type { OutputSchema } from '../../data/output-schema.js';
import type { ModelClient } from '../../model/client.js';
import { UsageMeter } from '../../model/usage-meter.js';
import { toldLanguage } from '../../text/detect-language.js';
import { languageOf, type Language } from '../../text/languages.js';
import { oneLine } from '../../text/plain-text.js';
import { answerFields, type Answer } from '../answer-engine.js';
import { writeAnswer, type AnswerEngines } from '../answer/answer-with-fallback.js';
import type { GuardedReranker } from '../reranker.js';
import { resolveQuestion, type EarlierQuestion, type ResolvedQuestion } from './stand-alone-question.js';
import { TranscriptPassages } from './transcript-passages.js';

export interface VideoAnswerParts extends AnswerEngines {
  /** Makes follow-up questions stand alone, and translates for the search; absent without a model. */
  resolver?: ModelClient;
  reranker?: GuardedReranker;
}

/** A checked question. */
export interface VideoQuestion {
  question: string;
  /** Of the answer. Default: that of the question. */
  outputLanguage?: Language;
  before?: readonly EarlierQuestion[];
  schema?: OutputSchema;
}

/** Answers questions from the passages of a transcript. */
export class VideoAnswers {
  constructor(private readonly deps: VideoAnswerParts) {}

  /** Question → passages → answer → seconds. @throws what the answer engine throws */
  async answer(loaded: LoadedContent, question: VideoQuestion, context: ToolContext) {
    const { language } = loaded.content;
    const { resolved, warnings } = await this.resolve(loaded.content, question, context);
    const answer = await this.fromPassages(loaded, resolved, question.schema, context);
    const wanted = question.outputLanguage;
    const isForeign = wanted && !this.deps.resolver && languageOf(language) !== wanted;
    const foreign = isForeign ? [notTranslated(wanted, language)] : [];
    return { ...answer, warnings: [...warnings, ...answer.warnings, ...foreign] };
  }

  /** The question as it stands alone, where it has to be made so. */
  private async resolve(
    content: Content,
    { question, outputLanguage, before = [] }: VideoQuestion,
    context: ToolContext,
  ): Promise<{ resolved: ResolvedQuestion; warnings: Warning[] }> {
    const { resolver } = this.deps;
    const asItIs = { question, search: question };
    const questionLanguage = toldLanguage(question);
    const isForeign =
      questionLanguage !== undefined &&
      questionLanguage !== (languageOf(content.language) ?? content.language);
    const isTranslated = outputLanguage !== undefined && outputLanguage !== questionLanguage;
    if (!resolver) return { resolved: asItIs, warnings: before.length > 0 ? [CONTEXT_IGNORED] : [] };
    if (before.length === 0 && !isForeign && !isTranslated) return { resolved: asItIs, warnings: [] };
    const asked = { question, before, language: outputLanguage, spoken: content.language };
    try {
      const resolved = await resolveQuestion(resolver, asked, context, new UsageMeter());
      if (resolved) return { resolved, warnings: [] };
    } catch (error) {
      context.signal.throwIfAborted();
      context.fellBack?.({
        part: resolver.id,
        error: failureOf(resolver.id, error),
        by: 'the question as it is',
      });
    }
    return { resolved: asItIs, warnings: [NOT_RESOLVED] };
  }

  private async fromPassages(
    { content, urlAt }: LoadedContent,
    { question, search }: ResolvedQuestion,
    schema: OutputSchema | undefined,
    context: ToolContext,
  ) {
    const transcript = new TranscriptPassages(content);
    const isFilled = this.deps.answers.engine !== 'extractive';
    const ranked = await transcript.rank(search, isFilled, this.deps.reranker, context);
    const written = await writeAnswer(this.deps, question, ranked.passages, context, schema);
    // Quotations only: the borders of pieces are ours.
    const isQuoted = written.engine === 'extractive';
    const answer = isQuoted ? { ...written, text: oneLine(written.text) } : written;
    const warnings = [...(ranked.warning ? [ranked.warning] : []), ...answer.warnings];
    const citations = spoken(answer, transcript, urlAt);
    return { ...answerFields(answer), citations, ...spokenData(answer, citations), warnings };
  }
}

const CONTEXT_IGNORED: Warning = {
  code: 'context_ignored',
  message: '`context` was not used: follow-up questions need a model (option `model`), and no `budget`.',
};
const NOT_RESOLVED: Warning = {
  code: 'question_not_resolved',
  message: 'The model did not read the question with its context. It was asked as it is.',
  transient: true,
};

function notTranslated(wanted: Language, spokenIn: string): Warning {
  const message = `The answer quotes the video in "${spokenIn}". Configure a model (option \`model\`) for answers in "${wanted}".`;
  return { code: 'output_language_not_honoured', message };
}

function spoken({ citations }: Answer, transcript: TranscriptPassages, urlAt: LoadedContent['urlAt']) {
  return citations.map(({ index, url, quote }) => {
    const { startMs, endMs } = transcript.momentOf(url, quote);
    const seconds = { startSeconds: startMs / 1000, endSeconds: endMs / 1000 };
    return { index, ...seconds, url: urlAt(startMs), quote: oneLine(quote) };
  });
}

/** The data of an answer, with seconds in place of citations. */
function spokenData({ data }: Answer, citations: ReturnType<typeof spoken>) {
  if (!data) return {};
  const { output, outputComplete } = data;
  const grounding = data.grounding.map(({ field, probability, citations: [number] }) => {
    const { startSeconds, url, quote } = citations.find(({ index }) => index === number)!;
    return { field, startSeconds, url, quote, probability };
  });
  return { output, outputComplete, grounding };
}

import type { Warning } from '../core/warning.js';
import type { Content } from '../content/content-source.js';
import type { CallOptions, ToolContext } from '../core/context.js';
import { failureOf } from '../core/failures.js';
import { ANSWER_ENGINE, MODELS, RERANKER, RESOLVED_OPTIONS } from '../core/injection-tokens.js';
import type { ModelUsage } from '../core/usage.js';
import type { OutputSchema, OutputSchemaOf } from '../data/output-schema.js';
import { embeddedAnswers } from '../embedded/answer/embedded-answers.js';
import type { ModelClient } from '../model/client.js';
import type { Models } from '../model/model.providers.js';
import { UsageMeter } from '../model/usage-meter.js';
import type { Answer, AnswerEngine } from '../search/answer-engine.js';
import { writeAnswer, type AnswerEngines } from '../search/answer/answer-with-fallback.js';
import type { GuardedReranker } from '../search/reranker.js';
import { answerFields, type AnswerFields } from '../search/search-response.js';
import type { ResolvedSearchOptions } from '../search/search.options.js';
import { toldLanguage } from '../text/detect-language.js';
import { languageOf, type Language } from '../text/languages.js';
import { oneLine } from '../text/plain-text.js';
import {
  ContentLoader,
  type FoundContent,
  type LoadedContent,
  CONTENT_TOOL_SCHEMA,
  factsOf,
  videoErrors,
  type ContentFacts,
  type ContentToolOptions,
  type SpokenField,
  type SpokenQuote,
  type ResolvedContentToolOptions,
  type VideoRequest,
} from './content-tool.js';
import { AskVideoDataDto, AskVideoDto } from './dto/ask-video.dto.js';
import { checkRequest, outputSchemaOf } from './request-fields.js';
import { ToolService, type ToolStores, type ToolWork } from './run-tool.js';
import type { Enabled, ToolDefinition } from './tool-definition.js';
import { TranscriptPassages } from './transcript-passages.js';
import { resolveQuestion, type EarlierQuestion, type ResolvedQuestion } from './video-questions.js';

/** A question to a video. */
export interface AskVideoRequest<T = unknown> extends VideoRequest {
  /** 1..400 characters. */
  question: string;
  /** Language of the answer. Default: that of the question. */
  outputLanguage?: Language;
  /** Up to 5 earlier questions with their answers, the latest last, 4,000 characters in all. They tell what "he" or "that" refers to; needs a model. */
  context?: readonly EarlierQuestion[];
  /** With a model: the form of `output`, as for `SearchRequest.outputSchema`. */
  outputSchema?: OutputSchemaOf<T>;
}

/** Words of the video that the answer rests on. */
export interface SpokenCitation extends SpokenQuote {
  /** The number in brackets in the answer, from 1. */
  index: number;
  endSeconds: number;
}

/** An answer from what is said in a video. */
export interface AskVideoResult<T = unknown> extends AnswerFields {
  content: ContentFacts;
  question: string;
  citations: SpokenCitation[];
  /** With a schema: its data. Where `outputComplete` is false, required fields that the video does not support are missing. */
  output?: T;
  outputComplete?: boolean;
  grounding?: SpokenField[];
  /** True when it was made for an earlier request; `usage` then, and when the work was shared, says what this one cost: nothing. */
  cached: boolean;
  warnings: Warning[];
}

type UncachedResult = Omit<AskVideoResult, 'cached'>;
/** A checked question with its schema read. */
interface WantedAnswer extends Pick<AskVideoRequest, 'question' | 'outputLanguage'> {
  before?: readonly EarlierQuestion[];
  schema?: OutputSchema;
}
type WrittenAnswer = Omit<UncachedResult, 'content' | 'question'>;

export interface AskVideoCollaborators extends AnswerEngines, ToolStores {
  contents: ContentLoader;
  options: Enabled<ResolvedContentToolOptions>;
  /** Below this probability nothing is said to be an answer, 0..1. */
  threshold: number;
  /** Makes follow-up questions stand alone, and translates for the search; absent without a model. */
  resolver?: ModelClient;
  reranker?: GuardedReranker;
}

/**
 * Answers questions from what is said in a video. The tool `ask_video`, usable without HTTP.
 * @publicApi
 */
export class AskVideoService extends ToolService<AskVideoRequest, UncachedResult> {
  constructor(private readonly deps: AskVideoCollaborators) {
    super(ASK_VIDEO, deps.options, deps);
  }

  /**
   * Answers one question about one piece of content.
   *
   * Reports its steps as progress: `transcript`, then `answer`, and `answer` with each piece of the text while it is written.
   *
   * @throws InvalidRequestError, InvalidContentIdError, the content errors, the upstream errors, NotConfiguredError when the tool is off
   */
  async ask<T = unknown>(request: AskVideoRequest<T>, call: CallOptions = {}): Promise<AskVideoResult<T>> {
    return (await this.answer(request, call)) as AskVideoResult<T>;
  }

  protected prepare(request: AskVideoRequest): ToolWork<UncachedResult> {
    const { options, answers, resolver, reranker, threshold, contents } = this.deps;
    const { sourceType = 'youtube', ...fields } = request;
    checkRequest(AskVideoDto, fields);
    const { contentId, outputLanguage, context: before, outputSchema } = fields;
    const question = fields.question.trim();
    const schema = outputSchema && outputSchemaOf(outputSchema, answers.fillsSchemas);
    const found = contents.find(sourceType, contentId);
    const by = [answers.engine, answers.version, resolver !== undefined, reranker?.reranker.name];
    return {
      key: [...found.key, question, outputLanguage, before, schema?.json, ...by, threshold],
      deadlineMs: options.deadlineMs,
      run: (context, spent) => this.run(found, { question, outputLanguage, before, schema }, context, spent),
    };
  }

  private async run(
    found: FoundContent,
    request: WantedAnswer,
    context: ToolContext,
    spent: () => ModelUsage | undefined,
  ): Promise<UncachedResult> {
    context.progress({ stage: 'transcript' });
    const loaded = await this.deps.contents.load(found, { languages: [] }, context);
    const { content } = loaded;
    const { resolved, warnings } = await this.resolve(content, request, context);
    const written = await this.fromPassages(loaded, resolved, request.schema, context);
    const wanted = request.outputLanguage;
    const isForeign = wanted && !this.deps.resolver && languageOf(content.language) !== wanted;
    return {
      content: factsOf(content),
      question: request.question,
      ...written,
      usage: spent() ?? written.usage,
      warnings: [
        ...(content.warnings ?? []),
        ...warnings,
        ...written.warnings,
        ...(isForeign ? [notTranslated(wanted, content.language)] : []),
      ],
    };
  }

  /** The question as it stands alone, where it has to be made so. */
  private async resolve(
    content: Content,
    { question, outputLanguage, before = [] }: WantedAnswer,
    context: ToolContext,
  ): Promise<{ resolved: ResolvedQuestion; warnings: Warning[] }> {
    const { resolver } = this.deps;
    const asItIs = { question, search: question };
    const own = toldLanguage(question);
    const isForeign = own !== undefined && own !== (languageOf(content.language) ?? content.language);
    const isTranslated = outputLanguage !== undefined && outputLanguage !== own;
    if (!resolver) return { resolved: asItIs, warnings: before.length > 0 ? [CONTEXT_IGNORED] : [] };
    if (before.length === 0 && !isForeign && !isTranslated) return { resolved: asItIs, warnings: [] };
    const asked = { question, before, language: outputLanguage, spoken: content.language };
    try {
      const resolved = await resolveQuestion(resolver, asked, context, new UsageMeter());
      const warnings = resolved ? [] : [NOT_RESOLVED];
      return { resolved: resolved ?? asItIs, warnings };
    } catch (error) {
      context.signal.throwIfAborted();
      context.fellBack?.({
        part: resolver.id,
        error: failureOf(resolver.id, error),
        by: 'the question as it is',
      });
      return { resolved: asItIs, warnings: [NOT_RESOLVED] };
    }
  }

  private async fromPassages(
    { content, urlAt }: LoadedContent,
    { question, search }: ResolvedQuestion,
    schema: OutputSchema | undefined,
    context: ToolContext,
  ): Promise<WrittenAnswer> {
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

function spoken(
  { citations }: Answer,
  transcript: TranscriptPassages,
  urlAt: LoadedContent['urlAt'],
): SpokenCitation[] {
  return citations.map(({ index, url, quote }) => {
    const { startMs, endMs } = transcript.momentOf(url, quote);
    const seconds = { startSeconds: startMs / 1000, endSeconds: endMs / 1000 };
    return { index, ...seconds, url: urlAt(startMs), quote: oneLine(quote) };
  });
}

/** The data of an answer, with seconds in place of citations. */
function spokenData(
  { data }: Answer,
  citations: readonly SpokenCitation[],
): Pick<WrittenAnswer, 'output' | 'outputComplete' | 'grounding'> {
  if (!data) return {};
  const { output, outputComplete } = data;
  const grounding = data.grounding.map(({ field, probability, citations: [number] }): SpokenField => {
    const { startSeconds, url, quote } = citations.find(({ index }) => index === number)!;
    return { field, startSeconds, url, quote, probability };
  });
  return { output, outputComplete, grounding };
}

// The tool

function askVideoService(
  contents: ContentLoader,
  answers: AnswerEngine,
  {
    askVideo,
    search,
    cache,
    shared,
  }: { askVideo: Enabled<ResolvedContentToolOptions>; search: ResolvedSearchOptions } & ToolStores,
  models?: Models,
  reranker?: GuardedReranker,
): AskVideoService {
  const { answerThreshold } = search;
  // A budget is for the one call that answers.
  const resolver = models && Object.keys(models.budget).length === 0 ? models.model : undefined;
  return new AskVideoService({
    contents,
    answers,
    fallbackAnswers: embeddedAnswers(answerThreshold),
    options: askVideo,
    threshold: answerThreshold,
    resolver,
    reranker,
    cache,
    shared,
  });
}

/** The option `askVideo`. */
export interface AskVideoOption {
  /** Settings of `ask_video`, or true for the defaults. Default: the tool is off: no route, or 501 with `forRootAsync`. */
  askVideo?: ContentToolOptions | boolean;
}

export const ASK_VIDEO: ToolDefinition<'ask_video', AskVideoService, AskVideoOption> = {
  name: 'ask_video',
  title: 'Ask a question about a YouTube video',
  description: 'Answers a question from what is said in a YouTube video, with quotations and their seconds.',
  request: AskVideoDto,
  data: AskVideoDataDto,
  answer: 'The answer, and the video that it is from.',
  errors: videoErrors('question', 'must be 1 to 400 characters long after trimming, received 0'),
  option: { name: 'askVideo', schema: CONTENT_TOOL_SCHEMA, byDefault: false },
  service: AskVideoService,
  provider: {
    inject: [ContentLoader, ANSWER_ENGINE, RESOLVED_OPTIONS, MODELS, RERANKER],
    useFactory: askVideoService,
  },
  agent: {
    description:
      'Answer a question from what is said in a YouTube video, with the seconds. Put follow-ups as questions that stand alone.',
    fields: {
      content_id: 'YouTube URL or video ID',
      question: '',
      output_language: 'Default: that of the question',
      output_schema: 'JSON Schema of wanted data, as string',
    },
  },
  run: async (service, request, call) => {
    const result = await service.ask(request, call);
    const { outcome, content, engine, cached, usage } = result;
    return {
      result,
      facts: { method: outcome, provider: content?.provider, engine, cached, usage },
    };
  },
};

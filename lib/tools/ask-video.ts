import { factsOf } from '../content/content-source.js';
import type { CallOptions, ToolContext } from '../core/context.js';
import { ANSWER_ENGINE, MODELS, RERANKER, RESOLVED_OPTIONS } from '../core/injection-tokens.js';
import type { ModelUsage } from '../core/usage.js';
import type { OutputSchemaOf } from '../data/output-schema.js';
import { embeddedAnswers } from '../embedded/answer/embedded-answers.js';
import type { Models } from '../model/model.providers.js';
import type { AnswerEngine } from '../search/answer-engine.js';
import type { GuardedReranker } from '../search/reranker.js';
import type { ResolvedSearchOptions } from '../search/search.options.js';
import type { VideoAnswerParts, VideoQuestion } from '../search/video/video-answers.js';
import type { Language } from '../text/languages.js';
import {
  ContentLoader,
  type FoundContent,
  CONTENT_TOOL_SCHEMA,
  videoErrors,
  type ContentToolOptions,
  type ResolvedContentToolOptions,
  type VideoRequest,
} from './content-tool.js';
import { AskVideoDataDto, AskVideoDto, type VideoAnswerDto } from './dto/ask-video.dto.js';
import { checkRequest, outputSchemaOf } from './request-fields.js';
import type { ResultOf } from './result-fields.js';
import { ToolService, type Host, type ToolWork } from './run-tool.js';
import type { ToolDefinition } from './tool-definition.js';
import type { EarlierQuestion } from '../search/video/stand-alone-question.js';

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

/** An answer from what is said in a video; fields as in docs/reference.md, those of `llm` in it. */
export interface AskVideoResult<T = unknown>
  extends ResultOf<Omit<AskVideoDataDto, 'llm'>>, ResultOf<VideoAnswerDto, T> {}

type UncachedResult = Omit<AskVideoResult, 'cached'>;

/**
 * Answers questions from what is said in a video. The tool `ask_video`, usable without HTTP.
 * @publicApi
 */
export class AskVideoService extends ToolService<
  AskVideoRequest,
  UncachedResult,
  ResolvedContentToolOptions
> {
  private readonly parts: VideoAnswerParts;
  private readonly threshold: number;

  constructor(
    private readonly contents: ContentLoader,
    answers: AnswerEngine,
    host: Host & { search: ResolvedSearchOptions },
    models?: Models,
    reranker?: GuardedReranker,
  ) {
    super(ASK_VIDEO, host);
    this.threshold = host.search.answerThreshold;
    // A budget is for the one call that answers.
    const resolver = models && Object.keys(models.budget).length === 0 ? models.model : undefined;
    this.parts = { answers, fallbackAnswers: embeddedAnswers(this.threshold), resolver, reranker };
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
    const { answers, resolver, reranker } = this.parts;
    const { sourceType = 'youtube', ...fields } = request;
    checkRequest(AskVideoDto, fields);
    const { contentId, outputLanguage, context: before, outputSchema } = fields;
    const question = fields.question.trim();
    const schema = outputSchema && outputSchemaOf(outputSchema, answers.fillsSchemas);
    const found = this.contents.find(sourceType, contentId);
    const by = [answers.engine, answers.version, resolver !== undefined, reranker?.reranker.name];
    return {
      key: [...found.key, question, outputLanguage, before, schema?.json, ...by, this.threshold],
      deadlineMs: this.options.deadlineMs,
      run: (context, spent) => this.run(found, { question, outputLanguage, before, schema }, context, spent),
    };
  }

  private async run(
    found: FoundContent,
    question: VideoQuestion,
    context: ToolContext,
    spent: () => ModelUsage | undefined,
  ): Promise<UncachedResult> {
    context.progress({ stage: 'transcript' });
    const loaded = await this.contents.load(found, { languages: [] }, context);
    const { content } = loaded;
    // Loaded with the first question, not with the host.
    const { answerFromVideo } = await import('../search/video/video-answers.js');
    const answer = await answerFromVideo(this.parts, loaded, question, context);
    return {
      content: factsOf(content),
      ...answer,
      question: question.question,
      usage: spent() ?? answer.usage,
      warnings: [...(content.warnings ?? []), ...answer.warnings],
    };
  }
}

// The tool

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
  provider: { inject: [ContentLoader, ANSWER_ENGINE, RESOLVED_OPTIONS, MODELS, RERANKER] },
  agent: {
    description:
      'Answer a question from what is said in a YouTube video, with the seconds. Put follow-ups as questions that stand alone.',
  },
  run: async (service, request, call) => {
    const result = await service.ask(request, call);
    return { result, method: result.outcome };
  },
};

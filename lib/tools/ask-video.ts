import { factsOf } from '../content/loaded-content.js';
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
import { ToolService, type ToolStores, type ToolWork } from './run-tool.js';
import type { Enabled, ToolDefinition } from './tool-definition.js';
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

export interface AskVideoCollaborators extends VideoAnswerParts, ToolStores {
  contents: ContentLoader;
  options: Enabled<ResolvedContentToolOptions>;
  /** Below this probability nothing is said to be an answer, 0..1. */
  threshold: number;
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
    question: VideoQuestion,
    context: ToolContext,
    spent: () => ModelUsage | undefined,
  ): Promise<UncachedResult> {
    context.progress({ stage: 'transcript' });
    const loaded = await this.deps.contents.load(found, { languages: [] }, context);
    const { content } = loaded;
    // Loaded with the first question, not with the host.
    const { VideoAnswers } = await import('../search/video/video-answers.js');
    const answer = await new VideoAnswers(this.deps).answer(loaded, question, context);
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
    return { result, method: result.outcome };
  },
};

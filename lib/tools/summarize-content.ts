import type { Warning } from '../core/warning.js';
import { factsOf, type LoadedContent } from '../content/content-source.js';
import type { CallOptions, ToolContext } from '../core/context.js';
import { RESOLVED_OPTIONS, SUMMARIZER } from '../core/injection-tokens.js';
import type { OutputSchemaOf } from '../data/output-schema.js';
import { portResult } from '../core/ports.js';
import { languageOf, type Language } from '../text/languages.js';
import { trackSpend, type ModelUsage } from '../core/usage.js';
import {
  SUMMARY,
  type Method,
  type Summarizer,
  type Summary,
  type SummaryLength,
  type SummaryRequest,
} from '../summarize/summarizer.js';
import {
  SUMMARIZE_SCHEMA,
  type ResolvedSummarizeOptions,
  type SummarizeOptions,
} from '../summarize/summarize.options.js';
import { checkRequest, outputSchemaOf } from './request-fields.js';
import type { ResultOf } from './result-fields.js';
import { ToolService, type Host, type ToolWork } from './run-tool.js';
import { ContentLoader, type FoundContent, videoErrors, type VideoRequest } from './content-tool.js';
import { SummaryDataDto, SummarizeContentDto } from './dto/summarize-content.dto.js';
import type { ToolDefinition } from './tool-definition.js';

/** The request for a summary. */
export interface SummarizeRequest<T = unknown> extends VideoRequest {
  /** Default `en`. */
  outputLanguage?: Language;
  /** Default `auto`. */
  method?: Method;
  /** Default: what the host has set, `medium` unless it says otherwise. */
  length?: SummaryLength;
  /** What the reader wants to know, 1..200 characters, e.g. `the prices`. Default: what matters most. */
  focus?: string;
  /** With a model: the form of `output`, as for `SearchRequest.outputSchema`. */
  outputSchema?: OutputSchemaOf<T>;
}

/** A summary with everything that is known about it; fields as in docs/reference.md, times in milliseconds. */
export interface SummarizeResult<T = unknown> extends ResultOf<SummaryDataDto, T> {
  usage?: NonNullable<Summary['usage']>;
}

type UncachedResult = Omit<SummarizeResult, 'cached'>;

/**
 * Summarizes content. The tool `summarize_content`, usable without HTTP.
 * @publicApi
 */
export class SummarizerService extends ToolService<
  SummarizeRequest,
  UncachedResult,
  ResolvedSummarizeOptions
> {
  constructor(
    private readonly contents: ContentLoader,
    private readonly summarizer: Summarizer,
    host: Host,
  ) {
    super(SUMMARIZE_CONTENT, host);
  }

  /**
   * Summarizes one piece of content.
   * @typeParam T type of `output`; from `outputSchema` where that is a schema of a library
   * @throws InvalidRequestError, InvalidContentIdError, the content errors, MethodUnavailableError, ContentTooLongError, the
   *   upstream errors, NotConfiguredError when the tool is off
   */
  async summarize<T = unknown>(
    request: SummarizeRequest<T>,
    call: CallOptions = {},
  ): Promise<SummarizeResult<T>> {
    return (await this.answer(request, call)) as SummarizeResult<T>;
  }

  protected prepare(request: SummarizeRequest): ToolWork<UncachedResult> {
    const { options, contents, summarizer } = this;
    const { sourceType = 'youtube', ...fields } = request;
    const { contentId, outputSchema } = fields;
    const { outputLanguage = 'en', method = 'auto', length = options.length } = fields;
    const focus = typeof fields.focus === 'string' ? fields.focus.trim() : fields.focus;
    checkRequest(SummarizeContentDto, { ...fields, outputLanguage, method, length, focus });
    const found = contents.find(sourceType, contentId);
    const { engine, version, fillsSchemas } = summarizer;
    const schema = outputSchema && outputSchemaOf(outputSchema, fillsSchemas);
    const wanted = { outputLanguage, method, length, focus, schema };
    return {
      key: [...found.key, { ...wanted, schema: schema?.json }, engine, version],
      deadlineMs: options.deadlineMs,
      run: (context, spent) => this.run(found, wanted, context, spent),
    };
  }

  /** Content → summary → what is known about it. */
  private async run(
    found: FoundContent,
    request: SummaryRequest,
    context: ToolContext,
    spent: () => ModelUsage | undefined,
  ): Promise<UncachedResult> {
    context.progress({ stage: 'transcript' });
    const { outputLanguage } = request;
    const wanted = { languages: [outputLanguage] };
    const { content, urlAt } = await this.contents.load(found, wanted, context);
    context.progress({ stage: 'summarize' });
    const writing = trackSpend(context);
    const paid = spent()?.cost;
    const written = await this.summarizer.summarize(content, request, { ...writing.context, paid });
    const summary = portResult(SUMMARY, written, 'summarizer', this.summarizer.engine);
    writing.record(summary.usage);
    const used = languageOf(summary.language) ?? summary.language;
    const other = summary.otherLanguage;
    const honoured = used === outputLanguage && other === undefined;
    return {
      method: summary.method,
      methodReason: summary.methodReason,
      summary: summary.text,
      content: factsOf(content),
      outputLanguage: { requested: outputLanguage, used, honoured },
      keyPoints: summary.keyPoints.map((point) => ({
        ...point,
        url: urlAt(point.startMs),
      })),
      sections: summary.sections,
      engine: summary.engine,
      usage: spent() ? { ...summary.usage, ...spent()! } : summary.usage,
      coverage: summary.coverage,
      grounding: summary.grounding,
      unsupported: summary.unsupported,
      ...outputOf(summary, urlAt),
      warnings: [
        ...(honoured ? [] : [notHonoured(outputLanguage, used, other, this.summarizer.translates)]),
        ...(content.warnings ?? []),
        ...summary.warnings,
      ],
    };
  }
}

/** The data of a summary, each value with the address that opens its second. */
function outputOf(
  { data }: Summary,
  urlAt: LoadedContent['urlAt'],
): Pick<SummarizeResult, 'output' | 'outputComplete' | 'outputGrounding'> {
  if (!data) return {};
  const outputGrounding = data.grounding.map(({ startMs, ...field }) => ({
    ...field,
    startSeconds: startMs / 1000,
    url: urlAt(startMs),
  }));
  return { output: data.output, outputComplete: data.complete, outputGrounding };
}

function notHonoured(
  requested: Language,
  used: string,
  other: string | undefined,
  translates: boolean,
): Warning {
  const code = 'output_language_not_honoured';
  if (other !== undefined && used === requested) {
    const message = `Key points or sections are in "${other}": the model wrote them so, also when it was asked for "${requested}" again.`;
    return { code, message };
  }
  const message = translates
    ? `The summary is in "${used}": the model wrote it so, also when it was asked for "${requested}" again.`
    : `The summary is in "${used}", the language of the transcript: the embedded engine quotes and does not translate. ` +
      `Configure a model (option \`model\`) for summaries in "${requested}".`;
  return { code, message };
}

// The tool

/** The option `summarize`. */
export interface SummarizeContentOption {
  /** Settings of `summarize_content`. False: the tool is off: no route, or 501 with `forRootAsync`. Default: on. */
  summarize?: SummarizeOptions | false;
}

export const SUMMARIZE_CONTENT: ToolDefinition<
  'summarize_content',
  SummarizerService,
  SummarizeContentOption,
  ResolvedSummarizeOptions
> = {
  name: 'summarize_content',
  title: 'Summarize a YouTube video',
  description: 'Turns a YouTube video (URL or ID) into a summary in one of six languages.',
  request: SummarizeContentDto,
  data: SummaryDataDto,
  answer: 'The summary.',
  errors: {
    ...videoErrors(
      'method',
      'must be one of auto, simple, recursive, multi_modal, received the string "fast"',
    ),
    422: {
      description:
        '`content_unavailable` (`details.reason`: private, age_restricted, members_only, region_blocked, live, upcoming; no_storyboard with `multi_modal`), ' +
        '`transcript_unavailable` (no captions in any language), or `content_too_long`.',
      code: 'content_unavailable',
      message: 'The video cannot be read: it is private.',
      details: { reason: 'private' },
    },
  },
  option: { name: 'summarize', schema: SUMMARIZE_SCHEMA, byDefault: true },
  service: SummarizerService,
  provider: { inject: [ContentLoader, SUMMARIZER, RESOLVED_OPTIONS] },
  agent: {
    description: 'Summarize a YouTube video from its captions, with key points and links to their times.',
  },
  run: async (service, request, call) => {
    const result = await service.summarize(request, call);
    return { result, method: result.method };
  },
};

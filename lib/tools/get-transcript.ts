import type { Warning } from '../core/warning.js';
import { factsOf, type Chapter, type Content } from '../content/content-source.js';
import { clock, divide, textOf, toSrt, toVtt, type SegmentRange } from '../content/transcript-formats.js';
import type { CallOptions, ToolContext } from '../core/context.js';
import { RESOLVED_OPTIONS } from '../core/injection-tokens.js';
import type { ModelUsage } from '../core/usage.js';
import { servesLanguage } from '../text/languages.js';
import { roughTokens } from '../model/model-profile.js';
import {
  ContentLoader,
  type FoundContent,
  CONTENT_TOOL_SCHEMA,
  videoErrors,
  type ContentToolOptions,
  type ResolvedContentToolOptions,
  type VideoRequest,
} from './content-tool.js';
import {
  TranscriptDataDto,
  DEFAULT_TRANSCRIPT_TOKENS,
  GetTranscriptDto,
  type TranscriptFormat,
} from './dto/get-transcript.dto.js';
import { Cursors } from './cursor.js';
import { checkRequest, faultIf } from './request-fields.js';
import type { ResultOf } from './result-fields.js';
import { ToolService, type Host, type ToolWork } from './run-tool.js';
import type { ToolDefinition } from './tool-definition.js';

/** The request for a transcript. */
export interface TranscriptRequest extends VideoRequest {
  /** BCP 47, or several by preference. Default: the spoken language, which also comes where none of them is there. */
  language?: string | readonly string[];
  /** Default `segments`. */
  format?: TranscriptFormat;
  /** Only what is said from this second on. Default 0. */
  fromSeconds?: number;
  /** Only what is said before this second. Default: the end. */
  toSeconds?: number;
  /** Most tokens of the result, estimated, 100..100,000. Default 20,000. */
  maxTokens?: number;
  /** `nextCursor` of the result before: the transcript goes on there. */
  cursor?: string;
}

/** A transcript, or a part of it; fields as in docs/reference.md. */
export interface TranscriptResult extends ResultOf<TranscriptDataDto> {}

type UncachedResult = Omit<TranscriptResult, 'cached'>;

type CheckedRequest = TranscriptRequest &
  Required<Pick<TranscriptRequest, 'format' | 'fromSeconds' | 'maxTokens'>>;

/** Length of a paragraph of the format `text`, words. */
const PARAGRAPH = { least: 40, most: 90 };
/** Tokens of the times and the punctuation around the words of a segment in JSON, or of a cue; set by hand. */
const TOKENS_AROUND = 18;

/**
 * The words of content with their times. The tool `get_transcript`, usable without HTTP.
 * @publicApi
 */
export class TranscriptService extends ToolService<
  TranscriptRequest,
  UncachedResult,
  ResolvedContentToolOptions
> {
  constructor(
    private readonly contents: ContentLoader,
    host: Host,
  ) {
    super(GET_TRANSCRIPT, host);
  }

  /**
   * The transcript of one piece of content, or as much of it as fits.
   * @throws InvalidRequestError, InvalidContentIdError, the content errors, the upstream errors, NotConfiguredError when the tool is off
   */
  async get(request: TranscriptRequest, call: CallOptions = {}): Promise<TranscriptResult> {
    return this.answer(request, call);
  }

  protected prepare(request: TranscriptRequest): ToolWork<UncachedResult> {
    const { sourceType = 'youtube', ...fields } = request;
    const { contentId, language, toSeconds, cursor } = fields;
    const { format = 'segments', fromSeconds = 0, maxTokens = DEFAULT_TRANSCRIPT_TOKENS } = fields;
    const wanted = { ...fields, format, fromSeconds, maxTokens };
    const isEmpty = toSeconds !== undefined && fromSeconds >= toSeconds;
    const faults = faultIf(isEmpty, 'toSeconds', 'must be greater than fromSeconds');
    checkRequest(GetTranscriptDto, wanted, ...faults);
    const found = this.contents.find(sourceType, contentId);
    return {
      key: [...found.key, languagesOf(language), format, fromSeconds, toSeconds, maxTokens, cursor],
      deadlineMs: this.options.deadlineMs,
      run: (context, spent) => this.run(found, wanted, context, spent),
    };
  }

  private async run(
    found: FoundContent,
    request: CheckedRequest,
    context: ToolContext,
    spent: () => ModelUsage | undefined,
  ): Promise<UncachedResult> {
    context.progress({ stage: 'transcript' });
    const languages = languagesOf(request.language);
    const { content } = await this.contents.load(found, { languages }, context);
    const part = partOf(content, request);
    return {
      content: factsOf(content),
      chapters: content.chapters,
      availableLanguages: content.availableLanguages,
      ...part,
      usage: spent(),
      warnings: [
        ...languageWarnings(content, languages),
        ...(content.warnings ?? []),
        ...(part.isEmpty ? [NOTHING_IN_RANGE] : []),
      ],
    };
  }
}

const languagesOf = (language: TranscriptRequest['language']): readonly string[] =>
  language === undefined ? [] : [language].flat();

const NOTHING_IN_RANGE: Warning = {
  code: 'nothing_in_range',
  message: 'Nothing is said between from_seconds and to_seconds.',
};

function languageWarnings({ language, availableLanguages }: Content, wanted: readonly string[]): Warning[] {
  if (wanted.length === 0 || wanted.some((tag) => servesLanguage(language, tag))) return [];
  const others = availableLanguages ? ` Available: ${availableLanguages.join(', ')}.` : '';
  const message = `The content has no transcript in ${wanted.join(', ')}; this one is in ${language}.${others}`;
  return [{ code: 'language_not_available', message }];
}

/** What fits of the wanted range. */
function partOf(
  { segments, chapters, language }: Content,
  { format, fromSeconds, toSeconds = Infinity, maxTokens, cursor }: CheckedRequest,
): Pick<UncachedResult, 'segments' | 'text' | 'truncated' | 'nextCursor'> & { isEmpty: boolean } {
  const first = segments.findIndex(
    ({ startMs, endMs }) => startMs >= fromSeconds * 1000 || endMs > fromSeconds * 1000,
  );
  const end = segments.filter(({ startMs }) => startMs < toSeconds * 1000).length;
  const cursors = new Cursors(`${language} ${segments.length} ${segments.at(-1)?.endMs}`);
  const begin = cursors.positionOf(cursor);
  const units = (format === 'text' ? divide(segments, chapters, PARAGRAPH) : single(segments.length))
    .map(({ from, to }) => ({ from: Math.max(from, first), to: Math.min(to, end) }))
    .filter(({ from, to }) => first >= 0 && to > from && from >= begin);
  const fitting: SegmentRange[] = [];
  let rest = maxTokens;
  for (const unit of units) {
    rest -= roughTokens(textOf(segments, unit)) + TOKENS_AROUND;
    if (rest < 0 && fitting.length > 0) break;
    fitting.push(unit);
  }
  const next = units[fitting.length];
  const shown = fitting.map(({ from }) => segments[from]!);
  const textIn = (form: 'text' | 'srt' | 'vtt'): string => {
    if (form === 'text') return paragraphs(segments, chapters, fitting);
    return form === 'vtt' ? toVtt(shown) : toSrt(shown, (fitting[0]?.from ?? 0) + 1);
  };
  return {
    ...(format === 'segments' ? { segments: shown.map(inSeconds) } : { text: textIn(format) }),
    truncated: next !== undefined,
    nextCursor: cursors.next(next?.from),
    isEmpty: units.length === 0,
  };
}

const single = (count: number): SegmentRange[] =>
  Array.from({ length: count }, (_, i) => ({ from: i, to: i + 1 }));

const inSeconds = ({ startMs, endMs, text, speaker }: Content['segments'][number]) => ({
  startSeconds: startMs / 1000,
  endSeconds: endMs / 1000,
  text,
  speaker,
});

/** Paragraphs with their times; the titles of chapters as headings. */
function paragraphs(
  segments: Content['segments'],
  chapters: readonly Chapter[],
  units: readonly SegmentRange[],
): string {
  let chapter: Chapter | undefined;
  const blocks = units.flatMap((unit) => {
    const { startMs } = segments[unit.from]!;
    const current = chapters.filter((chapter) => chapter.startMs <= startMs).at(-1);
    const heading = current !== chapter && current ? [`## ${current.title}`] : [];
    chapter = current;
    return [...heading, `[${clock(startMs)}] ${textOf(segments, unit)}`];
  });
  return blocks.join('\n\n');
}

// The tool

/** The option `transcript`. */
export interface GetTranscriptOption {
  /** Settings of `get_transcript`, or true for the defaults. Default: the tool is off: no route, or 501 with `forRootAsync`. */
  transcript?: ContentToolOptions | boolean;
}

export const GET_TRANSCRIPT: ToolDefinition<'get_transcript', TranscriptService, GetTranscriptOption> = {
  name: 'get_transcript',
  title: 'Get the transcript of a YouTube video',
  description: 'Returns the words of a YouTube video with their times, whole or in parts.',
  request: GetTranscriptDto,
  data: TranscriptDataDto,
  answer: 'The transcript, or a part of it.',
  errors: videoErrors(
    'format',
    'must be one of segments, text, srt, vtt, received the string "docx"',
    '; `cursor` is of another transcript',
  ),
  option: { name: 'transcript', schema: CONTENT_TOOL_SCHEMA, byDefault: false },
  service: TranscriptService,
  provider: { inject: [ContentLoader, RESOLVED_OPTIONS] },
  agent: {
    description:
      'Get the words of a YouTube video with their times, e.g. to quote it. For the gist use summarize_content instead.',
    // A list of preferences is for programs. Strict schemas know no alternatives.
    bounds: () => ({ language: { type: 'string' } }),
    advice: 'Ask for a part of it with from_seconds and to_seconds.',
  },
  run: async (service, request, call) => ({
    result: await service.get(request, call),
    method: request.format,
  }),
};

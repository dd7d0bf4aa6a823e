import type { AnyContentSource, ContentRequest, LoadedContent } from '../content/content-source.js';
import { cleanContent, CONTENT_RESULT } from '../content/content.schema.js';
import { yielder } from '../core/async.js';
import type { ToolContext } from '../core/context.js';
import { InvalidContentIdError, ToolsError, type ToolsErrorCode } from '../core/errors.js';
import { portResult } from '../core/ports.js';
import { integer, options, withDefault } from '../core/schema.js';
import { refused } from './request-fields.js';
import { SingleFlight } from '../core/single-flight.js';
import { refusal, type DocumentedError } from './tool-definition.js';

/** The members of a request that name content. */
export interface VideoRequest {
  /** A YouTube video URL or a video ID; for other source types what their source accepts. */
  contentId: string;
  /** Default `youtube`. */
  sourceType?: string;
}

/**
 * The documented errors of a tool that reads the words of a video.
 * @param field an example of a refused field, and why
 * @param also what else is an invalid request
 */
export const videoErrors = (
  field: string,
  fault: string,
  also = '',
): Readonly<Record<400 | 404 | 422, DocumentedError>> => ({
  400: refusal(field, fault, `${also}; \`invalid_content_id\`: not a YouTube video URL or ID`),
  404: {
    description: '`content_not_found`: no such video, or removed.',
    code: 'content_not_found',
    message: 'There is no such video, or it has been removed.',
  },
  422: {
    description:
      '`content_unavailable` (`details.reason`: private, age_restricted, members_only, region_blocked, live, upcoming), or ' +
      '`transcript_unavailable` (no captions in any language).',
    code: 'transcript_unavailable',
    message: 'The video has no captions in any language.',
    details: { reason: 'no_captions' },
  },
});

/** Options of `get_transcript` and of `ask_video`; all are optional. */
export interface ContentToolOptions {
  /** Time for a whole request, ms, 1,000..3,600,000. Default 60,000. */
  deadlineMs?: number;
  /** How long a result is cached, ms; 0: not at all. Default one hour. */
  cacheTtlMs?: number;
}

export const CONTENT_TOOL_SCHEMA = options({
  deadlineMs: withDefault(integer(1_000, 3_600_000), 60_000),
  cacheTtlMs: withDefault(integer(0, 365 * 86_400_000), 3_600_000),
});

/** {@link ContentToolOptions} with every default filled in. */
export type ResolvedContentToolOptions = Required<ContentToolOptions>;

// Loading

/** A source that accepts a content id, with the id as it normalises it. */
interface Candidate {
  source: AnyContentSource;
  id: string;
}

/** What a request names, before anything is loaded. */
export interface FoundContent {
  readonly candidates: readonly Candidate[];
  /** Equal for requests that name the same content. */
  readonly key: readonly string[];
}

/** Loads content for every tool that reads videos. Tools that want the same at the same time share the work. */
export class ContentLoader {
  private readonly loads = new SingleFlight<LoadedContent>();

  constructor(private readonly sources: readonly AnyContentSource[]) {}

  /**
   * The sources of a type that accept the id, at least one. Asks no network.
   * @throws InvalidRequestError for an unknown type, InvalidContentIdError naming what is accepted
   */
  find(sourceType: string, contentId: string): FoundContent {
    const sources = this.sources.filter((source) => source.sourceType === sourceType);
    if (sources.length === 0) {
      const known = [...new Set(this.sources.map((source) => source.sourceType))].join(', ');
      throw refused('source_type', `must be one of ${known}`);
    }
    const refusals: unknown[] = [];
    const candidates = sources.flatMap((source) => {
      try {
        return [{ source, id: source.identify(contentId) }];
      } catch (error) {
        if (!hasCode(error, 'invalid_content_id')) throw error;
        refusals.push(error);
        return [];
      }
    });
    if (candidates.length > 0)
      return { candidates, key: [sourceType, candidates.map(({ id }) => id).join('\n')] };
    const accepted = refusals.map((error) => (error as Partial<InvalidContentIdError>).accepted);
    if (accepted.length === 1 || accepted.includes(undefined)) throw refusals[0];
    throw new InvalidContentIdError(accepted.join(', or '));
  }

  /**
   * The content from the first source that has it.
   * @throws the content errors and the upstream errors
   */
  async load(found: FoundContent, wanted: ContentRequest, context: ToolContext): Promise<LoadedContent> {
    const loadIn = (shared: ToolContext): Promise<LoadedContent> =>
      loadFirst(found.candidates, wanted, shared);
    // What takes too long for a request may be done in a job.
    const key = JSON.stringify([found.key, wanted.languages, context.inJob ?? false]);
    return context.noCache
      ? loadIn(context)
      : this.loads.run(key, context, undefined, context.remainingMs(), loadIn);
  }
}

async function loadFirst(
  [candidate, ...others]: readonly Candidate[],
  wanted: ContentRequest,
  context: ToolContext,
): Promise<LoadedContent> {
  const { source, id } = candidate!;
  try {
    const loaded = await source.load(id, wanted, context);
    // Hundreds of thousands of segments take their time to check, to clean and to read.
    const pause = yielder(context.signal, 0);
    await pause();
    const sound = portResult(CONTENT_RESULT, loaded, 'content source', source.sourceType);
    await pause();
    const { withSegments } = await import('../content/text-segments.js');
    const content = await cleanContent(await withSegments(sound, context.signal), yielder(context.signal));
    await pause();
    return { content, urlAt: (startMs) => source.urlAt(id, Math.floor(startMs / 1000)) };
  } catch (error) {
    if (others.length === 0 || !hasCode(error, 'content_not_found')) throw error;
    return loadFirst(others, wanted, context);
  }
}

const hasCode = (error: unknown, code: ToolsErrorCode): boolean =>
  ToolsError.isInstance(error) && error.code === code;

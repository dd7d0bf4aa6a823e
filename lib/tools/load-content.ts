import type { Content, ContentRequest, ContentSource } from '../content/content-source.js';
import { cleanContent, CONTENT } from '../content/content.schema.js';
import { yielder } from '../core/async.js';
import type { ToolContext } from '../core/context.js';
import {
  InvalidContentIdError,
  InvalidRequestError,
  ToolsError,
  type ToolsErrorCode,
} from '../core/errors.js';
import { portResult } from '../core/ports.js';
import { addUsage, type ModelUsage } from '../core/usage.js';
import { SingleFlight } from './single-flight.js';

/** A source that accepts a content id, with the id as it normalises it. */
interface Candidate {
  source: ContentSource;
  id: string;
}

/** What a request names, before anything is loaded. */
export interface FoundContent {
  readonly candidates: readonly Candidate[];
  /** Equal for requests that name the same content. */
  readonly key: readonly string[];
}

/** A content with the addresses of its moments. */
export interface LoadedContent {
  content: Content;
  /** Address that opens the content at a moment. @param startMs milliseconds from its start */
  urlAt(startMs: number): string;
  /** What loading has cost this caller, e.g. the recognition of speech. Absent where it cost nothing. */
  usage?: ModelUsage;
}

/** Loads content for every tool that reads videos. Tools that want the same at the same time share the work. */
export class ContentLoader {
  private readonly loads = new SingleFlight<LoadedContent>();

  constructor(private readonly sources: readonly ContentSource[]) {}

  /**
   * The sources of a type that accept the id, at least one. Asks no network.
   * @throws InvalidRequestError for an unknown type, InvalidContentIdError naming what is accepted
   */
  find(sourceType: string, contentId: string): FoundContent {
    const sources = this.sources.filter((source) => source.sourceType === sourceType);
    if (sources.length === 0) {
      const known = [...new Set(this.sources.map((source) => source.sourceType))].join(', ');
      const message = `source_type must be one of ${known}`;
      throw new InvalidRequestError([{ field: 'source_type', message }]);
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
    let usage: ModelUsage | undefined;
    const spend = (spent: ModelUsage): void => {
      usage = addUsage(usage, spent);
      context.spend?.(spent);
    };
    const loaded = await this.loaded(found, wanted, { ...context, spend });
    return { ...loaded, usage };
  }

  private loaded(found: FoundContent, wanted: ContentRequest, context: ToolContext): Promise<LoadedContent> {
    if (context.noCache) return loadFirst(found.candidates, wanted, context);
    // What takes too long for a request may be done in a job.
    const key = JSON.stringify([found.key, wanted.languages, context.inJob ?? false]);
    return this.loads.run(key, context, undefined, context.remainingMs(), (shared) =>
      loadFirst(found.candidates, wanted, shared),
    );
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
    const pause = yielder(0, context.signal);
    await pause();
    const sound = portResult(CONTENT, loaded, 'content source', source.sourceType);
    await pause();
    const content = cleanContent(sound);
    await pause();
    return { content, urlAt: (startMs) => source.urlAt(id, Math.floor(startMs / 1000)) };
  } catch (error) {
    if (others.length === 0 || !hasCode(error, 'content_not_found')) throw error;
    return loadFirst(others, wanted, context);
  }
}

const hasCode = (error: unknown, code: ToolsErrorCode): boolean =>
  ToolsError.isInstance(error) && error.code === code;

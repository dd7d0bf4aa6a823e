import { CAPTIONS_KINDS, type CaptionsKind, type Content } from '../content/content-source.js';
import {
  integer,
  number,
  object,
  oneOf,
  optional,
  options,
  parseOption,
  string,
  withDefault,
} from '../core/schema.js';
import type { ToolDefinition } from './tool-definition.js';

/** Facts about content, without its words. */
export interface ContentFacts {
  id: string;
  url: string;
  title?: string;
  channel?: string;
  durationMs?: number;
  /** BCP 47 tag of the transcript. */
  language: string;
  captions: CaptionsKind;
  /** Where the words came from, for logs. */
  provider?: string;
}

/** {@link ContentFacts} as they are cached. */
export const CONTENT_FACTS = object<ContentFacts>({
  id: string(),
  url: string(),
  title: optional(string()),
  channel: optional(string()),
  durationMs: optional(number()),
  language: string(),
  captions: oneOf(...CAPTIONS_KINDS),
  provider: optional(string()),
});

/** The facts about content that was loaded. */
export function factsOf(content: Content): ContentFacts {
  const { id, url, title, channel, durationMs, language, captions, provider } = content;
  return { id, url, title, channel, durationMs, language, captions, provider };
}

/** Options of `get_transcript` and of `ask_video`; all are optional. */
export interface ContentToolOptions {
  /** Time for a whole request, ms, 1,000..600,000. Default 60,000. */
  deadlineMs?: number;
  /** How long a result is kept in the cache, ms; 0 keeps none. Default one hour. */
  cacheTtlMs?: number;
}

/** {@link ContentToolOptions} with every default filled in. */
export interface ResolvedContentToolOptions extends Required<ContentToolOptions> {
  /** False: the tool is off, and every call is 501. */
  enabled: boolean;
}

const SCHEMA = options({
  deadlineMs: withDefault(integer(1_000, 600_000), 60_000),
  cacheTtlMs: withDefault(integer(0, 365 * 86_400_000), 3_600_000),
});

/** The member of the module's options of a tool that is off unless the host turns it on: `true`, or {@link ContentToolOptions}. */
export function contentToolOption(
  name: string,
): ToolDefinition<object, object, ResolvedContentToolOptions>['option'] {
  return {
    name,
    schema: SCHEMA,
    resolve: (given = false) => ({
      ...parseOption(name, SCHEMA, typeof given === 'boolean' ? {} : given),
      enabled: given !== false,
    }),
    isOn: ({ enabled }) => enabled,
  };
}

import { ASK_VIDEO } from './ask-video.js';
import { LIST_VIDEOS } from './list-videos.js';
import { READ_PAGE } from './read-page.js';
import { GET_TRANSCRIPT } from './get-transcript.js';
import { RESEARCH } from './research.js';
import { SEARCH_WEB } from './search-web.js';
import { SUMMARIZE_CONTENT } from './summarize-content.js';
import type { TOOL_NAMES, ToolName } from '../core/request-event.js';
import type { HostOptions, ToolDefinition } from './tool-definition.js';

/** A definition for each of {@link TOOL_NAMES}, in that order. */
export type EveryTool<Names extends readonly ToolName[] = typeof TOOL_NAMES> = {
  readonly [Index in keyof Names]: ToolDefinition<Names[Index]>;
};

const DEFINITIONS = [
  SUMMARIZE_CONTENT,
  SEARCH_WEB,
  READ_PAGE,
  GET_TRANSCRIPT,
  ASK_VIDEO,
  LIST_VIDEOS,
  RESEARCH,
] as const satisfies EveryTool;

/** Every tool, in the order of the OpenAPI document. */
export const TOOLS: readonly ToolDefinition[] = DEFINITIONS;

type MemberOf<Definition> =
  Definition extends ToolDefinition<ToolName, object, infer Member, object> ? Member : never;
type Both<Union> = (Union extends unknown ? (member: Union) => void : never) extends (
  members: infer Members extends object,
) => void
  ? Members
  : never;

/** The members of the module's options that configure the tools. */
export type ToolOptions = Both<MemberOf<(typeof DEFINITIONS)[number]>>;

/** Names of the tools that the host's options turn on. @param options of the module, not yet checked */
export function toolsThatAreOn(options: HostOptions): ToolName[] {
  return TOOLS.filter(({ option }) => (options[option.name] ?? option.byDefault) !== false).map(
    ({ name }) => name,
  );
}

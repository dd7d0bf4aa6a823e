import { ASK_VIDEO } from './ask-video.js';
import { READ_PAGE } from './read-page.js';
import { GET_TRANSCRIPT } from './get-transcript.js';
import { SEARCH_WEB } from './search-web.js';
import { SUMMARIZE_CONTENT } from './summarize-content.js';
import type { ToolName } from '../core/request-event.js';
import type { HostOptions, ToolDefinition } from './tool-definition.js';

/** Every tool, in the order of the OpenAPI document. */
export const TOOLS: readonly ToolDefinition[] = [
  SUMMARIZE_CONTENT,
  SEARCH_WEB,
  READ_PAGE,
  GET_TRANSCRIPT,
  ASK_VIDEO,
];

/** Names of the tools that the host's options turn on. @param options of the module, not yet checked */
export function toolsThatAreOn(options: HostOptions): ToolName[] {
  return TOOLS.filter(({ option }) => (options[option.name] ?? option.byDefault) !== false).map(
    ({ name }) => name,
  );
}

import { ASK_VIDEO } from './ask-video.js';
import { READ_PAGE } from './read-page.js';
import { GET_TRANSCRIPT } from './get-transcript.js';
import { SEARCH_WEB } from './search-web.js';
import { SUMMARIZE_CONTENT } from './summarize-content.js';
import type { ToolDefinition } from './tool-definition.js';

/** Every tool, in the order of the OpenAPI document. */
export const TOOLS: readonly ToolDefinition[] = [
  SUMMARIZE_CONTENT,
  SEARCH_WEB,
  READ_PAGE,
  GET_TRANSCRIPT,
  ASK_VIDEO,
];

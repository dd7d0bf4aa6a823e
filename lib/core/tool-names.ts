/** The two tools, as their endpoints are named. */
export const TOOL_NAMES = ['summarize_content', 'search_web'] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

/** What of the module is reached over HTTP. */
export interface MountedTools {
  /** Tools that have a route; none in a worker, and none where a host only injects the services. */
  tools: readonly ToolName[];
  /** Whether callers show an API key that the key store must know. */
  apiKeys: boolean;
}

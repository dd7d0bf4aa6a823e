/** The two tools, as their endpoints are named. */
export const TOOL_NAMES = ['summarize_content', 'search_web'] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

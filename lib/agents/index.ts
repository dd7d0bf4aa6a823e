export {
  agentTools,
  AgentToolset,
  type AgentCallOptions,
  type AgentToolsOptions,
  type AnthropicTool,
  type GeminiTool,
  type OpenAiChatTool,
  type OpenAiTool,
} from './agent-toolset.js';
export type { AgentResult } from './agent-results.js';
export type { JsonSchema } from './tool-arguments.js';
export { agentOpenApi, type AgentOpenApiOptions, type OpenApiDocumentLike } from './agent-openapi.js';

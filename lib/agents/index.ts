export { agentTools, AgentToolset } from './agent-toolset.js';
export type { AgentResult } from './agent-results.js';
export { agentOpenApi } from './agent-openapi.js';

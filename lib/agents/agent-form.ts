import type { ToolDefinition } from '../tools/tool-definition.js';
import type { ResultSize } from './result-text.js';
import type { JsonSchema } from './tool-schema.js';

/** Tokens of a result unless the host says otherwise. */
export const DEFAULT_MAX_TEXT_TOKENS = 6000;

/** Hints of MCP about what a tool does. */
export interface ToolAnnotations {
  /** It changes nothing. */
  readOnlyHint?: boolean;
  /** The same call twice has no further effect. */
  idempotentHint?: boolean;
  /** It deals with things outside the host. */
  openWorldHint?: boolean;
}

/**
 * How a tool looks to a language model. Few words: a list of tools is part of every prompt. Everything else comes from the definition.
 */
export interface AgentForm {
  readonly tool: ToolDefinition;
  /** What it does and gives, one or two sentences. */
  readonly description: string;
  /** The arguments that a model sees, each with a few words or none. */
  readonly fields: Readonly<Record<string, string>>;
  /** Fields that are accepted though a model does not see them. */
  readonly hidden?: readonly string[];
  readonly annotations: ToolAnnotations;
  /** Properties of the structured result. None is required, since errors and shortened results have to fit as well. */
  readonly output: Readonly<Record<string, JsonSchema>>;
  /** The sizes of a result, the fullest first. @param data of a successful answer */
  sizes(data: object): Iterable<ResultSize>;
  /** A structured result as Markdown that stands alone. */
  render(structured: Record<string, unknown>): string;
}

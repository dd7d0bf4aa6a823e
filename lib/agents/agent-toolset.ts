import { randomUUID } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { RequestLimits } from '../auth/request-limits.js';
import type { ProgressEvent } from '../core/context.js';
import { InvalidOptionError } from '../core/errors.js';
import { RESOLVED_OPTIONS } from '../core/injection-tokens.js';
import { loadPeer } from '../core/ports.js';
import { integer, options, parseOption, string, withDefault } from '../core/schema.js';
import { CallReporter } from '../tools/request-log.js';
import { ToolCalls } from '../tools/tool-calls.js';
import { DEFAULT_MAX_TEXT_TOKENS, type JsonSchema } from './tool-arguments.js';
import { AgentTools, type AgentTool } from './agent-tools.js';
import type { AgentResult } from './agent-results.js';

/** Options of {@link agentTools}. */
export interface AgentToolsOptions {
  /** The caller in limits and logs, e.g. the id of a user. Default `agents`. */
  caller?: string;
  /** Most tokens of a result, estimated, 300..100,000. Default 6,000. */
  maxTextTokens?: number;
}

/** How one call of a tool is made. */
export interface AgentCallOptions {
  /** Cancels the call. */
  signal?: AbortSignal;
  /** Called with each step of the work. */
  onProgress?: (event: ProgressEvent) => void;
}

/** A function with a strict schema, as OpenAI takes it. */
export interface StrictFunction {
  name: string;
  description: string;
  parameters: JsonSchema;
  strict: true;
}

type ObjectSchema = { type: 'object' } & JsonSchema;

interface AiSdk {
  tool(definition: object): unknown;
  jsonSchema(schema: JsonSchema): unknown;
}

interface LangChainTools {
  tool(run: (args: unknown, config?: { signal?: AbortSignal }) => Promise<string>, fields: object): unknown;
}

/** The tools of a host in the forms that language models are given, and a way to call them. */
export class AgentToolset {
  /** @internal Use {@link agentTools}. */
  constructor(
    private readonly tools: readonly AgentTool[],
    private readonly settings: Required<AgentToolsOptions>,
  ) {}

  /** `tools` of OpenAI's Responses API, strict. */
  openai(): ({ type: 'function' } & StrictFunction)[] {
    return this.tools.map((tool) => ({ type: 'function', ...strictFunction(tool) }));
  }

  /** `tools` of OpenAI's Chat Completions API, strict. */
  openaiChat(): { type: 'function'; function: StrictFunction }[] {
    return this.tools.map((tool) => ({ type: 'function', function: strictFunction(tool) }));
  }

  /** `tools` of Anthropic's Messages API, strict. */
  anthropic(): { name: string; description: string; input_schema: ObjectSchema; strict: true }[] {
    return this.tools.map(({ name, description, strictInputSchema }) => {
      return { name, description, input_schema: strictInputSchema as ObjectSchema, strict: true };
    });
  }

  /** `config.tools` of Google's Gemini API. */
  gemini(): {
    functionDeclarations: { name: string; description: string; parametersJsonSchema: JsonSchema }[];
  }[] {
    const functionDeclarations = this.tools.map(({ name, description, inputSchema }) => {
      return { name, description, parametersJsonSchema: inputSchema };
    });
    return [{ functionDeclarations }];
  }

  /**
   * `tools` of `generateText` and `streamText` of the AI SDK (package `ai`, 6 or 7). They run by themselves and give the model text.
   *
   * @typeParam Tools `ToolSet` of the package; inferred where the result is used
   * @throws MissingPeerError where the package is not installed
   */
  async aiSdk<Tools = Record<string, unknown>>(): Promise<Tools> {
    const { tool, jsonSchema } = await loadPeer(
      'ai',
      'agentTools(app).aiSdk()',
      async () => (await import('ai')) as unknown as AiSdk,
    );
    const entries = this.tools.map(({ name, description, inputSchema }) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema(inputSchema),
        execute: async (args: unknown, { abortSignal }: { abortSignal?: AbortSignal } = {}) =>
          (await this.call(name, args, { signal: abortSignal })).text,
      }),
    ]);
    return Object.fromEntries(entries) as Tools;
  }

  /**
   * Tools of LangChain (package `@langchain/core`, 1), e.g. for `createAgent({ tools })`. They run by themselves and give the model text.
   *
   * @typeParam Tool `StructuredToolInterface` of the package; inferred where the result is used
   * @throws MissingPeerError where the package is not installed
   */
  async langchain<Tool = unknown>(): Promise<Tool[]> {
    const { tool } = await loadPeer(
      '@langchain/core',
      'agentTools(app).langchain()',
      async () => (await import('@langchain/core/tools')) as unknown as LangChainTools,
    );
    return this.tools.map(({ name, description, inputSchema: schema }) => {
      const call = async (args: unknown, config?: { signal?: AbortSignal }): Promise<string> =>
        (await this.call(name, args, { signal: config?.signal })).text;
      return tool(call, { name, description, schema, verboseParsingErrors: true });
    }) as Tool[];
  }

  /**
   * Calls a tool with the arguments of a model. What goes wrong is a result with `isError`, whose text says what to change.
   *
   * @param args as the model wrote them: an object, or its JSON
   * @throws RangeError for a name that is not a tool of this host
   */
  async call(
    name: string,
    args: unknown,
    { signal, onProgress }: AgentCallOptions = {},
  ): Promise<AgentResult> {
    const tool = this.tools.find((candidate) => candidate.name === name);
    if (!tool)
      throw new RangeError(
        `There is no tool ${JSON.stringify(name)}; the tools are ${this.tools.map((tool) => tool.name).join(', ')}.`,
      );
    const { caller, maxTextTokens } = this.settings;
    const identity = { id: caller, name: caller };
    const call = { caller: identity, identity, requestId: randomUUID(), signal, onProgress, maxTextTokens };
    return tool.call(args, call);
  }
}

const OPTIONS = options({
  caller: withDefault(string({ min: 1, max: 200 }), 'agents'),
  maxTextTokens: withDefault(integer(300, 100_000), DEFAULT_MAX_TEXT_TOKENS),
});

/**
 * The tools of a host for language models that run in the same process. Calls go the way of HTTP requests: equal work is done once, and
 * limits, logs and `onUsage` see each one.
 *
 * @example
 * const tools = agentTools(app);
 * const { text } = await generateText({ model, tools: await tools.aiSdk(), prompt: 'Who discovered cells?' });
 *
 * @param app an initialized application with `ToolsModule`
 * @throws InvalidOptionError for wrong options; an error of Nest where the application has no `ToolsModule`
 */
export function agentTools(app: INestApplicationContext, options: AgentToolsOptions = {}): AgentToolset {
  const settings = parseOption('agentTools', OPTIONS, options);
  const find = <T>(token: Parameters<INestApplicationContext['get']>[0]): T =>
    app.get(token, { strict: false }) as T;
  const tools = new AgentTools(
    find<ToolCalls>(ToolCalls),
    find<RequestLimits>(RequestLimits),
    find<CallReporter>(CallReporter),
    find(RESOLVED_OPTIONS),
  );
  if (tools.list.length === 0)
    throw new InvalidOptionError('search', 'on, or `summarize`: this host has no tool for an agent', false);
  return new AgentToolset(tools.list, settings);
}

function strictFunction({ name, description, strictInputSchema }: AgentTool): StrictFunction {
  return { name, description, parameters: strictInputSchema, strict: true };
}

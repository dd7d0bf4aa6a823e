import type { FactoryProvider, Type } from '@nestjs/common';
import type { CallOptions } from '../core/context.js';
import { InvalidOptionError, type ToolsErrorCode } from '../core/errors.js';
import type { ToolName } from '../core/request-event.js';
import { isRecord, parseOption, type Schema } from '../core/schema.js';
import type { EnvelopeDto } from './dto/shared.dto.js';

/** A DTO class of a request. class-validator checks its fields, and its OpenAPI metadata describes them, also as JSON Schema. */
export interface RequestDto<Dto extends object> {
  new (): Dto;
  /** A request that shows what the tool does. Swagger UI fills it in; it leaves out fields that would change the host's defaults. */
  readonly sample: object;
}

/** The member of the module's options that configures a tool. */
interface ToolOption<Options, Member> {
  /** Name, e.g. `search`. `false` turns the tool off, `true` or an object turns it on. */
  readonly name: keyof Member & string;
  /** Of the object, every default filled in. */
  readonly schema: Schema<Options>;
  /** Whether the tool is on where the host does not say. */
  readonly byDefault: boolean;
}

/** The options of a tool with every default filled in. */
export type Enabled<Options> = Options & {
  /** False: the tool is off. It has no route, or answers 501 where the options come too late, and is not shown to agents. */
  readonly enabled: boolean;
};

/** Fills in the defaults. @throws InvalidOptionError */
export function resolveToolOption<Options extends object>(
  { name, schema, byDefault }: ToolOption<Options, Record<string, unknown>>,
  value: unknown = byDefault,
): Enabled<Options> {
  if (typeof value !== 'boolean' && !isRecord(value))
    throw new InvalidOptionError(name, 'true, false or an object', value);
  const options = parseOption(name, schema, typeof value === 'boolean' ? {} : value);
  return { ...options, enabled: value !== false };
}

/** The module's options with every default filled in. Each tool knows its own member. */
export type HostOptions = Readonly<Record<string, unknown>>;

/** What a service made. Logs and billing read its members `provider`, `engine`, `usage` and `cached`, or those of `content` and `llm` in it. */
export interface ToolResult {
  result: object;
  /** How it was made, for logs. */
  method?: string;
}

/** The body of a successful answer. */
export interface Envelope extends EnvelopeDto {
  data: object;
}

/** Description of one error status in the OpenAPI document. */
export interface DocumentedError {
  /** The codes that come with the status, and when. */
  description: string;
  code: ToolsErrorCode;
  /** An example of the message. */
  message: string | string[];
  details?: unknown;
}

/**
 * The documented 400 of a tool.
 * @param field an example: the refused field, and why
 * @param more what else is an invalid request, and further codes
 */
export function refusal(field: string, fault: string, more = ''): DocumentedError {
  const message = `${field} ${fault}`;
  const wrong =
    'a field is missing, of the wrong type, out of range or unknown (it is named); malformed JSON';
  const description = `\`invalid_request\`: ${wrong}${more}.`;
  return { description, code: 'invalid_request', message: [message], details: [{ field, message }] };
}

/** What requests a service takes. */
export type RequestOf<Service> = Service extends { identityOf(request: infer Request): unknown }
  ? Request
  : never;

/**
 * How a tool looks to a language model. Few words: a list of tools is part of every prompt. What it sees of the request is said in its class.
 *
 * @typeParam Options the tool's member of the module's options, with every default filled in
 */
interface AgentForm<Options> {
  /** Its purpose and result, one or two sentences. */
  readonly description: string;
  /** What the host allows, in place of what the request's class says: parts of JSON Schemas by field. */
  bounds?(options: Options): Readonly<Record<string, Record<string, unknown>>>;
  /** What to do where a result was cut to fit, one sentence. Default: nothing can be done. */
  readonly advice?: string;
}

/**
 * A tool, described once. Its option, service, route, OpenAPI, jobs, limits, logs and the surfaces for agents are made from this.
 *
 * @typeParam Name one of `TOOL_NAMES`
 * @typeParam Service the injectable service that does the work, for hosts that want no HTTP
 * @typeParam Member its member of the module's options, as an interface of one optional property: what hosts read in their editors
 * @typeParam Options that member with every default filled in
 */
export interface ToolDefinition<
  Name extends ToolName = ToolName,
  Service extends object = object,
  Member extends object = Record<string, unknown>,
  Options extends object = object,
> {
  readonly name: Name;
  /** A few words for people, e.g. `Search the web`. */
  readonly title: string;
  /** Its purpose and when to use it. */
  readonly description: string;
  /** The request as it comes from outside, in snake_case. */
  readonly request: RequestDto<object>;
  /** The `data` of a successful answer. Its decorators say what its fields are for every way out. */
  readonly data: Type<unknown>;
  /** Content of a successful answer, one sentence. */
  readonly answer: string;
  /** Errors of this tool, in addition to those of every tool. */
  readonly errors: Readonly<Record<number, DocumentedError>>;
  readonly option: ToolOption<Options, Member>;
  /** Injection token of the service. Its method `identityOf` says everything that a result depends on: equal ones are one job. */
  readonly service: Type<Service>;
  /** Makes the service. Default: its constructor gets what is injected. */
  readonly provider: Pick<FactoryProvider<Service>, 'inject'> & Partial<FactoryProvider<Service>>;
  /** How language models see the tool. */
  readonly agent: AgentForm<Options>;
  /** @param request the validated body by the names of TypeScript */
  run(service: Service, request: RequestOf<Service>, call: CallOptions): Promise<ToolResult>;
}

/** The member of the resolved options that a tool knows. */
export function optionsOf<Options>(
  { option }: { option: { name: string } },
  resolved: HostOptions,
): Enabled<Options> {
  return resolved[option.name] as Enabled<Options>;
}

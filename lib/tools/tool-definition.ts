import type { Type } from '@nestjs/common';
import type { CallOptions } from '../core/context.js';
import type { FieldError, ToolsErrorCode } from '../core/errors.js';
import type { WorkFacts, ToolName } from '../core/request-event.js';
import type { HostNarrowing } from '../search/narrowing.js';
import type { EnvelopeDto, UsageDto, WarningDto } from './dto/shared-response.dto.js';

/** A DTO class of a request. class-validator checks its fields, and its OpenAPI metadata describes them, also as JSON Schema. */
export interface RequestDto<Dto extends object> {
  new (): Dto;
  /** The fields that a body may have. */
  readonly fields: readonly string[];
  /** A request that shows what the tool does. Swagger UI fills it in; it leaves out fields that would change the host's defaults. */
  readonly sample: object;
}

/** Limits of the host for a request. */
export interface RequestBounds extends HostNarrowing {
  /** Highest `top_n`. */
  maxTopN: number;
}

/** Result of a tool: the `data` of the answer, and facts for logs and billing. */
export interface ToolResult {
  data: object;
  facts: WorkFacts;
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
 * A tool, described once. Routes, OpenAPI, jobs and agent surfaces are made from this.
 *
 * @typeParam Dto the request as it comes from outside, in snake_case
 * @typeParam Service the injectable service that does the work, for hosts that want no HTTP
 */
export interface ToolDefinition<Dto extends object = object, Service extends object = object> {
  readonly name: ToolName;
  /** A few words for people, e.g. `Search the web`. */
  readonly title: string;
  /** Its purpose and when to use it. */
  readonly description: string;
  readonly request: RequestDto<Dto>;
  /** The whole body of a successful answer. */
  readonly response: Type<unknown>;
  /** Content of a successful answer, one sentence. */
  readonly answer: string;
  /** Errors of this tool, in addition to those of every tool. */
  readonly errors: Readonly<Record<number, DocumentedError>>;
  /** Checks a request whose fields are all valid by themselves, against each other and the limits of the host. */
  check?(dto: Dto, bounds: RequestBounds): FieldError[];
  /** Injection token of the service. */
  readonly service: Type<Service>;
  /**
   * Everything that the result depends on, whoever asks. Requests with equal identities are one job.
   * @throws what `run` throws before it begins to work
   */
  identityOf(service: Service, dto: Dto): readonly unknown[];
  run(service: Service, dto: Dto, call: CallOptions): Promise<ToolResult>;
}

/** The wire form of token usage; absent where no model was used. */
export function usageData(
  usage: { modelCalls: number; inputTokens: number; outputTokens: number } | undefined,
): UsageDto | undefined {
  return (
    usage && {
      model_calls: usage.modelCalls,
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
    }
  );
}

/** Warnings are absent when there are none. */
export function warningsData(warnings: readonly WarningDto[] = []): WarningDto[] | undefined {
  return warnings.length > 0 ? warnings.map(({ code, message }) => ({ code, message })) : undefined;
}

import type { UsageDto, WarningDto } from './dto/shared-response.dto.js';

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

import type { FakeLlm } from '../../test/support/fake-llm/fake-llm.mjs';
import type { HabitCase } from './cases.mjs';

export function judge(
  one: HabitCase,
  fake: FakeLlm,
  summarize: (
    content: unknown,
    request: unknown,
    onProgress: (event: { stage: string; text?: string }) => void,
  ) => unknown,
): Promise<{ held: number; lost: string[]; junk: string[]; details: string }>;

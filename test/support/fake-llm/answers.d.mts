import type { FakeLlmSettings } from './fake-llm.mjs';

/** What the fake model says to a prompt. */
export declare function answerTo(prompt: string, how: Pick<FakeLlmSettings, 'mode' | 'words'>): string;

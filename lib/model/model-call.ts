import type { PromptPart } from './ai-sdk.js';

/** One question to a model. */
export interface ModelCall {
  /** For the usage by stage: `map`, `repair`, `merge`, `write`, `answer`. */
  stage: string;
  /** Our own words only; nothing that came from outside ever goes here. */
  system: string;
  /** The user message. */
  parts: readonly PromptPart[];
  /** Most tokens that the answer may have; lowered to what the model's options allow. */
  maxOutputTokens: number;
  /** Called with each piece of text as it is written. */
  onText?: (delta: string) => void;
  /** Called when text was already passed on and the call has to be begun anew. */
  onRestart?: () => void;
}

/** A complete answer: never empty. */
export interface ModelAnswer {
  text: string;
  /** True when the answer ran into its limit of tokens and ends in the middle. */
  truncated: boolean;
}

/** One try of a call, before it is judged. */
export interface AttemptResult {
  text: string;
  /** True when it closed reasoning that it had not opened: it will do so again. */
  closedUnopened?: boolean;
  /** As the AI SDK names them: `stop`, `length`, `content-filter`, `tool-calls`, `error`, `other`, `unknown`. */
  finishReason: string;
  inputTokens: number | undefined;
  outputTokens: number | undefined;
  /** The model that answered and the id of its answer, where the provider says so. */
  responseModel?: string;
  responseId?: string;
}

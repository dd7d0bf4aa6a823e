import type { ModelClient } from '../../model/client.js';

/** `simple` while the transcript takes at most this share of the window: this leaves room for the prompt and the answer. */
const WINDOW_SHARE = 0.5;
/** An estimate is off by a few per cent; at the border that must not decide. */
const SLACK = 1.05;

/** The decision of `auto`, with its reason. */
export interface Choice {
  method: 'simple' | 'recursive';
  /** One sentence with the numbers. */
  reason: string;
}

/**
 * Picks `simple` or `recursive` by length.
 *
 * @param tokens of the transcript, estimated
 * @param promptTokens of the whole prompt that `simple` would send
 * @param simpleMaxTokens up to where one reading is careful enough, whatever the window
 */
export function chooseMethod(
  tokens: number,
  promptTokens: number,
  maxOutputTokens: number,
  model: ModelClient,
  simpleMaxTokens: number,
): Choice {
  const window = model.contextTokens;
  const share = Math.floor(window * WINDOW_SHARE);
  const most = Math.min(share, simpleMaxTokens);
  const fits = promptTokens <= model.promptTokens(maxOutputTokens);
  const numbers = `about ${tokens} tokens, and one call takes up to ${most} with this model's window of ${window}`;
  return fits && tokens <= most * SLACK
    ? { method: 'simple', reason: `simple: the transcript has ${numbers}.` }
    : { method: 'recursive', reason: `recursive: the transcript has ${numbers}.` };
}

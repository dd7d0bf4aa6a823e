import { withoutSecrets } from './secrets.js';

/**
 * Characters that a reader does not see and a model does, and that hostile pages hide instructions in: controls, formatting and directional
 * marks, zero-width ones, halves of surrogate pairs, fillers that look like blanks, variation selectors, interlinear marks and the tag block.
 * Zero-width (non-)joiners are among them: a search does not need ligatures and emoji sequences. Tabs and line breaks are not.
 */
const INVISIBLE =
  /(?![\t\n\f\r\u0085])[\p{Cc}\p{Cf}\p{Cs}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}]/gu;
/** Most text has no such characters. This check is ten times as fast. */
const SUSPICIOUS = /[^\t\n\f\r\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff\u2013-\u201e]/;

export function withoutInvisible(text: string): string {
  return SUSPICIOUS.test(text) ? text.replace(INVISIBLE, '') : text;
}

/** Control and format characters, line and paragraph separators, halves of surrogate pairs. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Most text has no other characters. */
const PLAIN = /^[\x20-\x7e]*$/;

/**
 * A text as one line that can be logged, without the secrets of this process: what would break the line, colour a terminal or turn the direction of writing is shown as its
 * code point, e.g. `\u{1b}`, so that nobody's error message can pass for another line of the log.
 */
export function printable(text: string): string {
  const shown = withoutSecrets(text);
  if (PLAIN.test(shown)) return shown;
  return shown.replace(UNPRINTABLE, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

/**
 * The stack of an error for the log. The message stands on one line and every frame on its own, so that no message can forge a line.
 * Undefined where there is no stack.
 */
export function printableStack(error: unknown): string | undefined {
  if (!(error instanceof Error) || !error.stack) return undefined;
  const frames = error.stack.split('\n').filter((line) => /^ +at /.test(line));
  return [String(error), ...frames].map(printable).join('\n');
}

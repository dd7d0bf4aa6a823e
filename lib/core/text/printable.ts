/** Control and format characters, line and paragraph separators, halves of surrogate pairs. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * A text as one line that can be logged: what would break the line, colour a terminal or turn the direction of writing is shown as its
 * code point, e.g. `\u{1b}`, so that nobody's error message can pass for another line of the log.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
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

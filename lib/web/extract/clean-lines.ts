import type { Pause } from '../../core/async.js';
import { withoutInvisible } from '../../core/printable.js';

/** One line: invisible characters gone, every run of white space one blank, trimmed. */
export function oneLine(text: string): string {
  return withoutInvisible(text).replace(/\s+/g, ' ').trim();
}

/** Characters that are cleaned between two pauses: about a millisecond's work. */
const SLICE = 32_768;

/**
 * A text of any length with its lines, each as {@link oneLine}; runs of empty lines become one. A line of more than 32 Ki characters may be
 * broken at a blank.
 *
 * @param pause called every 32 Ki characters; may yield to other work
 */
export async function cleanLongText(text: string, pause: Pause): Promise<string> {
  const lines: string[] = [];
  for (let from = 0; from < text.length;) {
    const to = sliceEnd(text, from);
    addLines(lines, text.slice(from, to));
    from = text[to] === '\n' ? to + 1 : to;
    await pause();
  }
  return joined(lines);
}

/** At the last line break of the slice, else at its last blank, else where it is full. */
function sliceEnd(text: string, from: number): number {
  const end = from + SLICE;
  if (end >= text.length) return text.length;
  const lineBreak = text.lastIndexOf('\n', end);
  if (lineBreak > from) return lineBreak;
  const blank = text.lastIndexOf(' ', end);
  return blank > from ? blank : end;
}

function addLines(lines: string[], text: string): void {
  for (const raw of text.split(/\r\n|[\n\r\u0085\u2028\u2029]/)) {
    const line = oneLine(raw);
    if (line !== '' || (lines.at(-1) ?? '') !== '') lines.push(line);
  }
}

function joined(lines: string[]): string {
  return lines.join('\n').trimEnd();
}

/**
 * Characters that a reader does not see and a model does: soft hyphen, zero-width characters, bidirectional controls,
 * invisible operators, variation selectors, Hangul fillers, interlinear marks, the tag block (which can carry a whole
 * hidden ASCII text) and control characters other than tab and line breaks.
 */
const INVISIBLE =
  /[\0-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

/** Most text has no such characters. This check is ten times as fast. */
const ONLY_PLAIN = /^[\t\n\f\r\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff]*$/;

/** `text` without characters that nobody sees. Joiners go too: a search does not need ligatures and emoji sequences. */
export function withoutInvisible(text: string): string {
  return ONLY_PLAIN.test(text) ? text : text.replace(INVISIBLE, '');
}

/** One line: invisible characters gone, every run of white space one blank, trimmed. */
export function oneLine(text: string): string {
  return withoutInvisible(text).replace(/\s+/g, ' ').trim();
}

/** Lines kept, each as `oneLine`; runs of empty lines become one. For preformatted blocks and other short texts. */
export function cleanLines(text: string): string {
  const lines: string[] = [];
  addLines(lines, text);
  return joined(lines);
}

/** Characters that are cleaned between two pauses: about a millisecond's work. */
const SLICE = 32_768;

/**
 * The same for a text of any length. A line of more than 32 Ki characters may be broken at a blank.
 *
 * @param pause called every 32 Ki characters; may give way to other work
 */
export async function cleanLongText(text: string, pause: () => Promise<void> | undefined): Promise<string> {
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

/**
 * Marks of notes in a page's text, "It is 30 m tall.[3][a]": behind punctuation or before it, or at the end. Elsewhere brackets may be the text's
 * own ("use list[1] to …").
 */
const MARK = String.raw`\[(?:[1-9]\d{0,2}|[a-z]|(?:note|nota|nb|n) \d{1,3}|citation needed)\]`;
const NOTE = String.raw`(?:(?<=[.,;:!?…)"”’\]])\s?${MARK}|\s?${MARK}(?=[.,;:!?…[]|\s*$))`;
const MARKS_HERE = new RegExp(`(?:${MARK})+`, 'y');
const NOTES = new RegExp(NOTE, 'g');

/** Where the marks that stand at `at`, behind the end of a sentence, end; `at` where there are none. */
export function afterNoteMarks(text: string, at: number): number {
  if (text[at] !== '[') return at;
  MARKS_HERE.lastIndex = at;
  return MARKS_HERE.test(text) ? MARKS_HERE.lastIndex : at;
}

/** The text with blanks in the place of its marks, so that everything else stands where it stood. */
export function blankNoteMarks(text: string): string {
  return text.includes('[') ? text.replace(NOTES, (mark) => ' '.repeat(mark.length)) : text;
}

/** The text without its marks. */
export function withoutNoteMarks(text: string): string {
  return text.replace(NOTES, '');
}

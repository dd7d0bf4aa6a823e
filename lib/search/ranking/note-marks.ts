/** Marks of notes in a page's text: "It is 30 m tall.[3][a]". */
const MARK = String.raw`\[(?:\d{1,3}|[a-z]|(?:note|nota|nb|n) \d{1,3}|citation needed)\]`;
const MARKS_HERE = new RegExp(`(?:${MARK})+`, 'y');
const MARKS = new RegExp(MARK, 'g');
const MARKS_WITH_BLANK = new RegExp(`\\s?${MARK}`, 'g');

/** Where the marks that stand at `at` end; `at` where there are none. */
export function afterNoteMarks(text: string, at: number): number {
  if (text[at] !== '[') return at;
  MARKS_HERE.lastIndex = at;
  return MARKS_HERE.test(text) ? MARKS_HERE.lastIndex : at;
}

/** The text with blanks in the place of its marks, so that everything else stands where it stood. */
export function blankNoteMarks(text: string): string {
  return text.includes('[') ? text.replace(MARKS, (mark) => ' '.repeat(mark.length)) : text;
}

/** The text without its marks. */
export function withoutNoteMarks(text: string): string {
  return text.replace(MARKS_WITH_BLANK, '');
}

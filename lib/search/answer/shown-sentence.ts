import { withoutNoteMarks } from '../ranking/note-marks.js';

/** A sentence of a page as it stands in an answer: on one line, and without marks like `[3]` of the page's own, which would pass for ours. */
export function shownSentence(text: string): string {
  return withoutNoteMarks(text.replaceAll('\n', ' '));
}

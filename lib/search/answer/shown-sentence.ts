import { withoutNoteMarks } from '../ranking/note-marks.js';

/**
 * A sentence of a page as it stands in an answer: on one line, without marks of the page's own notes. Other numbers in brackets, which would
 * pass for ours, stand in parentheses.
 */
export function shownSentence(text: string): string {
  return withoutNoteMarks(text.replaceAll('\n', ' ')).replace(/\[(\d{1,3})\]/g, '($1)');
}

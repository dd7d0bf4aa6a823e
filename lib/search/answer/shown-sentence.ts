const MARK = String.raw`\[(?:[1-9]\d{0,2}|[a-z]|(?:note|nota|nb|n) \d{1,3}|citation needed)\]`;
/**
 * Marks of notes in a page's text ("It is 30 m tall.[3][a]"): behind punctuation, before it, or at the end. Elsewhere brackets may be the
 * text's own ("use list[1] to …").
 */
const NOTES = new RegExp(String.raw`(?:(?<=[.,;:!?…)"”’\]])\s?${MARK}|\s?${MARK}(?=[.,;:!?…[]|\s*$))`, 'g');

/**
 * A sentence of a page as an answer shows it: on one line and without the page's marks of notes. Other numbers in brackets look like our
 * citations, so they get parentheses.
 */
export function shownSentence(text: string): string {
  return text
    .replaceAll('\n', ' ')
    .replace(NOTES, '')
    .replace(/\[(\d{1,3})\]/g, '($1)');
}

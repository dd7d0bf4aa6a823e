/** A text in parts of at most `max` characters, cut at blanks where there are any. */
export function cutAtBlanks(text: string, max: number): string[] {
  const parts: string[] = [];
  let start = 0;
  while (text.length - start > max) {
    // Looked for in this part only: a text without blanks would be searched to its beginning for each.
    const blank = text.slice(start, start + max + 1).lastIndexOf(' ');
    let end = start + (blank > 0 ? blank : max);
    // Never between the two halves of a surrogate pair.
    if ((text.charCodeAt(end) & 0xfc00) === 0xdc00) end--;
    parts.push(text.slice(start, end));
    start = text[end] === ' ' ? end + 1 : end;
  }
  parts.push(text.slice(start));
  return parts;
}

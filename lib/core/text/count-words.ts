/** Number of words separated by white space, as a reader counts them. */
export function countWords(text: string): number {
  let n = 0;
  let inside = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    const space = c <= 32 || c === 0xa0;
    if (!space && !inside) n++;
    inside = !space;
  }
  return n;
}

/** Longest word that is indexed, in characters; what is longer is no word that anyone searches for; a plain bound. */
const MAX_WORD = 40;

/** Role of a character in the words of a text: between them, part of one, or of a script that has no blanks between words; any numbers. */
const WORD_BREAK = 1;
const WORD_PART = 2;
const UNSPACED = 3;
// Exported apart: compiled to CommonJS, an exported constant is a property that is read for every character.
export { UNSPACED, WORD_BREAK, WORD_PART };

/** 0: not yet looked at. */
const kinds = new Uint8Array(65536);

/** Role of a UTF-16 code unit: {@link WORD_BREAK}, {@link WORD_PART} or {@link UNSPACED} (Han, kana, Thai, …). */
export function wordKind(code: number): number {
  let kind = kinds[code]!;
  if (kind === 0) {
    const c = String.fromCharCode(code);
    if (/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u.test(c))
      kind = UNSPACED;
    // Halves of surrogate pairs count as letters, so that rare scripts and mathematical letters survive.
    else if (/[\p{L}\p{M}\p{N}]/u.test(c) || (code >= 0xd800 && code <= 0xdfff)) kind = WORD_PART;
    else kind = WORD_BREAK;
    kinds[code] = kind;
  }
  return kind;
}

/**
 * Calls `visit` with the place (`[start, end)`) of each word of an already lower-cased text: runs of letters and digits of at most 40
 * characters, torn at hyphens and apostrophes; scripts without blanks give overlapping pairs of characters. One pass without regular expressions, because
 * indexing is bound by it.
 */
export function eachWordSpan(lower: string, visit: (start: number, end: number) => void): void {
  let start = -1;
  let previous = 0;
  for (let i = 0; i <= lower.length; i++) {
    const kind = i < lower.length ? wordKind(lower.charCodeAt(i)) : WORD_BREAK;
    if (start >= 0 && kind !== WORD_PART) {
      if (i - start <= MAX_WORD) visit(start, i);
      start = -1;
    }
    if (kind === WORD_PART && start < 0) start = i;
    if (kind === UNSPACED) {
      if (previous === UNSPACED) visit(i - 1, i + 1);
      else if (i + 1 >= lower.length || wordKind(lower.charCodeAt(i + 1)) !== UNSPACED) visit(i, i + 1);
    }
    previous = kind;
  }
}

/** Calls `visit` with each word of an already lower-cased text, see {@link eachWordSpan}. */
export function eachWord(lower: string, visit: (word: string) => void): void {
  eachWordSpan(lower, (start, end) => visit(lower.slice(start, end)));
}

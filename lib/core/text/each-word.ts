/** Longest word that is indexed, in characters; what is longer is no word that anyone searches for. */
const MAX_WORD = 40;

/** 0 unknown, 1 breaks words, 2 part of a word, 3 written without blanks between words (Han, kana, Thai, …). */
const kinds = new Uint8Array(65536);

function kindOf(code: number): number {
  let kind = kinds[code]!;
  if (kind === 0) {
    const c = String.fromCharCode(code);
    if (/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u.test(c))
      kind = 3;
    // Halves of surrogate pairs count as letters, so that rare scripts and mathematical letters survive.
    else if (/[\p{L}\p{M}\p{N}]/u.test(c) || (code >= 0xd800 && code <= 0xdfff)) kind = 2;
    else kind = 1;
    kinds[code] = kind;
  }
  return kind;
}

/**
 * Calls `visit` with each word of an already lower-cased text: runs of letters and digits of at most 40
 * characters, torn at hyphens and apostrophes; scripts without blanks give overlapping pairs of characters. One pass without regular expressions, because
 * indexing is bound by it.
 */
export function eachWord(lower: string, visit: (word: string) => void): void {
  let start = -1;
  let previous = 0;
  for (let i = 0; i <= lower.length; i++) {
    const kind = i < lower.length ? kindOf(lower.charCodeAt(i)) : 1;
    if (start >= 0 && kind !== 2) {
      if (i - start <= MAX_WORD) visit(lower.slice(start, i));
      start = -1;
    }
    if (kind === 2 && start < 0) start = i;
    if (kind === 3) {
      if (previous === 3) visit(lower.slice(i - 1, i + 1));
      else if (i + 1 >= lower.length || kindOf(lower.charCodeAt(i + 1)) !== 3) visit(lower[i]!);
    }
    previous = kind;
  }
}

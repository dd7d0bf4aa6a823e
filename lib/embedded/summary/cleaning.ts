import { borderClass, WORD } from './lexicon.js';
import { TOKEN, type Token, type TokenTable } from './token-table.js';

export const isKept = (token: Token): boolean => !(token.mark & TOKEN.dropped);

/** First kept token at or after `i` that has letters or digits; `to` when there is none. */
export function nextWord(tokens: readonly Token[], i: number, to: number): number {
  let k = i;
  while (k < to && !(isKept(tokens[k]!) && tokens[k]!.word)) k++;
  return k;
}

/** Words that a speaker says twice in a row without meaning to, at most. */
const LONGEST_STUTTER = 3;

/**
 * Deletes inside one spoken sentence what nobody means to say: sounds of thinking, and stutters of function words (`in the in the`, with no
 * mark between). A word with content that is said twice stays: it may be a number, or the end of one clause and the start of the next.
 *
 * @param unpunctuated true for captions: behind its first words, only words that cannot end a clause are stutters there
 */
export function cleanSpoken({ tokens }: TokenTable, from: number, to: number, unpunctuated: boolean): void {
  const said: Token[] = [];
  for (const token of tokens.slice(from, to)) {
    const { word } = token;
    if (!word) continue;
    if (word.bits & WORD.hesitation) token.mark |= TOKEN.dropped;
    if (!isKept(token)) continue;
    said.push(token);
    if (!(word.bits & WORD.function) || word.bits & WORD.doubles) continue;
    const mayEnd = unpunctuated && !CANNOT_END.has(word.class);
    for (let n = 1; n <= LONGEST_STUTTER && 2 * n <= said.length; n++) {
      if (mayEnd && said.length > 2 * n) continue;
      const first = said.slice(-2 * n, -n);
      const isStutter = first.every(
        (one, k) =>
          one.word === said.at(k - n)!.word &&
          one.word!.bits & WORD.function &&
          !(one.mark & (TOKEN.comma | TOKEN.stop)),
      );
      if (!isStutter) continue;
      for (const one of first) one.mark |= TOKEN.dropped;
      said.splice(-2 * n, n);
      break;
    }
  }
}

const CANNOT_END = new Set((['determiners', 'coordinators', 'subordinators'] as const).map(borderClass));

/** Classes of words that begin a clause: an opener before one of them says nothing ("So the oven …", but "So far …"). */
const CLAUSE_STARTS = new Set(
  (['subjects', 'contractions', 'determiners', 'demonstratives', 'adverbs'] as const).map(borderClass),
);

/**
 * Where a spoken sentence begins once its openers are left out: `so`, `well`. An answer (`no`, `right`) goes only where a
 * mark follows it: "No, we left", not "No changes were made".
 *
 * @returns the first token to keep; `to` when nothing remains
 */
export function trimStart({ tokens }: TokenTable, from: number, to: number): number {
  let i = nextWord(tokens, from, to);
  while (i < to) {
    const { word, mark } = tokens[i]!;
    const { bits } = word!;
    const next = nextWord(tokens, i + 1, to);
    const after = next < to ? tokens[next]!.word : undefined;
    const apart = (mark & (TOKEN.comma | TOKEN.stop)) > 0;
    const opens = apart || (after && (after.bits & WORD.opener || CLAUSE_STARTS.has(after.class)));
    if (!(bits & WORD.opener ? opens : bits & WORD.answer && apart)) return i;
    i = next;
  }
  return to;
}

/**
 * Where a sentence ends once the conjunctions are left out that the speaker left hanging (`…, and so`): those that no full stop follows.
 *
 * @returns the token after the last to keep
 */
export function trimEnd({ tokens }: TokenTable, from: number, to: number): number {
  for (let i = to - 1; i >= from; i--) {
    const { word, mark } = tokens[i]!;
    if (!isKept(tokens[i]!) || !(word || mark & TOKEN.stop)) continue;
    const bits = word?.bits ?? 0;
    const hangs = bits & WORD.coordinator || (bits & WORD.loose && bits & (WORD.opener | WORD.dependent));
    if (mark & TOKEN.stop || !hangs) return i + 1;
  }
  return from;
}

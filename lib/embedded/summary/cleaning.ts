import { borderClass, WORD } from './lexicon.js';
import { TOKEN, type TokenTable } from './token-table.js';

const GONE = TOKEN.dropped | TOKEN.mute;

/** True when a token is neither deleted nor outside of what was said. */
export const isKept = (table: TokenTable, i: number): boolean => !(table.mark[i]! & GONE);

const drop = (table: TokenTable, i: number): void => {
  table.mark[i] = table.mark[i]! | TOKEN.dropped;
};

/** First kept token at or after `i` that has letters or digits; `to` when there is none. */
function nextWord(table: TokenTable, i: number, to: number): number {
  let k = i;
  while (k < to && (!isKept(table, k) || !table.form[k])) k++;
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
export function cleanSpoken(table: TokenTable, from: number, to: number, unpunctuated: boolean): void {
  const { lexicon, form, mark } = table;
  const said: number[] = [];
  for (let i = from; i < to; i++) {
    const bits = lexicon.bits[form[i]!]!;
    if (bits & WORD.hesitation) drop(table, i);
    if (!form[i] || !isKept(table, i)) continue;
    said.push(i);
    if (!(bits & WORD.function) || bits & WORD.doubles) continue;
    const mayEnd = unpunctuated && !CANNOT_END.has(lexicon.classes[form[i]!]!);
    for (let n = 1; n <= LONGEST_STUTTER && 2 * n <= said.length; n++) {
      if (mayEnd && said.length > 2 * n) continue;
      const first = said.slice(-2 * n, -n);
      const isStutter = first.every(
        (word, k) =>
          form[word] === form[said.at(k - n)!] &&
          lexicon.bits[form[word]!]! & WORD.function &&
          !(mark[word]! & (TOKEN.comma | TOKEN.stop)),
      );
      if (!isStutter) continue;
      for (const word of first) drop(table, word);
      said.splice(-2 * n, n);
      break;
    }
  }
}

/** Classes of words that cannot end a clause. */
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
export function trimStart(table: TokenTable, from: number, to: number): number {
  const { lexicon, form, mark } = table;
  let i = nextWord(table, from, to);
  while (i < to) {
    const bits = lexicon.bits[form[i]!]!;
    const next = nextWord(table, i + 1, to);
    const after = next < to ? form[next]! : 0;
    const apart = (mark[i]! & (TOKEN.comma | TOKEN.stop)) > 0;
    // "So to sum up": only conjunctions, since without "dann" the rest of "Dann würde ich" is a question.
    const announces =
      (bits & WORD.coordinator) > 0 &&
      (['announcements', 'conclusions'] as const).some((list) => lexicon.phraseAt(list, form, next, to) > 0);
    const opens =
      apart ||
      announces ||
      (lexicon.bits[after]! & WORD.opener) > 0 ||
      (next < to && CLAUSE_STARTS.has(lexicon.classes[after]!));
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
export function trimEnd(table: TokenTable, from: number, to: number): number {
  const { lexicon, form, mark } = table;
  for (let i = to - 1; i >= from; i--) {
    if (!isKept(table, i) || (!form[i] && !(mark[i]! & TOKEN.stop))) continue;
    const bits = lexicon.bits[form[i]!]!;
    const hangs = bits & WORD.coordinator || (bits & WORD.loose && bits & (WORD.opener | WORD.dependent));
    if (mark[i]! & TOKEN.stop || !hangs) return i + 1;
  }
  return from;
}

const WRITTEN_WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’.-]*/gu;

/**
 * Words that the title, the chapters and the description write with a capital letter, to give them back to captions that have none. A line in
 * Title Case proves nothing, nor does a word in capitals only, nor the words from the first of a sentence up to one in small letters.
 *
 * @returns the word as it is written, by its lower-case form
 */
export function properNames(lines: readonly (string | undefined)[]): Map<string, string> {
  const names = new Map<string, string>();
  const plain = new Set<string>();
  for (const line of lines.flatMap((l) => (l ?? '').slice(0, 5000).split('\n'))) {
    const found = [...line.matchAll(WRITTEN_WORD)];
    const long = found.filter(([word]) => word.length > 3);
    const small = long.filter(([word]) => word === word.toLowerCase());
    const isTitleCase = small.length < 2 || small.length < long.length / 3;
    let opens = true;
    for (const { 0: raw, index } of found) {
      const word = raw.replace(/[.'’-]{1,40}$/u, '').replace(/['’]s$/u, '');
      const lower = word.toLowerCase();
      opens = word !== lower && (opens || index === 0 || opensSentence(line, index));
      if (word === lower) plain.add(lower);
      else if (word === word.toUpperCase()) continue;
      else if (word.slice(1) !== lower.slice(1) || !(isTitleCase || opens)) names.set(lower, word);
    }
  }
  for (const word of plain) names.delete(word);
  return names;
}

/** Letters of an abbreviation or an initial, at most. */
const ABBREVIATION = 2;

/** True when a full stop, and not an abbreviation's, comes before a place in a line. */
function opensSentence(line: string, at: number): boolean {
  const before = line.slice(Math.max(0, at - 8), at).trimEnd();
  if (/[!?…]["'»”)]?$/u.test(before)) return true;
  const word = /(\p{L}{0,40})\.["'»”)]?$/u.exec(before);
  return word !== null && (word[1] ?? '').length > ABBREVIATION;
}

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

/**
 * Deletes inside one spoken sentence what a reader does not miss: sounds of thinking, words said twice, and asides between commas.
 * Nothing is changed or added.
 *
 * @param unpunctuated true for captions: there one clause may end with the word that the next begins with
 */
export function cleanSpoken(table: TokenTable, from: number, to: number, unpunctuated: boolean): void {
  const { lexicon, form } = table;
  for (let i = from; i < to; i++) if (lexicon.bits[form[i]!]! & WORD.hesitation) drop(table, i);
  dropRepeats(table, from, to, unpunctuated);
  dropAsides(table, from, to);
}

/** Longest run of words that is looked for twice in a row. */
const LONGEST_REPEAT = 4;

/** `the the`, `in the in the`: the first of two equal runs goes. */
function dropRepeats(table: TokenTable, from: number, to: number, unpunctuated: boolean): void {
  const { form } = table;
  const recent: number[] = [];
  for (let i = nextWord(table, from, to); i < to; i = nextWord(table, i + 1, to)) {
    recent.push(i);
    for (let n = 1; n <= LONGEST_REPEAT; n++) {
      const last = recent[recent.length - 1 - n];
      if (recent.length < 2 * n || form[last!] !== form[i]) continue;
      const first = recent.slice(-2 * n, -n);
      if (!isRepeat(table, first, recent.slice(-n), unpunctuated)) continue;
      for (const k of first) drop(table, k);
      recent.splice(-2 * n, n);
      break;
    }
    if (recent.length > 4 * LONGEST_REPEAT) recent.splice(0, 2 * LONGEST_REPEAT);
  }
}

function isRepeat(
  { lexicon, form, mark }: TokenTable,
  first: readonly number[],
  again: readonly number[],
  unpunctuated: boolean,
): boolean {
  if (first.some((word, k) => form[word] !== form[again[k]!] || mark[word]! & TOKEN.stop)) return false;
  const bits = lexicon.bits[form[first.at(-1)!]!]!;
  // "had had" is written on purpose and said by mistake; "nous nous" is right in both.
  const doubles = first.length === 1 && bits & WORD.doubles && !(unpunctuated && bits & WORD.verb);
  // "If you don't turn it it takes a year": one clause may end and the next begin with such a word.
  if (unpunctuated && first.length === 1 && !(bits & (WORD.loose | WORD.verb))) return false;
  return !(bits & WORD.number) && !doubles;
}

/** Deletes `, you know,`: set phrases and answers between commas. */
function dropAsides(table: TokenTable, from: number, to: number): void {
  const { lexicon, form, mark } = table;
  let afterComma = false;
  for (let i = from; i < to; i++) {
    if (afterComma && form[i] && isKept(table, i)) {
      const length = lexicon.phraseAt('asides', form, i, to);
      const single = length === 0 && (lexicon.bits[form[i]!]! & (WORD.answer | WORD.opener)) > 0;
      const last = i + Math.max(1, length) - 1;
      if ((length > 0 || single) && last < to && mark[last]! & (TOKEN.comma | TOKEN.stop)) {
        for (let k = i; k <= last; k++) drop(table, k);
        i = last;
        continue;
      }
    }
    const comma = (mark[i]! & TOKEN.comma) > 0;
    afterComma = form[i] && isKept(table, i) ? comma : afterComma || comma;
  }
}

/** Classes of words that begin a clause: an opener before one of them says nothing ("So the oven …", but "So far …"). */
const CLAUSE_STARTS = new Set(
  (['subjects', 'contractions', 'determiners', 'demonstratives', 'adverbs'] as const).map(borderClass),
);

/**
 * Where a spoken sentence begins once its openers are left out: `so`, `well`, `you know`, `Hello everyone,`. An answer
 * (`no`, `right`) goes only where it stands by itself: "No, we left", not "No changes were made".
 *
 * @param unpunctuated true for captions: a greeting then ends where other words begin
 * @returns the first token to keep; `to` when nothing remains
 */
export function trimStart(table: TokenTable, from: number, to: number, unpunctuated = false): number {
  const { lexicon, form, mark } = table;
  let i = nextWord(table, from, to);
  while (i < to) {
    const bits = lexicon.bits[form[i]!]!;
    const length = greetingLength(table, i, to, unpunctuated) || lexicon.phraseAt('asides', form, i, to) || 1;
    const next = nextWord(table, i + length, to);
    const after = next < to ? lexicon.bits[form[next]!]! : 0;
    const apart = (mark[i + length - 1]! & (TOKEN.comma | TOKEN.stop)) > 0;
    // "So to sum up": only conjunctions, since without "dann" the rest of "Dann würde ich" is a question.
    const announces =
      (bits & WORD.coordinator) > 0 &&
      next < to &&
      (['announcements', 'conclusions'] as const).some((list) => lexicon.phraseAt(list, form, next, to) > 0);
    let drops: boolean;
    if (length > 1) drops = apart || !(after & (WORD.interrogative | WORD.dependent));
    else if (bits & WORD.opener)
      drops =
        apart ||
        announces ||
        (after & WORD.opener) > 0 ||
        (next < to && CLAUSE_STARTS.has(lexicon.classes[form[next]!]!));
    else
      drops = (bits & WORD.answer) > 0 && (apart || (after & (WORD.subject | WORD.opener | WORD.answer)) > 0);
    if (!drops) return i;
    i = next;
  }
  return to;
}

/** Words of a greeting at most, and of one in captions together with who speaks up to what is announced. */
const LONGEST_GREETING = 5;
const LONGEST_WELCOME = 20;

/**
 * Number of tokens of the greeting up to a comma that starts at a token (`Hello everyone,`, `Good morning,`); 0 when none does. In captions it
 * ends where other words begin, or at an announcement (`welcome to my kitchen it's Tess and today we're …`).
 */
function greetingLength(
  { lexicon, form, mark }: TokenTable,
  from: number,
  to: number,
  unpunctuated: boolean,
): number {
  let greets = false;
  for (let i = from; i < Math.min(to - 1, from + LONGEST_GREETING); i++) {
    const bits = lexicon.bits[form[i]!]!;
    const phrase = lexicon.phraseAt('formulas', form, i, to);
    if (!phrase && !(bits & (WORD.greeting | WORD.addressee | WORD.answer | WORD.opener))) {
      if (!unpunctuated || !greets) return 0;
      for (let k = i; k < Math.min(to, from + LONGEST_WELCOME); k++)
        if (lexicon.phraseAt('announcements', form, k, to)) return k - from;
      return i - from;
    }
    greets ||= phrase > 0 || (bits & WORD.greeting) > 0;
    if (phrase) i += phrase - 1;
    if (mark[i]! & TOKEN.comma) return greets ? i + 1 - from : 0;
  }
  return 0;
}

/**
 * Where a sentence ends once the conjunctions are left out that the speaker left hanging (`…, and so`).
 *
 * @returns the token after the last to keep
 */
export function trimEnd(table: TokenTable, from: number, to: number): number {
  const { lexicon, form, mark } = table;
  for (let i = to - 1; i >= from; i--) {
    if (!isKept(table, i) || (!form[i] && !(mark[i]! & TOKEN.stop))) continue;
    const bits = lexicon.bits[form[i]!]!;
    const closes = (mark[i]! & TOKEN.stop) > 0;
    const hangs =
      bits & WORD.coordinator || (!closes && bits & WORD.loose && bits & (WORD.opener | WORD.dependent));
    if (!hangs) return i + 1;
  }
  return from;
}

const WRITTEN_WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’.-]*/gu;

/**
 * Words that the title, the chapters and the description write with a capital letter, to give them back to captions
 * that have none. A line in Title Case proves nothing, nor does a sentence's first word, unless it has capitals inside.
 *
 * @returns the word as it is written, by its lower-case form
 */
export function properNames(lines: readonly (string | undefined)[]): Map<string, string> {
  const names = new Map<string, string>();
  const plain = new Set<string>();
  for (const line of lines.flatMap((l) => (l ?? '').slice(0, 5000).split('\n'))) {
    const found = [...line.matchAll(WRITTEN_WORD)];
    const words = found.map((match) => match[0]);
    const long = words.filter((w) => w.length > 3);
    const small = long.filter((w) => w === w.toLowerCase());
    const reliable = small.length >= 2 && small.length >= long.length / 3;
    words.forEach((raw, k) => {
      const word = raw.replace(/[.'’-]+$/u, '').replace(/['’]s$/u, '');
      const lower = word.toLowerCase();
      if (word === lower) plain.add(lower);
      else if (word.length < 2) return;
      else if (word.slice(1) !== word.slice(1).toLowerCase()) {
        // Capitals inside ("NestJS", "NASA"), but not a line that shouts.
        if (small.length > 0) names.set(lower, word);
      } else if (reliable && k > 0 && !opensSentence(line, found[k]?.index ?? 0)) names.set(lower, word);
    });
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
  const word = /(\p{L}*)\.["'»”)]?$/u.exec(before);
  return word !== null && (word[1] ?? '').length > ABBREVIATION;
}

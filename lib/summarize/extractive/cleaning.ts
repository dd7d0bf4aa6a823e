import { BORDER_CLASSES, OPEN_CLASS, WORD } from './lexicon.js';
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
 * Deletes inside one spoken sentence what a reader does not miss: sounds of thinking, words said twice, broken-off
 * words and asides between commas. Nothing is ever changed or added.
 *
 * @param unpunctuated true for captions: fillers are told from their neighbours, for want of commas
 */
export function cleanSpoken(table: TokenTable, from: number, to: number, unpunctuated: boolean): void {
  const { lexicon, form } = table;
  for (let i = from; i < to; i++) {
    if (!isKept(table, i) || !form[i]) continue;
    const bits = lexicon.bits[form[i]!]!;
    if (bits & WORD.hesitation) drop(table, i);
    else if (isBrokenOff(table, i) || isBegunAgain(table, i, to)) drop(table, i);
  }
  if (unpunctuated) dropFillers(table, from, to);
  dropRepeats(table, from, to, unpunctuated);
  dropAsides(table, from, to);
}

/** A word that ends with a hyphen was not finished. */
function isBrokenOff(table: TokenTable, i: number): boolean {
  const { source, start, end } = table;
  let last = end[i]! - 1;
  const c = source.charCodeAt(last);
  if (c === 44 || c === 46) last--;
  return (
    last > start[i]! &&
    last - start[i]! < 12 &&
    source.charCodeAt(last) === 45 &&
    source.charCodeAt(last - 1) !== 45
  );
}

/** `fun functions`, `expe our experiences`: the beginning of a word that is said in full right after. */
function isBegunAgain(table: TokenTable, i: number, to: number): boolean {
  const { lexicon, form, mark } = table;
  const part = lexicon.forms[form[i]!]!;
  const known = WORD.stop | WORD.number | WORD.verb;
  if (part.length < 2 || lexicon.counts[form[i]!]! > 2 || lexicon.bits[form[i]!]! & known) return false;
  for (let k = i + 1; k < Math.min(to, i + 3) && !(mark[k - 1]! & (TOKEN.comma | TOKEN.stop)); k++) {
    const word = lexicon.forms[form[k]!]!;
    if (word.length > part.length + 1 && word.startsWith(part)) return true;
  }
  return false;
}

/** Longest run of words that is looked for twice in a row. */
const LONGEST_REPEAT = 4;

/** The last kept words, oldest first. Shared by all calls: no call pauses for another while it uses this. */
const recent = new Int32Array(4 * LONGEST_REPEAT);

/** `the the`, `in the in the`, `w we`: the first of two equal runs goes, and a lone letter before its word. */
function dropRepeats(table: TokenTable, from: number, to: number, unpunctuated: boolean): void {
  let size = 0;
  for (let i = nextWord(table, from, to); i < to; i = nextWord(table, i + 1, to)) {
    if (size === recent.length) {
      recent.copyWithin(0, size / 2);
      size /= 2;
    }
    recent[size++] = i;
    for (let n = 1; n <= LONGEST_REPEAT && 2 * n <= size; n++) {
      const first = size - 2 * n;
      if (!isRepeat(table, first, n, unpunctuated)) continue;
      for (let k = 0; k < n; k++) drop(table, recent[first + k]!);
      recent.copyWithin(first, first + n, size);
      size -= n;
      break;
    }
    if (size > 1 && isStutter(table, recent[size - 2]!, i)) {
      drop(table, recent[size - 2]!);
      recent[size - 2] = i;
      size--;
    }
  }
}

/** True when the `n` recent words from `first` on are said again right after. */
function isRepeat(
  { lexicon, form, mark }: TokenTable,
  first: number,
  n: number,
  unpunctuated: boolean,
): boolean {
  for (let k = 0; k < n; k++) {
    const word = recent[first + k]!;
    if (form[word] !== form[recent[first + n + k]!] || mark[word]! & TOKEN.stop) return false;
  }
  const bits = lexicon.bits[form[recent[first + n - 1]!]!]!;
  // "had had" is written on purpose and said by mistake; "nous nous" is right in both.
  const doubles = n === 1 && bits & WORD.doubles && !(unpunctuated && bits & WORD.verb);
  // "If you don't turn it it takes a year": one clause may end and the next begin with such a word.
  if (unpunctuated && n === 1 && !(bits & (WORD.loose | WORD.verb))) return false;
  return !(bits & WORD.number) && !doubles;
}

/** True for a letter before the function word that begins with it, unless the letter is a word itself. "Of n numbers" is no stutter. */
function isStutter({ lexicon, form, mark }: TokenTable, letter: number, next: number): boolean {
  const part = lexicon.forms[form[letter]!]!;
  const word = lexicon.forms[form[next]!]!;
  if (!(lexicon.bits[form[next]!]! & WORD.stop)) return false;
  if (part.length !== 1 || word.length < 2 || !word.startsWith(part) || mark[letter]! & TOKEN.stop)
    return false;
  return lexicon.classes[form[letter]!]! >= OPEN_CLASS || word[1] === "'";
}

const SUBJECT_CLASSES = new Set(
  (['subjects', 'contractions'] as const).map((name) => BORDER_CLASSES.indexOf(name)),
);
/** Classes whose words need what follows: a phrase after them is no filler (`this kind of`, `what I mean`). */
const GOVERNING = new Set(
  (
    [
      'subordinators',
      'interrogatives',
      'determiners',
      'prepositions',
      'demonstratives',
      'degrees',
      'quantifiers',
    ] as const
  ).map((name) => BORDER_CLASSES.indexOf(name)),
);
/** Classes whose words may be what is known or meant: before them the phrase may be the sentence itself. */
const GOVERNED = new Set(
  (
    ['subordinators', 'interrogatives', 'determiners', 'prepositions', 'demonstratives', 'objects'] as const
  ).map((name) => BORDER_CLASSES.indexOf(name)),
);

/** Deletes `I mean`, `kind of` inside a sentence where their neighbours have no use for them. */
function dropFillers(table: TokenTable, from: number, to: number): void {
  const { lexicon, form } = table;
  let before = -1;
  for (let i = nextWord(table, from, to); i < to; i = nextWord(table, i + 1, to)) {
    const length = before < 0 ? 0 : lexicon.phraseAt('fillers', form, i, to);
    const next = length > 0 ? nextWord(table, i + length, to) : to;
    if (next < to && isParenthesis(table, before, i, next)) {
      for (let k = i; k < i + length; k++) drop(table, k);
      i += length - 1;
    } else before = i;
  }
}

/** True when the phrase at a token belongs neither to the word before it nor to the one after. */
function isParenthesis({ lexicon, form }: TokenTable, before: number, at: number, next: number): boolean {
  const previous = lexicon.classes[form[before]!]!;
  const verb = (lexicon.bits[form[before]!]! & WORD.verb) > 0;
  if (SUBJECT_CLASSES.has(lexicon.classes[form[at]!]!))
    return !verb && !GOVERNING.has(previous) && !GOVERNED.has(lexicon.classes[form[next]!]!);
  // "a different kind of bread", but "it was kind of wet".
  return verb || SUBJECT_CLASSES.has(previous);
}

/** Deletes `, you know,`: set phrases and answers between commas. */
function dropAsides(table: TokenTable, from: number, to: number): void {
  const { lexicon, form, mark } = table;
  let afterComma = false;
  for (let i = from; i < to; i++) {
    if (!form[i]) {
      afterComma ||= (mark[i]! & TOKEN.comma) > 0;
      continue;
    }
    if (!isKept(table, i)) {
      afterComma ||= (mark[i]! & TOKEN.comma) > 0;
      continue;
    }
    if (afterComma) {
      const length = lexicon.phraseAt('asides', form, i, to);
      const single = length === 0 && (lexicon.bits[form[i]!]! & (WORD.answer | WORD.opener)) > 0;
      const last = i + Math.max(1, length) - 1;
      if ((length > 0 || single) && last < to && mark[last]! & (TOKEN.comma | TOKEN.stop)) {
        for (let k = i; k <= last; k++) drop(table, k);
        i = last;
        continue;
      }
    }
    afterComma = (mark[i]! & TOKEN.comma) > 0;
  }
}

/**
 * Where a spoken sentence begins once its openers are left out: `so`, `well`, `you know`, `Madam Chair,`. An answer
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
    const length =
      greetingLength(table, i, to, unpunctuated) ||
      addressLength(table, i, to) ||
      lexicon.phraseAt('asides', form, i, to) ||
      1;
    const next = nextWord(table, i + length, to);
    const after = next < to ? lexicon.bits[form[next]!]! : 0;
    const apart = (mark[i + length - 1]! & (TOKEN.comma | TOKEN.stop)) > 0;
    let drops: boolean;
    if (length === 1 && isFixed(table, i, to)) return i;
    if (length > 1) drops = apart || !(after & (WORD.interrogative | WORD.dependent));
    else if (bits & WORD.tag) drops = true;
    else if (bits & WORD.opener) drops = apart || !VERB_SECOND.has(lexicon.language) || !(after & WORD.verb);
    else
      drops = (bits & WORD.answer) > 0 && (apart || (after & (WORD.subject | WORD.opener | WORD.answer)) > 0);
    if (!drops) return i;
    i = next;
  }
  return to;
}

/** Languages whose verb comes second: without the word before it ("Then comes summer") the sentence would be a question. */
const VERB_SECOND = new Set<string | undefined>(['en', 'de', 'fr']);

/** True for `so far`, and for `so that` unless the second word is the subject ("so that was it"). */
function isFixed(table: TokenTable, i: number, to: number): boolean {
  const { lexicon, form } = table;
  const length = lexicon.phraseAt('fixed', form, i, to);
  if (length === 0) return false;
  const after = nextWord(table, i + length, to);
  const pointing = lexicon.bits[form[i + length - 1]!]! & WORD.anaphor;
  return !(pointing && after < to && lexicon.bits[form[after]!]! & WORD.verb);
}

/** Words of a greeting at most. */
const LONGEST_GREETING = 5;

/** Number of tokens of the greeting up to a comma that starts at a token (`Hello everyone,`, `Good morning,`); 0 when none does. */
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
    if (!phrase && !(bits & (WORD.greeting | WORD.addressee | WORD.answer | WORD.opener)))
      return unpunctuated && greets ? i - from : 0;
    greets ||= phrase > 0 || (bits & WORD.greeting) > 0;
    if (phrase) i += phrase - 1;
    if (mark[i]! & TOKEN.comma) return greets ? i + 1 - from : 0;
  }
  return 0;
}

/** Number of tokens of the address that starts at a token (`Madam Chair,`); 0 when none does. */
function addressLength(table: TokenTable, i: number, to: number): number {
  if (!(table.lexicon.bits[table.form[i]!]! & WORD.title)) return 0;
  for (let k = i + 1; k < Math.min(to - 1, i + 5); k++) {
    if (!(table.mark[k]! & TOKEN.capital)) return 0;
    if (table.mark[k]! & TOKEN.comma) return k + 1 - i;
  }
  return 0;
}

/** True when the word before belongs to a token as a verb to its complement ("it is okay"). */
function followsVerb(table: TokenTable, i: number, from: number): boolean {
  let k = i - 1;
  while (k > from && !isKept(table, k)) k--;
  return (table.lexicon.bits[table.form[k]!]! & WORD.verb) > 0;
}

/**
 * Where a spoken sentence ends once the conjunctions are left out that the speaker left hanging (`…, and so`).
 *
 * @returns the token after the last to keep
 */
export function trimEnd(table: TokenTable, from: number, to: number): number {
  const { lexicon, form, mark } = table;
  for (let i = to - 1; i >= from; i--) {
    if (!isKept(table, i) || (!form[i] && !(mark[i]! & TOKEN.stop))) continue;
    const bits = lexicon.bits[form[i]!]!;
    const closes = (mark[i]! & TOKEN.stop) > 0;
    const hangs = bits & (WORD.coordinator | WORD.hanging) || (bits & WORD.loose && bits & WORD.opener);
    if (bits & WORD.tag && !closes && i > from && !followsVerb(table, i, from)) continue;
    if (!hangs || (closes && !(bits & WORD.coordinator))) return i + 1;
  }
  return from;
}

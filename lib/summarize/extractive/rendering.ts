import { isKept } from './cleaning.js';
import { WORD } from './lexicon.js';
import { TOKEN, type TokenTable } from './token-table.js';
import { UNIT, type Units } from './units.js';

/** Writes a unit as a sentence: capital letter, full stop, and in captions the capitals that the language always has. */
export function renderUnit(
  table: TokenTable,
  units: Units,
  u: number,
  names?: ReadonlyMap<string, string>,
): string {
  const parts: string[] = [];
  let deletedComma = false;
  let deleted = false;
  for (let i = units.from[u]!; i < units.to[u]!; i++) {
    if (!isKept(table, i)) {
      deleted = true;
      deletedComma ||= (table.mark[i]! & TOKEN.comma) > 0;
      continue;
    }
    // "is, um, original": the commas around what was deleted go with it.
    if (deleted && deletedComma && parts.length > 0)
      parts[parts.length - 1] = parts[parts.length - 1]!.replace(/,$/, '');
    deleted = false;
    deletedComma = false;
    parts.push(wordOf(table, units, i, names));
  }
  return finish(parts.join(' '), (units.flags[u]! & UNIT.question) > 0);
}

function wordOf(table: TokenTable, units: Units, i: number, names?: ReadonlyMap<string, string>): string {
  const text = table.source.slice(table.start[i], table.end[i]);
  if (!units.unpunctuated || table.mark[i]! & TOKEN.capital) return text;
  const form = table.form[i]!;
  const { lexicon } = table;
  // "US" in the description says nothing of an "us": function words are no names.
  const named = lexicon.bits[form]! & WORD.stop ? undefined : names?.get(lexicon.forms[form]!);
  const proper = lexicon.capitalised(form) ?? named;
  if (proper === undefined) return text;
  const plain = text.toLowerCase().replaceAll('’', "'");
  return plain === proper.toLowerCase() ? proper : text;
}

/** Writes one token without the punctuation around it, as titles show it. */
export function renderToken(table: TokenTable, i: number, names?: ReadonlyMap<string, string>): string {
  const form = table.form[i]!;
  const proper = table.lexicon.capitalised(form) ?? names?.get(table.lexicon.forms[form]!);
  if (proper !== undefined) return proper;
  const characters = [...table.source.slice(table.start[i], table.end[i])];
  let [from, to] = [0, characters.length];
  while (from < to && !LETTER.test(characters[from]!)) from++;
  while (to > from && !LETTER.test(characters[to - 1]!)) to--;
  return characters.slice(from, to).join('');
}

const LETTER = /[\p{L}\p{N}]/u;
/** What no sentence starts with. */
const BEFORE = new Set(' \t,;:.!?…)]}>–—-');
/** What no sentence ends with, before its full stop. */
const AFTER = new Set(' \t,;:([{–—-');
const CLOSERS = new Set('"\'»”’)]');
const STOPS = new Set('.!?…。！？');

/**
 * Starts a sentence with a capital letter and closes it with a full stop, unless it has its own end. Loops and not
 * expressions: those that look for the end of a run are quadratic in it.
 */
function finish(text: string, question: boolean): string {
  const s = dropLoneQuotes(text);
  let [from, to] = [0, s.length];
  while (from < to && BEFORE.has(s[from]!)) from++;
  while (to > from && AFTER.has(s[to - 1]!)) to--;
  let end = to;
  while (end > from && CLOSERS.has(s[end - 1]!)) end--;
  const closed = end > from && STOPS.has(s[end - 1]!);
  return capitalise(s.slice(from, to)) + (closed ? '' : question ? '?' : '.');
}

/** The first letter in upper case, where the language has such. */
export function capitalise(text: string): string {
  const first = text.search(LETTER);
  if (first < 0) return text;
  const letter = String.fromCodePoint(text.codePointAt(first) ?? 0);
  const upper = letter.toUpperCase();
  return upper.length === letter.length
    ? text.slice(0, first) + upper + text.slice(first + letter.length)
    : text;
}

/** Pairs of marks; one without its partner says nothing. */
const PAIRS = [
  ['"', '"'],
  ['“', '”'],
  ['«', '»'],
  ['(', ')'],
] as const;

function dropLoneQuotes(text: string): string {
  let s = text;
  for (const [open, close] of PAIRS) {
    // „…“ is German: its closing mark opens elsewhere.
    if (open === '“' && s.includes('„')) continue;
    const opened = s.split(open).length - 1;
    const closed = s.split(close).length - 1;
    if (open === close ? opened % 2 === 1 : opened !== closed)
      s = s.replaceAll(open, '').replaceAll(close, '').replace(/ {2,}/g, ' ');
  }
  return s;
}

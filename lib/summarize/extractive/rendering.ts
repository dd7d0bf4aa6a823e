import { isKept } from './cleaning.js';
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
  const proper = table.lexicon.capitalised(form) ?? names?.get(table.lexicon.forms[form]!);
  if (proper === undefined) return text;
  const plain = text.toLowerCase().replaceAll('’', "'");
  return plain === proper.toLowerCase() ? proper : text;
}

/** Starts a sentence with a capital letter and closes it with a full stop, unless it has its own end. */
function finish(text: string, question: boolean): string {
  let s = dropLoneQuotes(text).replace(/^[\s,;:.!?…)\]>–—-]+/u, '');
  s = s.replace(/(?:[\s,;:([{–—]|(?<!\p{L})-|-$)+$/u, '');
  const first = s.search(/[\p{L}\p{N}]/u);
  if (first >= 0) {
    const letter = String.fromCodePoint(s.codePointAt(first) ?? 0);
    const upper = letter.toUpperCase();
    if (upper.length === letter.length) s = s.slice(0, first) + upper + s.slice(first + letter.length);
  }
  if (/[.!?…。！？]["'»”’)\]]*$/u.test(s)) return s;
  return s + (question ? '?' : '.');
}

/** A quotation mark without its partner says nothing. */
function dropLoneQuotes(text: string): string {
  let s = text;
  for (const [open, close] of [
    ['"', '"'],
    ['“', '”'],
    ['«', '»'],
    ['„', '“'],
    ['(', ')'],
  ] as const) {
    const a = s.split(open).length - 1;
    const b = open === close ? a % 2 : s.split(close).length - 1;
    if (open === close ? b === 1 : a !== b) {
      if (open === '„' || (open === '“' && s.includes('„'))) continue;
      s = s.replaceAll(open, '').replaceAll(close, '');
    }
  }
  return s;
}

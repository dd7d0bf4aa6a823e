import { WORD } from './lexicon.js';
import { TOKEN, type TokenTable } from './token-table.js';

/** What the places of a form tell of it, by form id. Without a tagger, that is how nouns are found. */
export interface Nouns {
  /** How often it stands right behind an article or the like: what does is a noun or an adjective. */
  determined: Uint16Array;
  /** How often it stands right behind a number: what does is a unit. */
  counted: Uint16Array;
  /** How often no word with content follows: what does not end a phrase is an adjective. */
  final: Uint16Array;
}

/** Counts the places of each form in the whole text. */
export function countNouns({ lexicon, form, count, mark }: TokenTable): Nouns {
  const size = lexicon.forms.length;
  const nouns = {
    determined: new Uint16Array(size),
    counted: new Uint16Array(size),
    final: new Uint16Array(size),
  };
  const determiners = lexicon.classIndex('determiners');
  const quantifiers = lexicon.classIndex('quantifiers');
  for (let i = 1; i < count; i++) {
    const before = form[i - 1]!;
    const f = form[i]!;
    const ends = (mark[i - 1]! & (TOKEN.stop | TOKEN.comma)) > 0;
    if (ends || lexicon.stems[f]! < 0) nouns.final[before]!++;
    if (ends) continue;
    // German writes its nouns with a capital letter.
    const isGermanNoun = lexicon.language === 'de' && (mark[i]! & TOKEN.capital) > 0;
    if (lexicon.classes[before] === determiners || isGermanNoun) nouns.determined[f]!++;
    if (lexicon.classes[before] === quantifiers || lexicon.bits[before]! & WORD.number) nouns.counted[f]!++;
  }
  return nouns;
}

/** Least share of a noun's places behind a determiner, most behind a number, and least at the end of a phrase. */
const SHARES = { determined: 0.2, counted: 0.3, final: 0.4 };

/** Whether a token is likely a noun, or an adjective before one. */
export function isNoun(table: TokenTable, nouns: Nouns, i: number): boolean {
  const { lexicon, form, mark, start, end } = table;
  const f = form[i]!;
  if (mark[i]! & (TOKEN.dropped | TOKEN.mute) || lexicon.stems[f]! < 0 || lexicon.bits[f]! & WORD.verb)
    return false;
  if (end[i]! - start[i]! < 3) return false;
  return nouns.determined[f]! >= Math.max(1, lexicon.counts[f]! * SHARES.determined);
}

/** Whether a noun may end a phrase that names something: it is not a unit and no adjective. */
export function endsPhrase({ lexicon, form }: TokenTable, nouns: Nouns, i: number): boolean {
  const f = form[i]!;
  const n = lexicon.counts[f]!;
  return nouns.counted[f]! <= n * SHARES.counted && nouns.final[f]! >= n * SHARES.final;
}

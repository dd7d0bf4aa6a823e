import { cleanSpoken, isKept } from './cleaning.js';
import { WORD } from './lexicon.js';
import { type Sentences } from './sentences.js';
import { TOKEN, type TokenTable } from './token-table.js';

/** What is known of a unit, as bits. */
export const UNIT = {
  question: 1 << 0,
  /** Points back to something said before. */
  anaphoric: 1 << 1,
  /** Opens with a conjunction or a relative pronoun: half a sentence. */
  dependent: 1 << 2,
  /** No finite verb was found. */
  verbless: 1 << 3,
  /** Ends on a word that cannot end a sentence. */
  loose: 1 << 4,
  /** Its end carries no full stop. */
  unfinished: 1 << 5,
  cue: 1 << 6,
  /** Courtesy, housekeeping or advertising. */
  courtesy: 1 << 7,
} as const;

/** The candidates for a summary, as columns, in order of the text. A unit is a cleaned sentence or a clause of one. */
export interface Units {
  count: number;
  /** First token and token after the last. */
  from: Uint32Array;
  to: Uint32Array;
  /** Kept words, as white space counts them. */
  words: Uint16Array;
  /** Kept words with content. */
  content: Uint16Array;
  /** Share of the words that are private talk, 0..1. */
  casual: Float32Array;
  /** How sure it is that the unit is a whole sentence, 0..1. */
  wholeness: Float32Array;
  /** `UNIT` bits. */
  flags: Uint8Array;
  /** True when the words are speech and not writing. */
  spoken: boolean;
  /** True when sentence ends were found by the border model. */
  unpunctuated: boolean;
}

/** Share of private talk from which a text counts as speech. */
const SPOKEN = 0.035;
/** A spoken sentence longer than this many words is cut at its clauses. */
const LONG_SENTENCE = 26;
/** Fewest words of a clause that is cut off. */
const SHORT_CLAUSE = 8;

/** Cleans the sentences and describes them. Marks deleted tokens in the table. */
export async function findUnits(
  table: TokenTable,
  sentences: Sentences,
  pause: () => Promise<void> | undefined,
): Promise<Units> {
  const spoken = isSpoken(table);
  const size = sentences.count * 2 + 8;
  const units: Units = {
    count: 0,
    from: new Uint32Array(size),
    to: new Uint32Array(size),
    words: new Uint16Array(size),
    content: new Uint16Array(size),
    casual: new Float32Array(size),
    wholeness: new Float32Array(size),
    flags: new Uint8Array(size),
    spoken,
    unpunctuated: sentences.unpunctuated,
  };
  for (let s = 0; s < sentences.count; s++) {
    const from = sentences.from[s]!;
    const to = sentences.to[s]!;
    const before = units.count;
    if (spoken) {
      cleanSpoken(table, from, to);
      const cut = to - from > LONG_SENTENCE ? clauseBorder(table, from, to) : to;
      if (cut < to) {
        addUnit(table, units, from, cut);
        cleanSpoken(table, cut, to);
      }
      addUnit(table, units, cut < to ? cut : from, to);
    } else addUnit(table, units, from, to);
    units.wholeness.fill(sentences.wholeness[s]!, before, units.count);
    if ((s & 127) === 0) await pause();
  }
  return units;
}

function isSpoken(table: TokenTable): boolean {
  let casual = 0;
  let words = 0;
  for (let i = 0; i < table.count; i++) {
    if (!table.form[i]) continue;
    words++;
    if (table.lexicon.bits[table.form[i]!]! & (WORD.casual | WORD.hesitation)) casual++;
  }
  return casual >= words * SPOKEN;
}

/** The place nearest the middle where a new main clause starts after a comma; `to` when there is none. */
function clauseBorder(table: TokenTable, from: number, to: number): number {
  const { lexicon, form, mark } = table;
  let best = to;
  const middle = (from + to) / 2;
  for (let i = from + SHORT_CLAUSE; i < to - SHORT_CLAUSE; i++) {
    if (!(mark[i - 1]! & TOKEN.comma) || !isKept(table, i)) continue;
    const bits = lexicon.bits[form[i]!]!;
    const next = lexicon.bits[form[i + 1]!]!;
    const opens = (bits & WORD.coordinator && next & WORD.subject) || bits & WORD.subject;
    if (opens && Math.abs(i - middle) < Math.abs(best - middle)) best = i;
  }
  return best;
}

function addUnit(table: TokenTable, units: Units, from: number, to: number): void {
  const { lexicon, form, mark } = table;
  let first = -1;
  let last = -1;
  let words = 0;
  let content = 0;
  let casual = 0;
  let verb = false;
  let cue = false;
  let courtesies = 0;
  for (let i = from; i < to; i++) {
    if (!isKept(table, i)) continue;
    words++;
    if (!form[i]) continue;
    if (first < 0) first = i;
    last = i;
    const bits = lexicon.bits[form[i]!]!;
    if (bits & WORD.casual) casual++;
    if (bits & WORD.verb) verb = true;
    if (bits & WORD.cue) cue = true;
    if (bits & WORD.courtesy) courtesies++;
    if (lexicon.stems[form[i]!]! >= 0) content++;
  }
  if (first < 0) return;
  const k = units.count++;
  units.from[k] = first;
  // Closing signs that stand alone belong to the sentence.
  units.to[k] = to;
  units.words[k] = Math.min(words, 65535);
  units.content[k] = Math.min(content, 65535);
  units.casual[k] = casual / words;
  const next = (n: number): number => wordAfter(table, first, n, to);
  const head = lexicon.bits[form[first]!]!;
  const tail = lexicon.bits[form[last]!]!;
  let flags = 0;
  if (mark[last]! & TOKEN.question || lexicon.opensQuestion(form[first]!, next)) flags |= UNIT.question;
  if (head & WORD.anaphor && !lexicon.standsAlone(form[first]!, next)) flags |= UNIT.anaphoric;
  if (head & (WORD.dependent | WORD.coordinator)) flags |= UNIT.dependent;
  if (head & WORD.interrogative) flags |= UNIT.dependent;
  if (!verb) flags |= UNIT.verbless;
  if (tail & WORD.loose) flags |= UNIT.loose;
  if (!(mark[last]! & TOKEN.stop)) flags |= UNIT.unfinished;
  if (cue) flags |= UNIT.cue;
  if (courtesies > 0) flags |= UNIT.courtesy;
  units.flags[k] = flags;
}

/** Form of the n-th kept word after a token, 0 beyond the end. */
function wordAfter(table: TokenTable, from: number, n: number, to: number): number {
  let left = n;
  for (let i = from + 1; i < to; i++) {
    if (!isKept(table, i) || !table.form[i]) continue;
    if (--left === 0) return table.form[i]!;
  }
  return 0;
}

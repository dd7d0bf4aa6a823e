import { cleanSpoken, isKept, trimEnd, trimStart } from './cleaning.js';
import { BORDER_CLASSES, WORD } from './lexicon.js';
import { type Sentences } from './sentences.js';
import { type Pause, TOKEN, type TokenTable } from './token-table.js';

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
  /** Another cut of words that other units have: may be chosen in their place, and is not counted. */
  alternative: 1 << 8,
} as const;

/**
 * The candidates for a summary, as columns, in order of the text. A unit is a cleaned sentence or a clause of one. Units
 * overlap where a sentence may be cut in more than one way; those that are not `alternative` follow each other.
 */
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
  flags: Uint16Array;
  /** True when the words are speech and not writing. */
  spoken: boolean;
  /** True when sentence ends were found by the border model. */
  unpunctuated: boolean;
}

/** Share of private talk from which a text counts as speech. */
const SPOKEN = 0.035;
/** A spoken sentence longer than this many words is cut at its clauses. */
const LONG_SENTENCE = 26;
/** How whole a clause is that was cut off at its comma, 0..1. */
const CLAUSE = 0.9;
/** Fewest words of a clause that is cut off. */
const SHORT_CLAUSE = 8;

/** Cleans the sentences and describes them. Marks deleted tokens in the table. */
export async function findUnits(table: TokenTable, sentences: Sentences, pause: Pause): Promise<Units> {
  const spoken = isSpoken(table);
  const size = sentences.count * 3 + 8;
  const units: Units = {
    count: 0,
    from: new Uint32Array(size),
    to: new Uint32Array(size),
    words: new Uint16Array(size),
    content: new Uint16Array(size),
    casual: new Float32Array(size),
    wholeness: new Float32Array(size),
    flags: new Uint16Array(size),
    spoken,
    unpunctuated: sentences.unpunctuated,
  };
  for (let s = 0; s < sentences.count; s++) {
    const from = sentences.from[s]!;
    const to = sentences.to[s]!;
    if (spoken) cleanSpoken(table, from, to, sentences.unpunctuated);
    if ((s & 127) === 0) await pause();
  }
  for (let s = 0; s < sentences.count; s++) {
    const from = sentences.from[s]!;
    const to = sentences.to[s]!;
    addUnit(table, units, from, to, wholenessOf(sentences, from, to), 0);
    if (sentences.unpunctuated) addJoin(table, units, sentences, s);
    else if (spoken && to - from > LONG_SENTENCE) {
      const cut = clauseBorder(table, from, to);
      if (cut < to) {
        addUnit(table, units, from, cut, CLAUSE, UNIT.alternative);
        addUnit(table, units, cut, to, CLAUSE, UNIT.alternative);
      }
    }
    if ((s & 127) === 0) await pause();
  }
  if (units.count === 0) await keepEverything(table, units, sentences, pause);
  return units;
}

/** Where cleaning leaves nothing ("Yeah. Okay."), what was said stands as it is. */
async function keepEverything(
  table: TokenTable,
  units: Units,
  sentences: Sentences,
  pause: Pause,
): Promise<void> {
  units.spoken = false;
  for (let s = 0; s < sentences.count; s++) {
    for (let i = sentences.from[s]!; i < sentences.to[s]!; i++)
      table.mark[i] = table.mark[i]! & ~TOKEN.dropped;
    addUnit(table, units, sentences.from[s]!, sentences.to[s]!, 1, 0);
    if ((s & 127) === 0) await pause();
  }
}

/** A border less likely than this may be none. */
const UNSURE = 0.7;
/** Longest unit that is made of two guessed sentences, in tokens. */
const LONGEST_JOIN = 36;

/** Two guessed sentences may be one. */
function addJoin(table: TokenTable, units: Units, sentences: Sentences, s: number): void {
  const { border } = sentences;
  const from = sentences.from[s]!;
  const to = sentences.to[s]!;
  const next = s + 1 < sentences.count ? sentences.to[s + 1]! : 0;
  if (next > to && border[to]! < UNSURE && next - from <= LONGEST_JOIN)
    addUnit(table, units, from, next, wholenessOf(sentences, from, next), UNIT.alternative);
}

/**
 * What a border inside a unit weighs against a missing one at its ends. In a text without punctuation two sentences run
 * together waste words; in an overlong sentence of a punctuated one they disturb less than half a sentence.
 */
const RUN_ON = { guessed: 2, punctuated: 0.5 };

/** How likely a span is exactly one sentence, 0..1. */
function wholenessOf({ border, unpunctuated }: Sentences, from: number, to: number): number {
  let p = 1;
  for (let i = from + 1; i < to; i++) p *= 1 - border[i]!;
  return border[from]! * border[to]! * p ** (unpunctuated ? RUN_ON.guessed : RUN_ON.punctuated);
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

function addUnit(
  table: TokenTable,
  units: Units,
  begin: number,
  end: number,
  certainty: number,
  kind: number,
): void {
  const { lexicon, form, mark } = table;
  const from = units.spoken ? trimStart(table, begin, end) : begin;
  const to = units.spoken || units.unpunctuated ? trimEnd(table, from, end) : end;
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
  units.wholeness[k] = certainty;
  const opening = firstForms(table, first, to);
  const head = lexicon.bits[form[first]!]!;
  const tail = lexicon.bits[form[last]!]!;
  let flags = kind;
  const whole = kind & UNIT.alternative ? Math.max(last, endOfSentence(table, end)) : last;
  if (mark[whole]! & TOKEN.question || lexicon.opensQuestion(opening)) flags |= UNIT.question;
  if (head & WORD.anaphor && !lexicon.standsAlone(opening)) flags |= UNIT.anaphoric;
  if (lexicon.dangles(opening)) flags |= UNIT.anaphoric;
  if (head & (WORD.dependent | WORD.coordinator)) flags |= UNIT.dependent;
  if (head & WORD.interrogative || isHeadless(table, first)) flags |= UNIT.dependent;
  if (!verb) flags |= UNIT.verbless;
  if (tail & WORD.loose || hangsBefore(table, to, end)) flags |= UNIT.loose;
  if (!(mark[last]! & TOKEN.stop)) flags |= UNIT.unfinished;
  if (cue) flags |= UNIT.cue;
  if (courtesies > 0) flags |= UNIT.courtesy;
  units.flags[k] = flags;
}

/** Languages whose statements need a word before the verb. */
const VERB_SECOND = new Set<string | undefined>(['en', 'de', 'fr']);
const VERB_CLASS = BORDER_CLASSES.indexOf('verbs');

/** True when a statement begins with its verb: the subject is missing, or it is a question. */
function isHeadless({ lexicon, form }: TokenTable, first: number): boolean {
  return VERB_SECOND.has(lexicon.language) && lexicon.classes[form[first]!] === VERB_CLASS;
}

/** True when an article or the like was trimmed from the end: what it belonged to is in the next unit. */
function hangsBefore(table: TokenTable, to: number, end: number): boolean {
  for (let i = to; i < end; i++) {
    const bits = isKept(table, i) ? table.lexicon.bits[table.form[i]!]! : 0;
    if (bits & WORD.hanging && !(bits & WORD.coordinator)) return true;
  }
  return false;
}

/** Last token of the sentence that goes on at a token, as far as one looks. */
function endOfSentence(table: TokenTable, from: number): number {
  let i = from - 1;
  while (i + 1 < Math.min(table.count, from + LONGEST_JOIN) && !(table.mark[i]! & TOKEN.stop)) i++;
  return i;
}

/** Words of an opening that tell what it is. */
const OPENING = 5;

/** Forms of the first kept words of a span, five at most. */
export function firstForms(table: TokenTable, from: number, to: number): number[] {
  const forms: number[] = [];
  for (let i = from; i < to && forms.length < OPENING; i++)
    if (isKept(table, i) && table.form[i]) forms.push(table.form[i]!);
  return forms;
}

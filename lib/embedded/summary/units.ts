import { countWords } from '../../text/count-words.js';
import { cleanSpoken, isKept, trimEnd, trimStart } from './cleaning.js';
import { borderClass, OPEN_CLASS, WORD } from './lexicon.js';
import { type Sentences } from './sentences.js';
import { type Pause, speakerOf, TOKEN, type TokenTable } from './token-table.js';

/** What is known of a unit, as bits. */
export const UNIT = {
  question: 1 << 0,
  /** Points back to something said before: needs the unit before. */
  anaphoric: 1 << 1,
  /** Opens with a conjunction or a relative pronoun: half a sentence. */
  dependent: 1 << 2,
  /** No finite verb was found. */
  verbless: 1 << 3,
  /** Has a word with which speakers announce what matters. */
  cue: 1 << 4,
  /** About the video and not about its subject: greetings, sponsors, links. */
  housekeeping: 1 << 5,
  /** Says what the text is about. */
  announcement: 1 << 6,
  /** Draws a conclusion. */
  conclusion: 1 << 7,
  /** In captions: ends inside a clause, so it is not shown. */
  unsure: 1 << 8,
} as const;

/** The candidates for a summary, as columns, in order of the text: cleaned sentences, or guesses at them in captions without punctuation. */
export interface Units {
  count: number;
  /** First token and token after the last. */
  from: Uint32Array;
  to: Uint32Array;
  /** First token when the unit follows the one before it: its opener ("But", "So") where it has one. */
  begin: Uint32Array;
  /** Kept words, the opener included. */
  words: Uint16Array;
  /** Ids of the stems of all units, one unit after the other, and the first of each unit; see `stemsOf`. */
  stems: Uint32Array;
  stemsFrom: Uint32Array;
  /**
   * How much it is written in the style of a statement, -1..1: the share of articles and prepositions less the share of words of private
   * talk (after Heylighen and Dewaele, Formality of Language, 1999).
   */
  formality: Float32Array;
  /** How likely a clause begins with it, a clause ends with it, and no clause ends inside it (a square root), 0..1; 1 with punctuation. */
  begins: Float32Array;
  ends: Float32Array;
  single: Float32Array;
  /** `UNIT` bits. */
  flags: Uint16Array;
  /** True when the words are speech and not writing. */
  spoken: boolean;
  /** True when the words are a talk to somebody, spoken freely or from a script, and not an article. */
  talk: boolean;
  /** True when the ends of clauses were found by the border model. */
  unpunctuated: boolean;
}

/** The stems of a unit's words with content, in order. */
export const stemsOf = ({ stems, stemsFrom }: Units, u: number): Uint32Array =>
  stems.subarray(stemsFrom[u], stemsFrom[u + 1]);

/** Number of a unit's words with content. */
export const contentOf = ({ stemsFrom }: Units, u: number): number => stemsFrom[u + 1]! - stemsFrom[u]!;

/** Cleans the sentences and describes them. Marks deleted tokens in the table. */
export async function findUnits(table: TokenTable, sentences: Sentences, pause: Pause): Promise<Units> {
  const { spoken } = sentences;
  const size = sentences.count + 1;
  const units: Units = {
    count: 0,
    from: new Uint32Array(size),
    to: new Uint32Array(size),
    begin: new Uint32Array(size),
    words: new Uint16Array(size),
    stems: new Uint32Array(table.count),
    stemsFrom: new Uint32Array(size + 1),
    formality: new Float32Array(size),
    begins: new Float32Array(size).fill(1),
    ends: new Float32Array(size).fill(1),
    single: new Float32Array(size).fill(1),
    flags: new Uint16Array(size),
    spoken,
    talk: spoken,
    unpunctuated: sentences.unpunctuated,
  };
  if (spoken)
    for (let s = 0; s < sentences.count; s++) {
      cleanSpoken(table, sentences.from[s]!, sentences.to[s]!, sentences.unpunctuated);
      if ((s & 127) === 0) await pause();
    }
  for (let s = 0; s < sentences.count; s++) {
    const from = sentences.from[s]!;
    const to = sentences.to[s]!;
    addUnit(table, units, from, to, sentences.border);
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
    addUnit(table, units, sentences.from[s]!, sentences.to[s]!);
    if ((s & 127) === 0) await pause();
  }
}

/** Share of a text in which a talk greets its audience or says what it is about. */
const WELCOME = 0.12;

/** True when the opening greets an audience or says what the talk is about. Read after housekeeping is marked. */
export function addressesSomebody({ flags, count }: Units): boolean {
  for (let u = 0; u < count * WELCOME; u++)
    if (flags[u]! & (UNIT.housekeeping | UNIT.announcement)) return true;
  return false;
}

function addUnit(table: TokenTable, units: Units, begin: number, end: number, border?: Float32Array): void {
  const { lexicon, form, mark } = table;
  const from = units.spoken ? trimStart(table, begin, end) : begin;
  const to = units.spoken || units.unpunctuated ? trimEnd(table, from, end) : end;
  let [first, last, words, formal, bitsOfAll] = [-1, -1, 0, 0, 0];
  let stems = units.stemsFrom[units.count]!;
  let [comma, isComplete] = [false, true];
  let flags = 0;
  for (let i = from; i < to; i++) {
    if (!isKept(table, i)) continue;
    words++;
    if (!form[i]) continue;
    if (first < 0) first = i;
    last = i;
    const bits = lexicon.bits[form[i]!]!;
    bitsOfAll |= bits;
    if (bits & WORD.casual) formal--;
    if ((bits & (WORD.loose | WORD.coordinator | WORD.dependent)) === WORD.loose) formal++;
    if (lexicon.stems[form[i]!]! >= 0) units.stems[stems++] = lexicon.stems[form[i]!]!;
    if (mark[i]! & TOKEN.comma) comma = true;
    if (bits & (WORD.dependent | WORD.verb)) isComplete = !(bits & WORD.dependent);
    if (bits & WORD.phrase) {
      if (lexicon.phraseAt('announcements', form, i, to)) flags |= UNIT.announcement;
      if (lexicon.phraseAt('conclusions', form, i, to)) flags |= UNIT.conclusion;
    }
  }
  if (first < 0) return;
  const k = units.count++;
  units.from[k] = first;
  units.to[k] = to;
  units.begin[k] = openerBefore(table, begin, first);
  const label = speakerOf(table, first);
  if (units.begin[k] !== first) words++;
  units.words[k] = Math.min(words + (label ? countWords(label) : 0), 65535);
  units.stemsFrom[k + 1] = stems;
  units.formality[k] = formal / words;
  if (asks(table, first, last, to)) flags |= UNIT.question;
  if (pointsBack(table, first, to, units.unpunctuated)) flags |= UNIT.anaphoric;
  if (isHalf(table, units, first, comma)) flags |= UNIT.dependent;
  if (lexicon.language && !(bitsOfAll & WORD.verb)) flags |= UNIT.verbless;
  if (bitsOfAll & WORD.cue) flags |= UNIT.cue;
  if (border) {
    let single = 1;
    for (let i = begin + 1; i < end; i++) single *= 1 - border[i]!;
    units.begins[k] = border[begin]!;
    units.ends[k] = border[end]!;
    units.single[k] = Math.sqrt(single);
    if (!isComplete) flags |= UNIT.unsure;
  }
  units.flags[k] = flags;
}

/**
 * Whether a sentence asks something: by its mark, by its first words, or by a question word before the inverted verb that a statement does
 * not have ("The steam, why do we want steam.").
 */
function asks({ lexicon, form, mark }: TokenTable, first: number, last: number, to: number): boolean {
  // French sets a space before the mark: it is a token of its own.
  for (let i = last; i < to; i++) if (mark[i]! & TOKEN.question) return true;
  if (lexicon.phraseAt('questions', form, first, to)) return true;
  for (let i = first + 1; i < to; i++) {
    const isAsked = lexicon.bits[form[i - 1]!]! & WORD.interrogative && lexicon.bits[form[i]!]! & WORD.phrase;
    if (isAsked && lexicon.phraseAt('questions', form, i, to)) return true;
  }
  return false;
}

/**
 * Whether the meaning of a word in the first clause is in the sentence before: a demonstrative with its noun or at the end ("that gift",
 * "measures this"), a pronoun with no noun before it ("One of them"), in some languages an article before a verb ("Das ist …").
 */
function pointsBack(table: TokenTable, first: number, to: number, unpunctuated: boolean): boolean {
  const { lexicon, form, mark } = table;
  const inCapitals = lexicon.language === 'de' && !unpunctuated;
  let before = -1;
  let hasNoun = false;
  for (let i = first; i < to; before = i, i = nextKept(table, i, to)) {
    const alone = lexicon.phraseAt('standAlone', form, i, to);
    if (alone > 0) {
      i += alone - 1;
      continue;
    }
    const bits = lexicon.bits[form[i]!]!;
    const next = nextKept(table, i, to);
    const ends = next === to || (mark[i]! & TOKEN.comma) > 0;
    const isArticle = lexicon.classes[form[i]!] === DETERMINER;
    if (i === first && isArticle && lexicon.language !== 'en' && !ends && isVerb(table, next)) return true;
    if (bits & WORD.anaphor && lexicon.forms[form[i]!] !== 'das') {
      const points = bits & WORD.demonstrative && (ends || lexicon.classes[form[next]!]! === OPEN_CLASS);
      if (!hasNoun || (points && !isConjunction(table, before, i))) return true;
    }
    if (ends) return false;
    hasNoun ||=
      lexicon.stems[form[i]!]! >= 0 && !(bits & WORD.verb) && (!inCapitals || (mark[i]! & TOKEN.capital) > 0);
  }
  return false;
}

/** A verb of the lists, or in German a word with a verb's ending that is no noun. */
const isVerb = ({ lexicon, form, mark }: TokenTable, i: number): boolean =>
  lexicon.classes[form[i]!] === VERB_CLASS ||
  (lexicon.language === 'de' && !(mark[i]! & TOKEN.capital) && lexicon.forms[form[i]!]!.endsWith('t'));

/** "I think that bread …": behind a verb, "that" is a conjunction. */
const isConjunction = ({ lexicon, form }: TokenTable, before: number, i: number): boolean =>
  lexicon.forms[form[i]!] === 'that' && before >= 0 && (lexicon.bits[form[before]!]! & WORD.verb) > 0;

/** Languages whose statements need a word before the verb. */
const VERB_SECOND = new Set<string | undefined>(['en', 'de', 'fr']);
const VERB_CLASS = borderClass('verbs');
const DETERMINER = borderClass('determiners');

function nextKept(table: TokenTable, i: number, to: number): number {
  let k = i + 1;
  while (k < to && (!isKept(table, k) || !table.form[k])) k++;
  return k;
}

/** Whether a sentence is only a part of one: "Because it was late.", "And the door."; in captions also one without its subject. */
function isHalf({ lexicon, form }: TokenTable, units: Units, first: number, comma: boolean): boolean {
  const head = lexicon.bits[form[first]!]!;
  if (head & WORD.coordinator) return true;
  if (head & WORD.dependent) return units.unpunctuated || !comma;
  if (!units.unpunctuated) return false;
  return (
    (head & WORD.interrogative) > 0 ||
    (VERB_SECOND.has(lexicon.language) && lexicon.classes[form[first]!] === VERB_CLASS)
  );
}

/** The word before a token where it is an opener that was left out ("But", "So"); else the token itself. */
function openerBefore({ lexicon, form, mark }: TokenTable, from: number, first: number): number {
  const before = first - 1;
  if (before < from || mark[before]! & TOKEN.mute) return first;
  return lexicon.bits[form[before]!]! & (WORD.opener | WORD.coordinator) ? before : first;
}

import { countWords } from '../../core/text/count-words.js';
import { cleanSpoken, isKept, trimEnd, trimStart } from './cleaning.js';
import { markHousekeeping } from './housekeeping.js';
import { BORDER_CLASSES, WORD } from './lexicon.js';
import { countNouns, isNoun, type Nouns } from './nouns.js';
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
  /** Ends on a word that cannot end a sentence. */
  loose: 1 << 4,
  /** Its end carries no full stop. */
  unfinished: 1 << 5,
  cue: 1 << 6,
  /** About the video and not about its subject: greetings, sponsors, links. */
  housekeeping: 1 << 7,
  /** Another cut of words that other units have: may be chosen in their place, and is not counted. */
  alternative: 1 << 8,
  /** Says what the text is about. */
  announcement: 1 << 9,
  /** Draws a conclusion. */
  conclusion: 1 << 10,
  /** A guessed sentence whose beginning or end is not sure. */
  cutStart: 1 << 11,
  cutEnd: 1 << 12,
} as const;

/**
 * The candidates for a summary, as columns, in order of the text. A unit is a cleaned sentence; in captions without punctuation it is a
 * guess at one, and units overlap where guesses differ: those that are not `alternative` follow each other.
 */
export interface Units {
  count: number;
  /** First token and token after the last. */
  from: Uint32Array;
  to: Uint32Array;
  /** First token when the unit follows the one before it: its opener ("But", "So") where it has one. */
  begin: Uint32Array;
  /** The unit before, or -1. */
  previous: Int32Array;
  /** Kept words, the opener included. */
  words: Uint16Array;
  /** Kept words with content. */
  content: Uint16Array;
  /** Share of the words that are private talk, 0..1. */
  casual: Float32Array;
  /** How sure it is that the unit is a whole sentence, 0..1. */
  wholeness: Float32Array;
  /** `UNIT` bits. */
  flags: Uint16Array;
  /** See `countNouns`. */
  nouns: Nouns;
  /** True when the words are speech and not writing. */
  spoken: boolean;
  /** True when the words are a talk to somebody, spoken freely or from a script, and not an article. */
  talk: boolean;
  /** True when sentence ends were found by the border model. */
  unpunctuated: boolean;
}

/** Cleans the sentences and describes them. Marks deleted tokens in the table. */
export async function findUnits(table: TokenTable, sentences: Sentences, pause: Pause): Promise<Units> {
  const { spoken } = sentences;
  const size = sentences.count * (sentences.unpunctuated ? MOST_JOINED : 1) + 1;
  const units: Units = {
    count: 0,
    from: new Uint32Array(size),
    to: new Uint32Array(size),
    begin: new Uint32Array(size),
    previous: new Int32Array(size),
    words: new Uint16Array(size),
    content: new Uint16Array(size),
    casual: new Float32Array(size),
    wholeness: new Float32Array(size),
    flags: new Uint16Array(size),
    nouns: countNouns(table),
    spoken,
    talk: spoken,
    unpunctuated: sentences.unpunctuated,
  };
  if (spoken)
    for (let s = 0; s < sentences.count; s++) {
      cleanSpoken(table, sentences.from[s]!, sentences.to[s]!, sentences.unpunctuated);
      if ((s & 127) === 0) await pause();
    }
  let previous = -1;
  for (let s = 0; s < sentences.count; s++) {
    const from = sentences.from[s]!;
    const to = sentences.to[s]!;
    const unit = units.count;
    addUnit(table, units, from, to, wholenessOf(sentences, from, to), previous, cutsOf(sentences, from, to));
    if (sentences.unpunctuated) addJoins(table, units, sentences, s, previous);
    if (units.count > unit) previous = unit;
    if ((s & 127) === 0) await pause();
  }
  if (units.count === 0) await keepEverything(table, units, sentences, pause);
  await markHousekeeping(table, units, pause);
  units.talk ||= addressesSomebody(units);
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
    addUnit(table, units, sentences.from[s]!, sentences.to[s]!, 1, units.count - 1, 0);
    if ((s & 127) === 0) await pause();
  }
}

/** A border less likely than this may be none. */
const UNSURE = 0.85;
/** Most guessed sentences that may be one, and the most tokens that they may have together. */
const MOST_JOINED = 3;
const LONGEST_JOIN = 40;

/** Guessed sentences whose borders are not sure may be one. */
function addJoins(table: TokenTable, units: Units, sentences: Sentences, s: number, previous: number): void {
  const { border } = sentences;
  const from = sentences.from[s]!;
  for (let n = 1; n < MOST_JOINED && s + n < sentences.count; n++) {
    const to = sentences.to[s + n]!;
    if (border[sentences.from[s + n]!]! >= UNSURE || to - from > LONGEST_JOIN) return;
    const kind = UNIT.alternative | cutsOf(sentences, from, to);
    addUnit(table, units, from, to, wholenessOf(sentences, from, to), previous, kind);
  }
}

/** A border less likely than this is shown as a cut. */
const CUT = 0.5;

function cutsOf({ border, brokenOff, unpunctuated }: Sentences, from: number, to: number): number {
  if (!unpunctuated) return brokenOff[to] ? UNIT.cutEnd : 0;
  return (border[from]! < CUT ? UNIT.cutStart : 0) | (border[to]! < CUT ? UNIT.cutEnd : 0);
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

/** Share of a text in which a talk greets its audience or says what it is about. */
const WELCOME = 0.12;

function addressesSomebody({ flags, count }: Units): boolean {
  for (let u = 0; u < count * WELCOME; u++)
    if (flags[u]! & (UNIT.housekeeping | UNIT.announcement)) return true;
  return false;
}

function addUnit(
  table: TokenTable,
  units: Units,
  begin: number,
  end: number,
  certainty: number,
  previous: number,
  kind: number,
): void {
  const { lexicon, form, mark } = table;
  const from = units.spoken ? trimStart(table, begin, end, units.unpunctuated) : begin;
  const to = units.spoken || units.unpunctuated ? trimEnd(table, from, end) : end;
  let [first, last, words, content, casual, bitsOfAll] = [-1, -1, 0, 0, 0, 0];
  let comma = false;
  let flags = kind;
  for (let i = from; i < to; i++) {
    if (!isKept(table, i)) continue;
    words++;
    if (!form[i]) continue;
    if (first < 0) first = i;
    last = i;
    const bits = lexicon.bits[form[i]!]!;
    bitsOfAll |= bits;
    if (bits & WORD.casual) casual++;
    if (lexicon.stems[form[i]!]! >= 0) content++;
    if (mark[i]! & TOKEN.comma) comma = true;
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
  units.previous[k] = previous;
  const label = speakerOf(table, first);
  if (units.begin[k] !== first) words++;
  units.words[k] = Math.min(words + (label ? countWords(label) : 0), 65535);
  units.content[k] = Math.min(content, 65535);
  units.casual[k] = casual / words;
  units.wholeness[k] = certainty;
  const tail = lexicon.bits[form[last]!]!;
  const asked = previous >= 0 && (units.flags[previous]! & UNIT.question) > 0;
  if (mark[last]! & TOKEN.question || lexicon.phraseAt('questions', form, first, to)) flags |= UNIT.question;
  if (pointsBack(table, units.nouns, first, to) || (asked && isAnswer(table, begin, first, bitsOfAll)))
    flags |= UNIT.anaphoric;
  if (isHalf(table, units, first, comma)) flags |= UNIT.dependent;
  if (lexicon.language && !(bitsOfAll & WORD.verb)) flags |= UNIT.verbless;
  if (tail & WORD.loose || hangsBefore(table, to, end)) flags |= UNIT.loose;
  if (!(mark[last]! & TOKEN.stop)) flags |= UNIT.unfinished;
  if (bitsOfAll & WORD.cue) flags |= UNIT.cue;
  units.flags[k] = flags;
}

/** Whether a sentence begins with a word whose meaning is in the sentence before: "It …", "After that …", "The other …". */
function pointsBack(table: TokenTable, nouns: Nouns, first: number, to: number): boolean {
  const { lexicon, form } = table;
  if (lexicon.phraseAt('dangling', form, first, to)) return true;
  if (lexicon.phraseAt('standAlone', form, first, to)) return false;
  const head = lexicon.bits[form[first]!]!;
  const next = nextKept(table, first, to);
  const second = next < to ? lexicon.bits[form[next]!]! : 0;
  // "Das ist …", "La cambió …": an article before a verb is a pronoun.
  const isVerb = next < to && lexicon.classes[form[next]!] === VERB_CLASS;
  if (lexicon.classes[form[first]!] === DETERMINER && lexicon.language !== 'en' && isVerb) return true;
  if (head & WORD.anaphor) return lexicon.forms[form[first]!] !== 'das';
  // Without a subject the verb's is the one of the sentence before; not so in the first person.
  if (DROPS_SUBJECT.has(lexicon.language) && head & WORD.verb && !(second & WORD.verb)) {
    const verb = lexicon.forms[form[first]!]!;
    const isKnown = lexicon.classes[form[first]!] === VERB_CLASS && !FIRST_PERSON.test(verb);
    return isKnown || THIRD_PERSON.test(verb);
  }
  if (head & (WORD.dependent | WORD.loose) && second & WORD.anaphor && isPronoun(table, next, true)) {
    return lexicon.phraseAt('standAlone', form, next, to) === 0;
  }
  return namesNothingBefore(table, nouns, first, to);
}

/** Words that are looked at for a pronoun. */
const LOOKED_AT = 6;

/** Whether a personal pronoun comes before any noun that it could mean: "You send it to …". */
function namesNothingBefore(table: TokenTable, nouns: Nouns, first: number, to: number): boolean {
  const { lexicon, form, mark } = table;
  let seen = 0;
  for (let i = first; i < to && seen < LOOKED_AT; i++) {
    if (!isKept(table, i) || !form[i]) continue;
    seen++;
    if (isNoun(table, nouns, i) || (i > first && mark[i]! & TOKEN.capital)) return false;
    if (!(lexicon.bits[form[i]!]! & WORD.anaphor) || !isPronoun(table, i, false)) continue;
    return lexicon.phraseAt('standAlone', form, i, to) === 0;
  }
  return false;
}

/** Whether a word is a personal pronoun; `that` and its like inside a sentence are conjunctions as often. */
function isPronoun({ lexicon, form }: TokenTable, i: number, demonstrative: boolean): boolean {
  const kind = lexicon.classes[form[i]!]!;
  if (kind === SUBJECT || kind === OBJECT) return true;
  return demonstrative && (kind === DEMONSTRATIVE || kind === CONTRACTION);
}

/** Languages that leave out subject pronouns. */
const DROPS_SUBJECT = new Set<string | undefined>(['es', 'pt', 'it']);
const FIRST_PERSON = /(?:mos|iamo|[^i]o|oy|ou)$/;
const THIRD_PERSON = /(?:ían|aban|aron|ieron|iam|avam|aram|eram|iram|[aei]vano|arono|irono)$/;
/** Languages whose statements need a word before the verb. */
const VERB_SECOND = new Set<string | undefined>(['en', 'de', 'fr']);
const [VERB_CLASS, DETERMINER, SUBJECT, DEMONSTRATIVE, CONTRACTION, OBJECT] = (
  ['verbs', 'determiners', 'subjects', 'demonstratives', 'contractions', 'objects'] as const
).map((name) => BORDER_CLASSES.indexOf(name)) as [number, number, number, number, number, number];

function nextKept(table: TokenTable, i: number, to: number): number {
  let k = i + 1;
  while (k < to && (!isKept(table, k) || !table.form[k])) k++;
  return k;
}

/** Whether the unit behind a question can only be its answer: "No, …", or words without a verb. */
function isAnswer(table: TokenTable, begin: number, first: number, bitsOfAll: number): boolean {
  if (!(bitsOfAll & WORD.verb)) return true;
  for (let i = begin; i <= first; i++) if (table.lexicon.bits[table.form[i]!]! & WORD.answer) return true;
  return false;
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

/** True when an article or the like was trimmed from the end: what it belonged to is in the next unit. */
function hangsBefore(table: TokenTable, to: number, end: number): boolean {
  for (let i = to; i < end; i++) {
    const bits = isKept(table, i) ? table.lexicon.bits[table.form[i]!]! : 0;
    if (bits & WORD.hanging && !(bits & WORD.coordinator)) return true;
  }
  return false;
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

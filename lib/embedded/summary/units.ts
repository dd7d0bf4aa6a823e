import { countWords } from '../../text/count-words.js';
import { cleanSpoken, isKept, nextWord, trimEnd, trimStart } from './cleaning.js';
import { borderClass, OPEN_CLASS, WORD } from './lexicon.js';
import { type Sentences } from './sentences.js';
import { type Pause, speakerOf, TOKEN, type TokenTable } from './token-table.js';

/** What is known of a unit, as bits. */
export const UNIT = {
  question: 1 << 0,
  /** Points back to something said before: see `pointsBack`. */
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
  /** In captions: ends inside a clause, so it is not shown. */
  unsure: 1 << 7,
} as const;

/** A candidate for a summary: a cleaned sentence, or in captions without punctuation a guess at one. */
export interface Unit {
  /** First token, and token after the last. */
  from: number;
  to: number;
  /** Kept words, the speaker's name included. */
  words: number;
  /** Stems of the words with content, in order. */
  stems: number[];
  /**
   * How much it is written in the style of a statement, -1..1: the share of articles and prepositions less the share of words of private
   * talk (after Heylighen and Dewaele, Formality of Language, 1999).
   */
  formality: number;
  /** How likely a clause begins with it, a clause ends with it, and no clause ends inside it (a square root), 0..1; 1 with punctuation. */
  begins: number;
  ends: number;
  single: number;
  flags: number;
}

/** Cleans the sentences and describes them. Marks deleted tokens in the table. */
export async function findUnits(table: TokenTable, sentences: Sentences, pause: Pause): Promise<Unit[]> {
  const { bounds, border, spoken } = sentences;
  const units: Unit[] = [];
  for (const [k, end] of bounds.slice(1).entries()) {
    const begin = bounds[k]!;
    if (spoken) cleanSpoken(table, begin, end, border !== undefined);
    const from = spoken ? trimStart(table, begin, end) : begin;
    const to = spoken || border ? trimEnd(table, from, end) : end;
    const unit = describe(table, from, to, border !== undefined);
    if (unit && border) {
      unit.begins = border[begin]!;
      unit.ends = border[end]!;
      unit.single = Math.sqrt(border.slice(begin + 1, end).reduce((single, p) => single * (1 - p), 1));
    }
    if (unit) units.push(unit);
    if ((k & 127) === 0) await pause();
  }
  // Where cleaning leaves nothing ("Yeah. Okay."), what was said stands as it is.
  if (units.length === 0 && spoken) {
    for (const token of table.tokens) token.mark &= ~TOKEN.dropped;
    return findUnits(table, { ...sentences, spoken: false }, pause);
  }
  // The first sentence has nothing before it to point back to.
  if (units[0]) units[0].flags &= ~(UNIT.anaphoric | UNIT.dependent);
  return units;
}

/** @returns undefined for a stretch without words */
function describe(table: TokenTable, from: number, to: number, unpunctuated: boolean): Unit | undefined {
  const { lexicon, tokens } = table;
  const stems: number[] = [];
  let [first, last, words, formal, bitsOfAll] = [-1, -1, 0, 0, 0];
  let [comma, isComplete] = [false, true];
  let flags = 0;
  for (let i = from; i < to; i++) {
    const { word, mark } = tokens[i]!;
    if (!isKept(tokens[i]!)) continue;
    words++;
    if (!word) continue;
    if (first < 0) first = i;
    last = i;
    const { bits, stem } = word;
    bitsOfAll |= bits;
    if (bits & WORD.casual) formal--;
    if ((bits & (WORD.loose | WORD.coordinator | WORD.dependent)) === WORD.loose) formal++;
    if (stem >= 0) stems.push(stem);
    if (mark & TOKEN.comma) comma = true;
    if (bits & (WORD.dependent | WORD.verb)) isComplete = !(bits & WORD.dependent);
    if (lexicon.phraseAt('announcements', tokens, i, to)) flags |= UNIT.announcement;
  }
  if (first < 0) return undefined;
  const opening = tokens[first]!.word!.bits;
  // French sets a space before the mark: it is a token of its own.
  const isMarked = tokens.slice(last, to).some(({ mark }) => mark & TOKEN.question);
  if (isMarked || lexicon.phraseAt('questions', tokens, first, to)) flags |= UNIT.question;
  if (pointsBack(table, first, to, unpunctuated)) flags |= UNIT.anaphoric;
  // "Because it was late."
  const isClause = opening & WORD.dependent && (unpunctuated || !comma);
  if (opening & WORD.coordinator || isClause) flags |= UNIT.dependent;
  if (lexicon.language && !(bitsOfAll & WORD.verb)) flags |= UNIT.verbless;
  if (bitsOfAll & WORD.cue) flags |= UNIT.cue;
  if (unpunctuated && !isComplete) flags |= UNIT.unsure;
  return {
    from: first,
    to,
    words: words + countWords(speakerOf(table, first) ?? ''),
    stems,
    formality: formal / words,
    begins: 1,
    ends: 1,
    single: 1,
    flags,
  };
}

const DETERMINER = borderClass('determiners');
const VERB = borderClass('verbs');
const SUBJECT = borderClass('subjects');
const PREPOSITION = borderClass('prepositions');

/**
 * Whether a word of the first clause means something said before: a pronoun with no noun before it ("One of them"), a demonstrative with its
 * noun or at the end ("that gift", "measures this"), or an article in place of a pronoun ("Die sind …").
 */
function pointsBack(
  { lexicon, tokens }: TokenTable,
  first: number,
  to: number,
  unpunctuated: boolean,
): boolean {
  let [before, isBehindVerb, hasNoun] = [-1, false, false];
  // "In bright water that gift …": what is said begins behind it.
  let isPhrase = tokens[first]!.word!.class === PREPOSITION;
  for (let i = first; i < to; i = nextWord(tokens, i + 1, to)) {
    const alone = lexicon.phraseAt('standAlone', tokens, i, to);
    if (alone) {
      i += alone - 1;
      continue;
    }
    const { mark, word } = tokens[i]!;
    const { bits, class: kind, form, stem } = word!;
    // "You send": a verb in no list.
    const isVerb = (bits & WORD.verb) > 0 || before === SUBJECT;
    const at = nextWord(tokens, i + 1, to);
    const next = at < to ? tokens[at]!.word : undefined;
    const isGerman = lexicon.language === 'de';
    if (isGerman && i === first && kind === DETERMINER && next?.class === VERB) return true;
    // Nothing shows where the first clause of captions ends.
    const ends = unpunctuated || !next || (mark & TOKEN.comma) > 0;
    // "I think that bread …", "a pump that moves water", "mischt das Mehl": no demonstratives.
    const isThat =
      form === 'that' && (next?.class !== OPEN_CLASS || isBehindVerb || (before === OPEN_CLASS && !isPhrase));
    const isOther = !ends && (isThat || (form === 'das' && i > first));
    if (bits & WORD.anaphor && !isOther && (!hasNoun || bits & WORD.demonstrative)) return true;
    if (ends) return false;
    hasNoun ||= stem >= 0 && !isVerb;
    isPhrase &&= !isVerb;
    [before, isBehindVerb] = [kind, isVerb];
  }
  return false;
}

import { languageOf, type Language } from '../../text/languages.js';
import { stem, words as wordsOf } from '../../text/tokens.js';
import { numberAt } from '../../text/number-words.js';
import { stopwords } from '../../text/stopwords.js';
import { BORDER_WORDS } from './border-weights.js';
import { VOCABULARIES } from './vocabulary.js';

/** What is known of a word form, as bits. */
export const WORD = {
  hesitation: 1 << 0,
  answer: 1 << 1,
  opener: 1 << 2,
  anaphor: 1 << 3,
  casual: 1 << 4,
  cue: 1 << 5,
  /** Function word or word of private talk: carries no content. */
  stop: 1 << 6,
  verb: 1 << 7,
  dependent: 1 << 8,
  interrogative: 1 << 9,
  /** Cannot end a sentence: article, preposition, conjunction. */
  loose: 1 << 10,
  coordinator: 1 << 11,
  /** Pronoun, article, preposition or conjunction: may be stuttered. */
  function: 1 << 12,
  doubles: 1 << 13,
  number: 1 << 14,
  /** A number in digits or in words. */
  numeral: 1 << 15,
  greeting: 1 << 16,
  media: 1 << 17,
  promotion: 1 << 18,
  addressee: 1 << 19,
  demonstrative: 1 << 20,
} as const;

const LINK = WORD.loose | WORD.stop | WORD.function;
/**
 * The lists of single words with what they say of a word. The first ones are also the word classes of the sentence-border model: every form
 * has exactly one, the first list that holds it.
 */
const LISTS = [
  ['hesitations', WORD.hesitation | WORD.stop],
  ['contractions', WORD.verb | WORD.stop | WORD.function],
  ['subjects', WORD.stop | WORD.function],
  ['contrasts', LINK | WORD.coordinator],
  ['coordinators', LINK | WORD.coordinator],
  ['subordinators', WORD.dependent | WORD.loose | WORD.function],
  ['interrogatives', WORD.interrogative],
  ['verbs', WORD.verb],
  ['determiners', LINK],
  ['prepositions', LINK],
  ['demonstratives', WORD.demonstrative],
  ['adverbs', 0],
  ['degrees', 0],
  ['answers', WORD.answer | WORD.stop],
  ['openers', WORD.opener | WORD.stop],
  ['anaphora', WORD.anaphor],
  ['casual', WORD.casual | WORD.stop],
  ['doubles', WORD.doubles],
  ['greetings', WORD.greeting],
  ['media', WORD.media],
  ['promotion', WORD.promotion],
  ['addressees', WORD.addressee],
] as const;
/** The lists whose words are compared by stem. */
const STEM_LISTS = [
  ['cues', WORD.cue],
  ['media', WORD.media],
  ['promotion', WORD.promotion],
] as const;

export const borderClass = (name: (typeof LISTS)[number][0]): number =>
  LISTS.findIndex(([list]) => list === name);

/** Class of the words that are in no list; then of those with a verb's ending, and of numbers. */
export const OPEN_CLASS = borderClass('openers') + 1;
export const CLASS_COUNT = OPEN_CLASS + 3;

/** Endings of finite verbs that seldom end anything else, for languages whose verb lists cannot be complete. */
const VERB_ENDINGS: Record<Language, RegExp> = {
  en: /^.{3,}(?:ed|'s|'re|'ve|'ll|n't)$/,
  de: /^.{3,}(?:te|ten|test|iert|ieren)$/,
  fr: /^.{3,}(?:ait|aient|ons|ez|era|eront|erons|erait|ent|é|er)$/,
  es: /^.{2,}(?:ó|aba|aban|ía|ían|ará|erá|irá|arán|erán|irán|aron|ieron|amos|emos|imos|ado|ido)$/,
  pt: /^.{2,}(?:ou|eu|iu|ava|avam|ia|iam|ará|erá|irá|arão|erão|irão|aram|eram|iram|amos|emos|imos|ado|ido)$/,
  it: /^.{2,}(?:ava|avano|eva|evano|iva|ivano|erà|irà|eranno|iranno|iamo|ò|ato|uto|ito|ano|ono)$/,
};

/** Articles, pronouns and prepositions that lose their vowel before another (`l'homme`, `dell'opera`). */
const ELISION =
  /^(?:[ldjmntsc]|qu|jusqu|lorsqu|puisqu|quoiqu|un|dell|all|nell|sull|dall|quest|quell|anch|dov|com|cos)'(?=.{2})/;

const PHRASES = ['standAlone', 'announcements', 'formulas', 'offers', 'questions'] as const;
type PhraseList = (typeof PHRASES)[number];

const compiled = new Map<Language, ReturnType<typeof compile>>();

function compile(language: Language) {
  const vocabulary = VOCABULARIES[language];
  const listOf = (name: keyof typeof vocabulary): string[] => vocabulary[name].split(' ').filter(Boolean);
  const bits = new Map<string, number>();
  const stemBits = new Map<string, number>();
  const add = (map: Map<string, number>, word: string, own: number): unknown =>
    map.set(word, (map.get(word) ?? 0) | own);
  for (const word of stopwords(language)) add(bits, word, WORD.stop);
  const classes = new Map<string, number>();
  for (const [k, [name, own]] of LISTS.entries())
    for (const word of listOf(name)) {
      add(bits, word, own);
      if (k < OPEN_CLASS && !classes.has(word)) classes.set(word, k);
    }
  for (const [name, own] of STEM_LISTS)
    for (const word of listOf(name)) add(stemBits, stem(word, language), own);
  const borders = new Map<string, readonly [number, number]>();
  const cells = BORDER_WORDS[language].join(' ').split(' ');
  for (let i = 0; i + 2 < cells.length; i += 3)
    borders.set(cells[i]!, [Number(cells[i + 1]) / 10, Number(cells[i + 2]) / 10]);
  const phrases = Object.fromEntries(
    PHRASES.map((name) => [name, phrasesByHead(vocabulary[name])]),
  ) as Record<PhraseList, Map<string, string[][]>>;
  return { bits, stemBits, classes, phrases, borders };
}

/** Phrases by their first word, without it; longest first. */
function phrasesByHead(list: string): Map<string, string[][]> {
  const phrases = new Map<string, string[][]>();
  for (const phrase of list.split('|').filter(Boolean)) {
    const [head = '', ...rest] = phrase.split(' ');
    const known = [...(phrases.get(head) ?? []), rest];
    phrases.set(
      head,
      known.sort((a, b) => b.length - a.length),
    );
  }
  return phrases;
}

function compiledFor(language: Language): ReturnType<typeof compile> {
  let entry = compiled.get(language);
  if (!entry) compiled.set(language, (entry = compile(language)));
  return entry;
}

/** Longest form that is looked up and stemmed; what is longer is no word, and stemmers are not linear in it. */
const LONGEST_WORD = 48;

export interface Word {
  /** Lower case with straight apostrophes. */
  form: string;
  bits: number;
  /** Number of its stem; -1 for words without content. */
  stem: number;
  class: number;
  /** What it adds to the log-odds of a sentence border after it and before it. */
  endBias: number;
  startBias: number;
  count: number;
}

/** The word forms of one text, each described once. Lives as long as one summary. */
export class Lexicon {
  private readonly words = new Map<string, Word>();
  private readonly stems = new Map<string, number>();
  private readonly known: ReturnType<typeof compile> | undefined;
  /** One of the six, or undefined: then nothing is known but the stop words, where there is a list of them. */
  readonly language: Language | undefined;
  private readonly stopWords: ReadonlySet<string>;

  /** @param code ISO 639-1 code of the text's language */
  constructor(code: string | undefined) {
    this.language = languageOf(code);
    this.known = this.language && compiledFor(this.language);
    this.stopWords = this.known || !code ? new Set() : stopwords(code);
  }

  /** The word of a text, given without the punctuation around it. */
  add(written: string): Word {
    const form = written.slice(0, LONGEST_WORD).toLowerCase().replaceAll('’', "'");
    let word = this.words.get(form);
    if (!word) this.words.set(form, (word = this.describe(form)));
    word.count++;
    return word;
  }

  get stemCount(): number {
    return this.stems.size;
  }

  /** The numbers of the stems of another text, as far as this text has them. */
  stemsOf(other: string): Set<number> {
    const stems = wordsOf(other).map((word) => this.stems.get(this.stemmed(word.replace(ELISION, ''))) ?? -1);
    return new Set(stems.filter((stem) => stem >= 0));
  }

  /** Number of words of the phrase of a list that starts at a place; 0 when none does. */
  phraseAt(list: PhraseList, tokens: readonly { word?: Word | undefined }[], at: number, to: number): number {
    const phrases = this.known?.phrases[list].get(tokens[at]?.word?.form ?? '') ?? [];
    const phrase = phrases.find(
      (rest) => at + rest.length < to && rest.every((form, k) => tokens[at + k + 1]!.word?.form === form),
    );
    return phrase ? phrase.length + 1 : 0;
  }

  private stemmed(word: string): string {
    return this.language ? stem(word, this.language) : word;
  }

  private describe(form: string): Word {
    const { known, language } = this;
    let bits = known?.bits.get(form) ?? (this.stopWords.has(form) ? WORD.stop : 0);
    const core = known ? form.replace(ELISION, '') : form;
    if (core !== form) bits |= (known?.bits.get(core) ?? 0) & (WORD.stop | WORD.verb | WORD.casual);
    // A character of a script without blanks may well be a word.
    if (core.length < 2 && core < '\u0e00') bits |= WORD.stop;
    if (/^[\d.,:%€$£-]+$/.test(form)) bits |= WORD.number | WORD.numeral;
    else if (language && numberAt([form], 0, language, true)) bits = (bits | WORD.numeral) & ~WORD.function;
    if (language && VERB_ENDINGS[language].test(core)) bits |= WORD.verb;
    let stemId = -1;
    if (!(bits & (WORD.stop | WORD.number))) {
      const own = this.stemmed(core);
      bits |= known?.stemBits.get(own) ?? 0;
      stemId = this.stems.get(own) ?? this.stems.size;
      this.stems.set(own, stemId);
    }
    const open = bits & WORD.number ? OPEN_CLASS + 2 : bits & WORD.verb ? OPEN_CLASS + 1 : OPEN_CLASS;
    const [endBias, startBias] = known?.borders.get(form) ?? [0, 0];
    const borderClass = known?.classes.get(form) ?? open;
    return { form, bits, stem: stemId, class: borderClass, endBias, startBias, count: 0 };
  }
}

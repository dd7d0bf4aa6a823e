import { calendarWord } from '../../text/calendar-words.js';
import { languageOf, type Language } from '../../text/languages.js';
import { stem } from '../../text/tokens.js';
import { numberAt } from '../../text/number-words.js';
import { stopwords } from '../../text/stopwords.js';
import { BORDER_WORDS } from './border-weights.js';
import { de } from './vocabulary/de.js';
import { en } from './vocabulary/en.js';
import { es } from './vocabulary/es.js';
import { fr } from './vocabulary/fr.js';
import { it } from './vocabulary/it.js';
import { pt } from './vocabulary/pt.js';
import type { Vocabulary } from './vocabulary/vocabulary.js';

const VOCABULARIES: Readonly<Record<Language, Vocabulary>> = { en, pt, es, it, de, fr };

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
  /** Opens a dependent clause. */
  dependent: 1 << 8,
  interrogative: 1 << 9,
  /** Cannot end a sentence: article, preposition, conjunction. */
  loose: 1 << 10,
  /** May stand twice in a row. */
  doubles: 1 << 11,
  /** Digits. */
  number: 1 << 13,
  /** A number in digits or in words. */
  numeral: 1 << 19,
  /** Pronoun, article, preposition or conjunction: may be stuttered. */
  function: 1 << 20,
  /** First word of one of the language's set phrases. */
  phrase: 1 << 14,
  coordinator: 1 << 15,
  greeting: 1 << 12,
  media: 1 << 17,
  promotion: 1 << 21,
  addressee: 1 << 22,
  demonstrative: 1 << 23,
} as const;

/** Word classes of the sentence-border model; every form has exactly one, the first list that holds it. */
const BORDER_CLASSES = [
  'hesitations',
  'contractions',
  'subjects',
  'contrasts',
  'coordinators',
  'subordinators',
  'interrogatives',
  'verbs',
  'determiners',
  'prepositions',
  'demonstratives',
  'adverbs',
  'degrees',
  'objects',
  'quantifiers',
  'answers',
  'openers',
] as const satisfies readonly (keyof Vocabulary)[];

/** The number of a class. */
export const borderClass = (name: (typeof BORDER_CLASSES)[number]): number => BORDER_CLASSES.indexOf(name);

/** Class of the words that are in no list; then of those with a verb's ending, and of numbers. */
export const OPEN_CLASS = BORDER_CLASSES.length;
/** Number of border classes. */
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

/** Marks a key of the word table as a stem. */
const STEM = '=';

/** The lists of set phrases, and the bit of their first words, which spares a look-up for all others. */
const PHRASES = [
  'standAlone',
  'announcements',
  'conclusions',
  'formulas',
  'offers',
  'questions',
] as const satisfies readonly (keyof Vocabulary)[];
type PhraseList = (typeof PHRASES)[number];

type PhraseTable = ReadonlyMap<string, readonly (readonly string[])[]>;

interface Compiled {
  bits: Map<string, number>;
  classes: Map<string, number>;
  phrases: Record<PhraseList, PhraseTable>;
  borders: Map<string, readonly [end: number, start: number]>;
}

const compiled = new Map<Language, Compiled>();

const listOf = (text: string): string[] => (text ? text.split(' ') : []);

function byHead(phrases: string): PhraseTable {
  const map = new Map<string, string[][]>();
  for (const phrase of phrases ? phrases.split('|') : []) {
    const parts = phrase.split(' ');
    const head = parts[0] ?? '';
    map.set(
      head,
      [...(map.get(head) ?? []), parts].sort((a, b) => b.length - a.length),
    );
  }
  return map;
}

function compile(language: Language): Compiled {
  const v = VOCABULARIES[language];
  const bits = new Map<string, number>();
  const add = (list: string | Iterable<string>, bit: number): void => {
    for (const word of typeof list === 'string' ? listOf(list) : list)
      bits.set(word, (bits.get(word) ?? 0) | bit);
  };
  add(stopwords(language), WORD.stop);
  add(v.hesitations, WORD.hesitation | WORD.stop);
  add(v.answers, WORD.answer | WORD.stop);
  add(v.openers, WORD.opener | WORD.stop);
  add(v.anaphora, WORD.anaphor);
  add(v.demonstratives, WORD.demonstrative);
  add(v.casual, WORD.casual | WORD.stop);
  add(v.verbs, WORD.verb);
  add(v.contractions, WORD.verb | WORD.stop);
  add(v.subordinators, WORD.dependent | WORD.loose);
  add(v.interrogatives, WORD.interrogative);
  add(v.determiners, WORD.loose | WORD.stop);
  add(v.prepositions, WORD.loose | WORD.stop);
  add(v.coordinators, WORD.loose | WORD.coordinator | WORD.stop);
  add(v.contrasts, WORD.loose | WORD.coordinator | WORD.stop);
  add(v.subjects, WORD.stop);
  for (const name of [
    'subjects',
    'contractions',
    'determiners',
    'prepositions',
    'coordinators',
    'contrasts',
    'subordinators',
  ] as const)
    add(v[name], WORD.function);
  add(v.doubles, WORD.doubles);
  const classes = new Map<string, number>();
  BORDER_CLASSES.forEach((name, k) => {
    for (const word of listOf(v[name])) if (!classes.has(word)) classes.set(word, k);
  });
  const phrases = Object.fromEntries(PHRASES.map((name) => [name, byHead(v[name])])) as Compiled['phrases'];
  for (const name of PHRASES) add(phrases[name].keys(), WORD.phrase);
  const stemmed = (list: string): Set<string> =>
    new Set(listOf(list).map((word) => `${STEM}${stem(word, language)}`));
  add(stemmed(v.cues), WORD.cue);
  // The lists of stop words hold some of these, and stop words have no stem.
  add(v.greetings, WORD.greeting);
  for (const [list, bit] of [
    [v.media, WORD.media],
    [v.promotion, WORD.promotion],
  ] as const) {
    add(list, bit);
    add(stemmed(list), bit);
  }
  add(v.addressees, WORD.addressee);
  const borders = new Map<string, readonly [number, number]>();
  for (const row of BORDER_WORDS[language]) {
    const cells = row.split(' ');
    for (let i = 0; i + 2 < cells.length; i += 3)
      borders.set(cells[i] ?? '', [Number(cells[i + 1]) / 10, Number(cells[i + 2]) / 10]);
  }
  return { bits, classes, phrases, borders };
}

function compiledFor(language: Language): Compiled {
  let entry = compiled.get(language);
  if (!entry) compiled.set(language, (entry = compile(language)));
  return entry;
}

/** Longest form that is looked up and stemmed; what is longer is no word, and stemmers are not linear in it. */
const LONGEST_WORD = 48;

/**
 * The word forms of one text, interned: a form is a small number, and what is known of it is computed once.
 * Lives as long as one summary.
 */
export class Lexicon {
  private readonly ids = new Map<string, number>();
  /** Form id by the word as it is written: most words come again in the same way. */
  private readonly written = new Map<string, number>();
  private readonly stemIds = new Map<string, number>();
  private readonly known: Compiled | undefined;
  /** Form by id, lower case with straight apostrophes. */
  readonly forms: string[] = [];
  /** `WORD` bits by form id. */
  readonly bits: number[] = [];
  /** Stem id by form id; -1 for words without content. */
  readonly stems: number[] = [];
  /** Border class by form id. */
  readonly classes: number[] = [];
  /** What a form adds, by its id, to the log-odds of a sentence border after it and before it. */
  readonly endBias: number[] = [];
  readonly startBias: number[] = [];
  /** How often each form occurs, by its id. */
  readonly counts: number[] = [];

  /** One of the six, or undefined: then nothing is known but the stop words, where there is a list of them. */
  readonly language: Language | undefined;
  private readonly stopWords: ReadonlySet<string>;

  /** @param code ISO 639-1 code of the text's language */
  constructor(code: string | undefined) {
    this.language = languageOf(code);
    this.known = this.language && compiledFor(this.language);
    this.stopWords = this.known || !code ? new Set() : stopwords(code);
    this.internForm('');
  }

  /** The id of the word at `source[from, to)`, given without the punctuation around it. The empty word is 0. */
  intern(source: string, from: number, to: number): number {
    const word = source.slice(from, Math.min(to, from + LONGEST_WORD));
    const known = this.written.get(word);
    if (known !== undefined) {
      this.counts[known]!++;
      return known;
    }
    const id = this.internForm(word.toLowerCase().replaceAll('’', "'"));
    this.written.set(word, id);
    return id;
  }

  private internForm(form: string): number {
    let id = this.ids.get(form);
    if (id === undefined) {
      id = this.forms.length;
      this.ids.set(form, id);
      this.forms.push(form);
      this.describe(form);
    }
    this.counts[id]!++;
    return id;
  }

  /** Number of stems. */
  get stemCount(): number {
    return this.stemIds.size;
  }

  /** The stem id of a word in lower case, or -1 where the text has no word with its stem. */
  stemOf(word: string): number {
    return this.stemIds.get(this.language ? stem(word.replace(ELISION, ''), this.language) : word) ?? -1;
  }

  /** How the language writes a word that always has a capital letter: `I`, in English and German days and months; else undefined. */
  capitalised(id: number): string | undefined {
    const { language } = this;
    const form = this.forms[id]!;
    if (language !== 'en' && language !== 'de') return undefined;
    const hasCapital = language === 'en' && /^i(?:'|$)/.test(form);
    const isCapital = hasCapital || calendarWord(form, language)?.sure;
    return isCapital ? form[0]!.toUpperCase() + form.slice(1) : undefined;
  }

  /** Number of words of the phrase of a list that starts at a position of a list of forms; 0 when none does. */
  phraseAt(list: PhraseList, forms: ArrayLike<number>, at: number, to: number): number {
    const head = forms[at] ?? 0;
    if (!this.known || !(this.bits[head]! & WORD.phrase)) return 0;
    for (const phrase of this.known.phrases[list].get(this.forms[head] ?? '') ?? []) {
      let k = 1;
      while (k < phrase.length && at + k < to && this.forms[forms[at + k] ?? 0] === phrase[k]) k++;
      if (k === phrase.length) return k;
    }
    return 0;
  }

  private describe(form: string): void {
    const known = this.known;
    let bits = known?.bits.get(form) ?? (this.stopWords.has(form) ? WORD.stop : 0);
    let core = form;
    if (known) {
      core = form.replace(ELISION, '');
      if (core !== form) {
        const inner = known.bits.get(core) ?? 0;
        bits |= inner & (WORD.stop | WORD.verb | WORD.casual);
      }
    }
    // A character of a script without blanks may well be a word.
    if (core.length < 2 && core < '\u0e00') bits |= WORD.stop;
    if (/^[\d.,:%€$£-]+$/.test(form)) bits |= WORD.number | WORD.numeral;
    else if (this.language && numberAt([form], 0, this.language, true))
      bits = (bits | WORD.numeral) & ~WORD.function;
    if (this.language && VERB_ENDINGS[this.language].test(core)) bits |= WORD.verb;
    let stemId = -1;
    if (form && !(bits & (WORD.stop | WORD.number))) {
      const s = this.language ? stem(core, this.language) : core;
      bits |= known?.bits.get(STEM + s) ?? 0;
      stemId = this.stemIds.get(s) ?? -1;
      if (stemId < 0) {
        stemId = this.stemIds.size;
        this.stemIds.set(s, stemId);
      }
    }
    this.counts.push(0);
    this.bits.push(bits);
    this.stems.push(stemId);
    const open = bits & WORD.number ? OPEN_CLASS + 2 : bits & WORD.verb ? OPEN_CLASS + 1 : OPEN_CLASS;
    this.classes.push(known?.classes.get(form) ?? open);
    const [end, start] = known?.borders.get(form) ?? [0, 0];
    this.endBias.push(end);
    this.startBias.push(start);
  }
}

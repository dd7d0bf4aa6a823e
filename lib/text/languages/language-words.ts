/**
 * The word lists of one language, in lower case. Words are separated by blanks, unless the comment of a field says otherwise. Nothing in a
 * list is about a subject, a product or a text. A list that another folder needs is a further field here, so that a language stays one file.
 *
 * In some lists `/` joins the forms of one word (`sept/september`), and `=` gives a value to each form (`dozen/dozens=12`).
 */
export interface LanguageWords {
  /**
   * Articles, pronouns, prepositions, conjunctions, auxiliaries and question words. Deliberately much shorter than
   * `stopwords()`: that list also drops `first`, `system` or `number`, which matter to a search.
   */
  functionWords: string;
  /** Abbreviations that stand before the word they belong to (`Dr. Reyes`): their full stop ends no sentence. */
  leadingAbbreviations: string;
  /** Abbreviations that do so before a number only (`No. 5`, `S. 12`), because without one they are words (`no`). */
  numberAbbreviations: string;
  /** Abbreviations that may close a sentence (`etc.`, `Inc.`, `v. Chr.`). */
  closingAbbreviations: string;
  /**
   * More abbreviations that may close a sentence, as others collected them: the sentence suppressions of CLDR 46.1 (`cldr-segments-full`,
   * Unicode-3.0) and the lists of sentencex 0.1.30 (MIT), in Italian those of pragmatic_segmenter (MIT). Left out: what the lists above have, function
   * words, words that the development and test halves of a Universal Dependencies treebank of the language use twice or more, acronyms, prefixes.
   */
  collectedAbbreviations: string;
  /** Words that refer to something named before, if a sentence begins with them. */
  backReferences: string;
  /** Words that only ask and need not stand in an answer. */
  askingWords: string;
  /** Words for 0 to 20, in order. */
  numbersToTwenty: string;
  /** Words for 30, 40 … 90, in order. */
  tensFromThirty: string;
  /** Other number words, multipliers, and the parts of joined words (`venti|due`), with their values. Regional forms included. */
  otherNumbers: string;
  /** Number words that are as often an article, a pronoun, a verb or an adjective: French `neuf`, Italian `sei`. */
  ambiguousNumbers?: string;
  /** Words that name an amount without being a number word, with their values: fractions, dozens, doubles. */
  amounts: string;
  /** Words for first, second … in order. */
  ordinals: string;
  /** Between a number and its decimals: "three point one". */
  decimalSigns: string;
  /**
   * Words whose forms a stemmer leaves apart, the base form first: `write/wrote/written`. Forms that are at least as often another word are left
   * out (`found`, `left`, `saw`, `rose`, `felt`, `ground`, `wound`, `lay`).
   */
  irregularForms?: string;
}

/**
 * What the library knows about one language: closed classes of words, each a space-separated list in lower case. Nothing
 * in a list is about a subject, a product or a text. Rooms that need further lists add a field here, so that a language
 * stays one file.
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
  /** Words that refer to something named before, if a sentence begins with them. */
  backReferences: string;
  /** Verbs that join a word and its definition. */
  copulas: string;
  /** Prepositions that lead to a place. */
  placePrepositions: string;
  /** Words that name or introduce a cause or purpose. */
  causeWords: string;
  /** Words that only ask and need not stand in an answer. */
  askingWords: string;
}

/**
 * What the embedded summarizer knows about a language: closed classes of words in lower case with straight apostrophes, words
 * separated by blanks and phrases by `|`. Where lists overlap, the class named first below wins for sentence borders.
 * Nothing here is about a subject, a speaker or a text.
 */
export interface Vocabulary {
  /** Sounds of thinking that are no words; deleted wherever they stand in speech. */
  hesitations: string;
  /** Answers and back-channels (`yes`, `okay`, `thanks`); a turn made of these says nothing. */
  answers: string;
  /** Markers that open a spoken sentence and carry nothing (`so`, `well`, `now`); deleted at the start. */
  openers: string;
  /** Words that point back to something said before, when a sentence starts with them. */
  anaphora: string;
  /** Phrases: openings that look like `anaphora` and stand alone all the same (`there is`, `il y a`). */
  standAlone: string;
  /** Phrases with which a speaker says what the whole is about (`today I want`). */
  announcements: string;
  /** Words of private talk: they tell speech from writing, and chat from substance. */
  casual: string;
  /** Words with which speakers announce what matters; compared by stem. */
  cues: string;
  subjects: string;
  /** Subject and verb in one word (`it's`, `c'est`). */
  contractions: string;
  demonstratives: string;
  determiners: string;
  prepositions: string;
  /** Finite forms of auxiliaries and of the most frequent verbs. */
  verbs: string;
  /** `and`, `or`. */
  coordinators: string;
  /** `but`, `because of that`: openers that link to what was said before. */
  contrasts: string;
  subordinators: string;
  interrogatives: string;
  /** Adverbs of time and order that often open a sentence. */
  adverbs: string;
  /** Negation and degree: hardly ever at a sentence border. */
  degrees: string;
  /** Words of greeting, thanks and farewell. With `addressees` and the three lists before it, evidence of talk about the video itself. */
  greetings: string;
  /** Phrases of greeting, farewell and calls to the audience (`good morning`, `hasta luego`, `like button`). */
  formulas: string;
  /** Words of video platforms (`channel`, `subscribe`, `link`); compared by stem. */
  media: string;
  /** Words of advertising (`sponsor`, `code`, `discount`); compared by stem. */
  promotion: string;
  /** Phrases of advertisements that stand in no other sentence (`percent off`, `dot com slash`). */
  offers: string;
  /** Words that address or name the audience and the speaker (`you`, `everyone`, `me`). */
  addressees: string;
  /** Words that may well stand twice in a row (`nous nous`). */
  doubles: string;
  /** Phrases: openings of a question without a question word (`do you`, `est-ce que`). */
  questions: string;
}

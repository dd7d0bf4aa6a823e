import { detectLanguage } from '../../../text/detect-language.js';
import { sentencesOf } from '../../../text/sentences.js';
import { words } from '../../../text/tokens.js';
import { type Language } from '../../../text/languages.js';
import { cleanOutput, type KnownOutput } from '../parse/clean-output.js';
import type { FactChecker } from './fact-checker.js';

/** Findings about a sentence of a summary. */
export interface CheckedSentence {
  /** As the caller may see it; empty when nothing is left of it. */
  text: string;
  /** A number in it is not said anywhere: it was made up. */
  invented: boolean;
  /** Whether its checkable facts stand in the content; undefined if it has none. */
  grounded: boolean | undefined;
  /** Talk of the model about its answer, without anything from the content. */
  chatter: boolean;
}

/** Share of a sentence's content words that must be said somewhere. Nine of ten sentences of human summaries have more (QMSum, FREDSum). */
const SAID_SHARE = 0.4;
/** A text with a smaller share is about something else. The lowest share of 64 human summaries of meetings and debates is 0.39. */
const TEXT_SHARE = 0.35;
/** Words in quotation marks are looked up from this number on. */
const QUOTED_WORDS = 4;
const QUOTATION = /["“„«]([^"“”„«»]{12,300})["”“»]/gu;

/** Words by which a writer speaks of itself or to the reader. A summary does neither. */
const PERSONS: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: new Set(['i', 'me', 'my', 'you', 'your']),
  de: new Set(['ich', 'mich', 'mir', 'mein', 'meine', 'ihnen', 'dir', 'euch']),
  fr: new Set(['je', 'j', 'moi', 'mon', 'vous', 'votre', 'tu', 'te']),
  es: new Set(['yo', 'me', 'mi', 'te', 'usted', 'ustedes', 'espero', 'puedo']),
  it: new Set(['io', 'mi', 'ti', 'vi', 'spero', 'posso']),
  pt: new Set(['eu', 'me', 'meu', 'você', 'vocês', 'lhe', 'espero', 'posso']),
};
const ANSWER_NOUN =
  /\b(?:summar(?:y|ize|ise)\w*|zusammenfass\w*|résum\w*|resumen|resumir|riassun\w*|resumo|resumir)/iu;
const PREAMBLE =
  /^(?:sure|certainly|of course|absolutely|here(?:'s|’s| is| are)|below is|hier ist|gern(?:e)?|natürlich|voici|bien sûr|aquí|claro|por supuesto|ecco|certo|certamente|aqui|com certeza)(?!\p{L})/iu;

/** How refusals begin. Only a second sign: the first is that the text says nothing about the content. */
const REFUSAL =
  /^(?:(?:i[’']?m|i am|we[’']?re) (?:\w+ )?(?:sorry|unable|not able|afraid)|sorry|i apologi[sz]e|(?:unfortunately|regrettably),? (?:i|we)\b|i (?:can(?:no|[’'])t|can not|won[’']t|will not|do(?: not|n[’']t) have|must decline)|as an? (?:ai|language model)|(?:please|could you|kindly) (?:provide|share|paste|send)|(?:es tut mir|tut mir) leid|leider (?:kann|konnte|darf) ich|ich (?:kann|darf) (?:\S+ ){0,6}nicht|als (?:ki|sprachmodell)|bitte (?:geben|stellen|teilen|senden)|(?:je suis |)désolée?|(?:malheureusement|hélas),? je|je ne (?:peux|suis) pas|en tant qu|veuillez (?:fournir|partager)|lo siento|lamentablemente|no puedo|como (?:modelo|ia)\b|por favor,? (?:proporcion|compart|envía|forne)|mi dispiace|purtroppo (?:non|io)|non (?:posso|sono in grado)|come (?:modello|ia)\b|per favore,? (?:forn|condivid)|desculpe|sinto muito|lamento|infelizmente|não (?:posso|consigo))/iu;

/** Checks the sentences of a written summary one after the other, also while they are written. */
export class SentenceChecker {
  private readonly seen = new Set<string>();

  /**
   * @param the language that the text should be in
   * @param asked the words of the prompt; a sentence of it is left out
   */
  constructor(
    private readonly facts: FactChecker,
    private readonly known: KnownOutput,
    private readonly language: Language,
    asked = '',
  ) {
    for (const sentence of sentencesOf(asked)) {
      const own = words(sentence);
      if (own.length > 2) this.seen.add(own.join(' '));
    }
  }

  /** @returns undefined for a sentence that was there before: the model repeats itself */
  check(sentence: string): CheckedSentence | undefined {
    const clean = cleanOutput(sentence, this.known);
    // Signs without a word say nothing.
    const text = /[\p{L}\p{N}]/u.test(clean) ? clean : '';
    const key = words(text).join(' ');
    if (key !== '' && this.seen.has(key)) return undefined;
    this.seen.add(key);
    const { support, flaw, checked } = this.facts.facts(text, undefined, this.language);
    const share = this.isOfTranscript ? this.facts.index.shareSaid(text, this.facts.known) : undefined;
    const quoted = this.isOfTranscript ? this.quotationsHold(text) : undefined;
    const known = [
      checked > 0 ? support === 'said' : undefined,
      share === undefined ? undefined : share >= SAID_SHARE,
      quoted,
    ];
    const told = known.filter((one) => one !== undefined);
    return {
      text,
      invented: support === 'absent' && flaw === 'number',
      grounded: told.length === 0 ? undefined : told.every(Boolean),
      chatter: this.isChatter(text, checked),
    };
  }

  /** Whether words can be looked up in the transcript: the text is in its language. */
  private get isOfTranscript(): boolean {
    return this.language === this.facts.index.language;
  }

  /**
   * Whether a text may be shown before the rest is known. `no`: it is a refusal or in another language; `wait`: the next sentence will tell.
   * @param text its sentences so far
   */
  begins(text: string): 'yes' | 'wait' | 'no' {
    if (REFUSAL.test(text)) return 'no';
    const written = detectLanguage(text);
    if (written !== undefined && written !== this.language) return 'no';
    return this.speaksOfContent(text) ? 'yes' : 'wait';
  }

  /** True for a refusal, and for words that fit any video. Called when no key point was kept. */
  isEmptyTalk(text: string): boolean {
    return REFUSAL.test(text) || !this.speaksOfContent(text);
  }

  private speaksOfContent(text: string): boolean {
    const { index, known } = this.facts;
    if (!this.isOfTranscript) {
      const { support, checked } = this.facts.facts(text, undefined, this.language);
      return (checked > 0 && support !== 'absent') || this.sharesWords(text);
    }
    const share = index.shareSaid(text, known);
    return share === undefined
      ? [...index.contentStems(text)].some((one) => index.hasStem(one))
      : share >= TEXT_SHARE;
  }

  /** Whether two texts in different languages have long words in common: names, numbers, loan words. */
  private sharesWords(text: string): boolean {
    let shared = 0;
    const { index } = this.facts;
    const begins = new Set<string>();
    for (const word of index.vocabulary()) if (word.length >= 6) begins.add(word.slice(0, 6));
    for (const word of new Set(words(text))) if (word.length >= 6 && begins.has(word.slice(0, 6))) shared++;
    return shared >= 2;
  }

  private quotationsHold(text: string): boolean | undefined {
    const quoted = [...text.matchAll(QUOTATION)]
      .map((match) => match[1]!)
      .filter((one) => words(one).length >= QUOTED_WORDS);
    if (quoted.length === 0) return undefined;
    return quoted.every((one) => this.facts.index.findQuote(one, this.facts.index.whole) !== undefined);
  }

  private isChatter(text: string, facts: number): boolean {
    const own = words(text).flatMap((word) => word.split(/['’]/));
    if (PREAMBLE.test(text) && (own.length <= 3 || ANSWER_NOUN.test(text))) return true;
    const addresses = own.some((word) => PERSONS[this.language].has(word));
    const isRefusal = REFUSAL.test(text);
    const isOfAnswer = isRefusal || (addresses && ANSWER_NOUN.test(text));
    if (facts > 0 && !isOfAnswer) return false;
    return (addresses || isRefusal || ANSWER_NOUN.test(text)) && !this.speaksOfContent(text);
  }
}

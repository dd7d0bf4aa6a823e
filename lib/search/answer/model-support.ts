import type { Language } from '../../core/text/index.js';
import type { AnswerPassage } from '../answer-engine.js';
import { detectLanguage } from '../ranking/detect-language.js';
import { sharesRoot } from './evidence.js';
import type { FoundQuote } from './model-quotes.js';
import { areParaphrases, oppositesOfTerm } from './paraphrases.js';
import { tokensOf, type Token } from './tokens.js';
import { agreementOf, rolesOf } from './word-order.js';

/** Share of a sentence's content words that its sources must have, where both are in one language. */
const WORDS_SHARED = 0.5;
const BE = new Set(['is', 'are', 'was', 'were']);

const NEGATION: Record<Language, RegExp> = {
  en: /(?<!\p{L})(?:not|no|never|none|neither|nor|cannot|without|nobody|nothing)(?!\p{L})|n['’]t(?!\p{L})/giu,
  pt: /(?<!\p{L})(?:não|nunca|nem|nenhum|nenhuma|sem|jamais|ninguém|nada)(?!\p{L})/giu,
  es: /(?<!\p{L})(?:no|nunca|ni|ningún|ninguno|ninguna|sin|jamás|nadie|nada)(?!\p{L})/giu,
  it: /(?<!\p{L})(?:non|mai|né|nessun|nessuno|nessuna|senza|niente|nulla)(?!\p{L})/giu,
  de: /(?<!\p{L})(?:nicht|kein|keine|keinen|keinem|keiner|keines|nie|niemals|ohne|niemand|nichts|weder)(?!\p{L})/giu,
  fr: /(?<!\p{L})(?:ne|pas|jamais|aucun|aucune|sans|ni|personne|rien)(?!\p{L})|(?<!\p{L})n['’]/giu,
};

interface ReadPassage {
  language: Language;
  /** Of title and text. */
  tokens: Token[];
  title: Token[];
}

/**
 * Says whether a sentence of a model rests on what it quotes. Checked in code, by what can be read off the words: numbers stand in
 * the quoted sentences, names in the cited passage or its title, most content words in either, nothing is denied that the source
 * affirms or the other way round, and (in English) nobody does to another what the source has the other do.
 */
export class SupportCheck {
  private readonly passages: ReadPassage[];

  /** @param language of the question, in which the model was asked to answer */
  constructor(
    passages: readonly AnswerPassage[],
    private readonly language: Language,
  ) {
    this.passages = passages.map(({ text, title }) => {
      const own = detectLanguage(text) ?? language;
      return {
        language: own,
        tokens: [...tokensOf(title, own), ...tokensOf(text, own)],
        title: tokensOf(title, own),
      };
    });
  }

  /** @param quotes those of the passages that the sentence cites */
  isSupported(sentence: string, quotes: readonly FoundQuote[]): boolean {
    if (quotes.length === 0) return false;
    const tokens = tokensOf(sentence, this.language);
    const contexts = quotes.map(({ passage, context }) => {
      const { language, title } = this.passages[passage]!;
      return { text: context, language, tokens: tokensOf(context, language), title };
    });
    const quoted = contexts.flatMap(({ tokens: own, title }) => [...own, ...title]);
    const cited = [...new Set(quotes.map((q) => q.passage))].flatMap((p) => this.passages[p]!.tokens);
    const sameLanguage = contexts.some(({ language }) => language === this.language);
    const denials = denialsIn(sentence, this.language);
    // Word for word: what it leaves out can still turn it round, and a denial is looked for in the whole sentence.
    const words = sentence.replace(/[.!?…]+$/, '');
    const agreeing = contexts.filter(({ text, language }) => {
      const there = denialsIn(text, language);
      return denials === 0 ? there === 0 : there >= denials;
    });
    if (agreeing.some(({ text }) => text.includes(words))) return true;
    return (
      numbersIn(tokens).every((number) => quoted.some((t) => t.number && t.term === number.term)) &&
      this.namesIn(tokens, sentence, sameLanguage).every((name) => this.has(cited, name)) &&
      agreeing.length > 0 &&
      (!sameLanguage ||
        (this.shareIn(tokens, quoted) >= WORDS_SHARED &&
          !this.contradicts(tokens, quoted) &&
          contexts.some((context) => !this.swapsRoles(tokens, context.tokens))))
    );
  }

  /** Whether a passage that is not cited says the same: all numbers, names and most of the words. */
  agrees(sentence: string, passage: number): boolean {
    const { tokens: source, language } = this.passages[passage]!;
    if (language !== this.language) return false;
    const tokens = tokensOf(sentence, this.language);
    return (
      numbersIn(tokens).every((number) => source.some((t) => t.term === number.term)) &&
      this.namesIn(tokens, sentence, true).every((name) => this.has(source, name)) &&
      this.shareIn(tokens, source) >= 0.7
    );
  }

  /** Whether all of these passages are in another language than the question, so that words cannot be compared. */
  isForeign(passages: readonly number[]): boolean {
    return passages.every((p) => this.passages[p]!.language !== this.language);
  }

  /**
   * How much of what the question pins down is missing in the cited passages, 0..1: all of it for a number that none of them has,
   * else the share of its names.
   */
  missingIn(question: readonly Token[], cited: readonly number[]): number {
    const tokens = cited.flatMap((p) => this.passages[p]!.tokens);
    if (numbersIn(question).some((n) => !tokens.some((t) => t.term === n.term))) return 1;
    // Names are written otherwise in other languages, and every German noun has a capital.
    if (this.language === 'de' || this.isForeign(cited)) return 0;
    const names = question.filter((t) => t.name);
    return names.length === 0 ? 0 : names.filter((name) => !this.has(tokens, name)).length / names.length;
  }

  /**
   * What the sentence must not have made up. The first word has a capital anyhow, so it counts unless a comma or `-ly` shows that it
   * only links. In German every noun has one: in a text of another language only runs of capitals and acronyms count there.
   */
  private namesIn(tokens: readonly Token[], sentence: string, sameLanguage: boolean): Token[] {
    const capital = (t: Token | undefined): boolean =>
      !!t && !t.functional && !t.number && /^\p{Lu}/u.test(t.text);
    return tokens.filter((token, i) => {
      if (!capital(token)) return false;
      if (this.language === 'de' && !sameLanguage)
        return (
          (token.text.length > 1 && token.text === token.text.toUpperCase()) ||
          (i > 0 && capital(tokens[i - 1]))
        );
      if (i > 0) return true;
      const links =
        sentence.startsWith(`${token.text},`) || (this.language === 'en' && token.lower.endsWith('ly'));
      return !links;
    });
  }

  private has(tokens: readonly Token[], wanted: Token): boolean {
    return tokens.some((t) => this.isSame(t, wanted));
  }

  private isSame(a: Token, b: Token): boolean {
    if (a.term === b.term) return true;
    if (a.number || b.number) return false;
    return areParaphrases(a.term, b.term, this.language) || sharesRoot(a.lower, b.lower);
  }

  private shareIn(tokens: readonly Token[], source: readonly Token[]): number {
    const content = tokens.filter((t) => !t.functional);
    if (content.length === 0) return 0;
    return content.filter((t) => this.has(source, t)).length / content.length;
  }

  private contradicts(tokens: readonly Token[], source: readonly Token[]): boolean {
    const own = new Set(source.map((t) => t.term));
    return tokens.some(
      (t) => !own.has(t.term) && [...oppositesOfTerm(t.term, this.language)].some((o) => own.has(o)),
    );
  }

  /** "Rome defeated Carthage" against "Carthage defeated Rome": the sentence is read as the question it would answer. */
  private swapsRoles(tokens: readonly Token[], source: readonly Token[]): boolean {
    if (this.language !== 'en') return false;
    const be = tokens.findIndex((t) => BE.has(t.lower));
    const asked =
      be >= 0
        ? [tokens[be]!, ...tokens.slice(0, be), ...tokens.slice(be + 1)]
        : [...tokensOf('did', 'en'), ...tokens];
    const roles = rolesOf(asked);
    return roles !== undefined && agreementOf(roles, source, new Set(), 'en') < 0;
  }
}

function denialsIn(text: string, language: Language): number {
  return text.match(NEGATION[language])?.length ?? 0;
}

function numbersIn(tokens: readonly Token[]): Token[] {
  return tokens.filter((t) => t.number);
}

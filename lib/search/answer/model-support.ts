import { detectLanguage, type Language } from '../../core/text/index.js';
import type { AnswerPassage } from '../answer-engine.js';
import { sentencesOf } from '../ranking/sentences.js';
import { CLAIM_WORDS } from './claim-words.js';
import { claimOf } from './claim.js';
import { denialsIn } from './denials.js';
import { isDerived } from './derivation/derivation.js';
import type { SourceSentence } from './derivation/source.js';
import { sharesRoot } from './evidence.js';
import type { FoundQuote } from './model-quotes.js';
import { areParaphrases } from './paraphrases.js';
import { tokensOf, type Token } from './tokens.js';

/** Fewer content words are no clause but a member of a list. */
const LEAST_CLAUSE = 3;
const MOST_SPLITS = 3;
const CLAUSE_JOINT: Record<Language, RegExp> = {
  en: /;\s+|,?\s+(?:and|while|but|whereas)\s+/g,
  pt: /;\s+|,?\s+(?:e|enquanto|mas)\s+/g,
  es: /;\s+|,?\s+(?:y|e|mientras que|pero)\s+/g,
  it: /;\s+|,?\s+(?:e|ed|mentre|ma)\s+/g,
  de: /;\s+|,?\s+(?:und|während|aber)\s+/g,
  fr: /;\s+|,?\s+(?:et|tandis que|mais)\s+/g,
};

interface ReadPassage {
  language: Language;
  /** Of title and text. */
  tokens: Token[];
  sentences: SourceSentence[];
}

/**
 * Says whether a sentence of a model rests on what it quotes. Checked in code, by what can be read off the words. Where question and
 * source are in one language, the sentence must follow from a quoted sentence (see {@link isDerived}). Across languages words cannot be
 * compared: there numbers must stand in the quoted sentences, names in the cited passage or its title, and nothing be denied that the
 * source affirms or the other way round.
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
        sentences: sourceSentences(sentencesOf(text), title, own),
      };
    });
  }

  /** @param quotes those of the passages that the sentence cites */
  isSupported(sentence: string, quotes: readonly FoundQuote[]): boolean {
    const own = quotes.filter((q) => this.isInLanguageOf(sentence, q.passage));
    if (own.length === 0) return quotes.length > 0 && this.isLikely(sentence, quotes);
    const sources = own.flatMap((q) => {
      const { sentences, language } = this.passages[q.passage]!;
      return q.sentences.map((at) => ({ ...sentences[at]!, language }));
    });
    if (sources.some((source) => isDerived(sentence, source, source.language))) return true;
    const language = sources[0]!.language;
    return (
      sources.length > 1 &&
      clausesOf(sentence, language).some(([first, second]) => {
        const says = (clause: string, of = sources): boolean =>
          of.some((source) => isDerived(clause, source, language));
        if (!says(first)) return false;
        // "… and was born in Rome": whoever was, is the one of the first clause.
        const subject = (subjectOf(first, language) ?? []).map((t) => t.text).join(' ');
        return (
          says(`${subject} ${second}`) ||
          says(
            second,
            sources.filter((source) => !beginsWithPronoun(source.text, language)),
          )
        );
      })
    );
  }

  /** Whether the words of a sentence can be compared with those of a passage. A short one may not show its language, but shares words. */
  private isInLanguageOf(sentence: string, passage: number): boolean {
    const { language, tokens } = this.passages[passage]!;
    if (language === this.language || detectLanguage(sentence) === language) return true;
    const content = tokensOf(sentence, language).filter((t) => !t.functional && !t.number && !t.name);
    const shared = content.filter((t) => tokens.some((s) => s.term === t.term)).length;
    return content.length > 0 && shared >= 0.5 * content.length;
  }

  /** The whole sentences that a quotation is part of. */
  contextOf({ passage, sentences }: FoundQuote): string {
    return sentences.map((at) => this.passages[passage]!.sentences[at]!.text).join(' ');
  }

  /** What can be checked where the source is in another language. */
  private isLikely(sentence: string, quotes: readonly FoundQuote[]): boolean {
    const tokens = tokensOf(sentence, this.language);
    const contexts = quotes.map((quote) => {
      const { language, sentences: all } = this.passages[quote.passage]!;
      const text = this.contextOf(quote);
      return { text, language, tokens: [...tokensOf(text, language), ...(all[0]?.title ?? [])] };
    });
    const quoted = contexts.flatMap((context) => context.tokens);
    const cited = [...new Set(quotes.map((q) => q.passage))].flatMap((p) => this.passages[p]!.tokens);
    const spoken = detectLanguage(sentence) ?? this.language;
    const denials = Math.max(denialsIn(sentence, spoken), denialsIn(sentence, this.language));
    const names = this.namesIn(tokens, sentence, false);
    // What has neither name nor number has nothing that could be checked.
    return (
      [...numbersIn(tokens), ...names].some((anchor) => this.has(quoted, anchor)) &&
      numbersIn(tokens).every((number) => quoted.some((t) => t.number && t.term === number.term)) &&
      names.every((name) => this.has(cited, name)) &&
      contexts.some(({ text, language }) => denialsIn(text, language) > 0 === denials > 0)
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
}

/** The sentences of a passage, each with what its pronouns stand for: the subject of the sentence before, of the first one the title. */
function sourceSentences(texts: readonly string[], title: string, language: Language): SourceSentence[] {
  const ofTitle = tokensOf(title, language).filter((t) => !t.functional);
  let subject: Token[] = ofTitle;
  return texts.map((text) => {
    const sentence = { text, title: ofTitle, subject };
    const own = subjectOf(text, language);
    // As long as a sentence speaks of the page's topic, by name or by a pronoun, the next one may call it by a pronoun, too.
    const { words } = claimOf(text, language);
    const { pronouns } = CLAIM_WORDS[language];
    const goesOn =
      words.some((w) => ofTitle.some((t) => t.term === w.term)) ||
      (subject.some((t) => ofTitle.includes(t)) && words.some((w) => w.lead.some((l) => pronouns.has(l))));
    subject = own ? [...own, ...(goesOn ? ofTitle : [])] : subject;
    return sentence;
  });
}

/** The first party that a sentence names, as far as function words and capitals mark it off; undefined for a pronoun. */
function subjectOf(text: string, language: Language): Token[] | undefined {
  const { words } = claimOf(text, language);
  const first = words[0];
  if (!first || first.number || first.lead.some((l) => CLAIM_WORDS[language].pronouns.has(l)))
    return undefined;
  let end = 1;
  while (words[end]?.adjacent && !words[end]!.number) end++;
  if (end >= 4 || words[end]?.number) {
    // Nothing marks the verb off: of a name all of it, else the first word alone.
    end = 1;
    while (words[end]?.adjacent && words[end]!.name && first.text !== first.lower) end++;
  }
  return words.slice(0, end);
}

function beginsWithPronoun(text: string, language: Language): boolean {
  return !!claimOf(text, language).words[0]?.lead.some((l) => CLAIM_WORDS[language].pronouns.has(l));
}

/** A sentence in two clauses, in each way in which it can be taken apart. */
function clausesOf(sentence: string, language: Language): [string, string][] {
  const joint = CLAUSE_JOINT[language];
  return [...sentence.matchAll(joint)]
    .map((match): [string, string] => [
      sentence.slice(0, match.index),
      sentence.slice(match.index + match[0].length),
    ])
    .filter((clauses) => clauses.every((c) => claimOf(c, language).words.length >= LEAST_CLAUSE))
    .slice(0, MOST_SPLITS);
}

function numbersIn(tokens: readonly Token[]): Token[] {
  return tokens.filter((t) => t.number);
}

import type { Language } from '../../core/text/index.js';
import { denialPlaces } from './denials.js';
import { onSameSide, oppositionOf } from './opposites.js';
import { areParaphrases } from './paraphrases.js';
import type { Question } from './question.js';
import type { Token } from './tokens.js';
import { rolesOf } from './word-order.js';

/** How far before a word what denies it may stand, in tokens. */
const REACH = 4;
/** Deny what follows without a "not": "failed to win". */
const IMPLICIT: Partial<Record<Language, RegExp>> = {
  en: /(?<!\p{L})(?:fail(?:ed|s)?|unable|refuse[ds]?|decline[ds]?|turn(?:ed|s)? down [^,;.]{0,20}|forg[eo]t|forgotten) to(?!\p{L})/giu,
};
/** Here a denial sets a time, adds something or corrects a party: the event itself took place. */
const NO_DENIAL: Partial<Record<Language, RegExp>> = {
  en: /(?<!\p{L})(?:not|n['’]t) (?:only|just|merely)(?!\p{L})|(?:not|n['’]t|never)(?!\p{L}).*(?<!\p{L})(?:until|till|before|but)(?!\p{L})/iu,
  de: /nicht nur|nicht.*(?:sondern|bis|bevor)/iu,
  es: /no (?:sólo|solo)|no .*(?:sino|hasta)/iu,
  pt: /não (?:só|apenas)|não .*(?:mas|até)/iu,
  it: /non solo|non .*(?:ma|fino)/iu,
  fr: /non seulement|pas .*(?:mais|avant|jusqu)/iu,
};
const OPEN_STATE =
  /(?<!\p{L})(?:is|are|was|were|be|been|stays?|stayed|remains?|remained|kept|keeps) (?:\p{L}+ )?$/iu;
/** Leads to whom the other party of a sale is: "sold it to …". */
const OTHER_PARTY = new Set('from to de da do a para por an von à der dal al'.split(' '));
const AGENT = new Set('by por pelo pela da dal von par'.split(' '));
/** Prepositions that contradict each other before the same word. */
const PREPOSITIONS =
  'before after|above below|under over|with without|inside outside|antes depois|avant après|prima dopo|antes después|vor nach|mit ohne|avec sans|con senza|con sin|com sem'
    .split('|')
    .map((pair) => pair.split(' '));

/** A text and its tokens. */
export interface Clause {
  text: string;
  tokens: readonly Token[];
}

/**
 * Whether a sentence says the contrary of what a question takes for granted: it has the opposite of an asked word ("accepted" for "refuse"), denies it, or
 * affirms what the question denies, and nowhere says it as the question does. Questions for yes or no take nothing for granted.
 */
export function contradictsQuestion(question: Question, said: Clause): boolean {
  if (question.type === 'yesno') return false;
  const { language } = question;
  const isDenied = denialIn(said, language);
  const isDeniedInQuestion = denialIn(question, language);
  const verb = language === 'en' ? rolesOf(question.tokens)?.verb : undefined;
  const infinitive = infinitiveOf(question.tokens, verb);
  const asserted = question.terms.filter((t) => !t.name && !t.number && isAsserted(t, question.tokens));
  for (const term of asserted) {
    // "The hump holds fat, not water": only of the asked verb, or what it leads to, a denial says that it did not happen.
    const isVerb = language !== 'en' || term.at === verb?.at || term.at === infinitive?.at;
    const wanted = isVerb && isDeniedInQuestion(term);
    let affirmed = false;
    let contradicted = false;
    for (const token of said.tokens) {
      const opposite = isOpenState(term, token, said) ? undefined : oppositionOf(term, token, language);
      if (opposite === 'converse' && !isSameParty(question, said.tokens, token)) {
        affirmed = true;
        continue;
      }
      if (!opposite && !meansSame(term, token, language)) continue;
      const alike = (isVerb && isDenied(token)) === wanted;
      if (alike === !opposite) affirmed = true;
      else contradicted = true;
    }
    if (contradicted && !affirmed) return true;
  }
  return hasOtherPreposition(question.tokens, said.tokens);
}

/** "Refuse to *sign*". */
function infinitiveOf(tokens: readonly Token[], verb: Token | undefined): Token | undefined {
  const at = verb ? tokens.findIndex((t) => t.at === verb.at) : -1;
  return at >= 0 && tokens[at + 1]?.lower === 'to' ? tokens[at + 2] : undefined;
}

/** "How deep …" asks for a depth and takes none for granted; "how long did it last" has no last one. */
function isAsserted(term: Token, tokens: readonly Token[]): boolean {
  const at = tokens.findIndex((t) => t.at === term.at);
  if (/^(?:how|wie|quanto|quão|cuánto|combien)$/.test(tokens[at - 1]?.lower ?? '')) return false;
  if (/^(?:last|left|right)$/.test(term.lower)) {
    const next = tokens[at + 1];
    return !!next && !next.functional;
  }
  return true;
}

/** "The shop is open from 9 to 17" says when it closes. */
function isOpenState(asked: Token, { lower, at }: Token, { text }: Clause): boolean {
  const isOfEvent = asked.lower !== 'closed' && asked.lower !== 'shut';
  return isOfEvent && lower === 'open' && OPEN_STATE.test(text.slice(Math.max(0, at - 30), at));
}

function meansSame(a: Token, b: Token, language: Language): boolean {
  if (b.number || b.name) return false;
  return (
    a.term === b.term || onSameSide(a.term, b.term, language) || areParaphrases(a.term, b.term, language)
  );
}

/** Tells of a word of the text whether it is denied. */
function denialIn({ text, tokens }: Clause, language: Language): (token: Token) => boolean {
  if (NO_DENIAL[language]?.test(text)) return () => false;
  const implicit = IMPLICIT[language];
  const places = [
    ...denialPlaces(text, language),
    ...(implicit ? [...text.matchAll(implicit)].map((m) => m.index + m[0].length) : []),
  ];
  if (places.length === 0) return () => false;
  return (token) => {
    // German puts its "nicht" behind the verb as often as before it.
    if (language === 'de') return true;
    const nth = tokens.findIndex((t) => t.at === token.at);
    const from = tokens[Math.max(0, nth - REACH)]!.at;
    const before = places.filter((place) => place >= from && place < token.at);
    return before.some((place) => !/[,;:]/.test(text.slice(place, token.at)));
  };
}

/**
 * Buying and selling, teaching and learning: whether the sentence tells of the party that is asked about what it tells of the other one.
 */
function isSameParty(question: Question, tokens: readonly Token[], verb: Token): boolean {
  const subject = question.language === 'en' ? rolesOf(question.tokens)?.subject : undefined;
  const verbAt = tokens.findIndex((t) => t.at === verb.at);
  if (!subject) return !tokens.slice(verbAt + 1).some((t) => OTHER_PARTY.has(t.lower));
  const at = tokens.findIndex((t) => t.term === subject.term);
  if (at < 0) return true;
  const passive = tokens
    .slice(Math.max(0, verbAt - 2), verbAt)
    .some((t) => /^(?:was|were|is|are|been)$/.test(t.lower));
  if (!passive) return at < verbAt;
  return tokens.slice(verbAt, at).some((t) => AGENT.has(t.lower)) && at > verbAt;
}

/** "Before the war" for "after the war". */
function hasOtherPreposition(asked: readonly Token[], said: readonly Token[]): boolean {
  return asked.some((token, i) => {
    const others = token.functional
      ? PREPOSITIONS.filter((pair) => pair.includes(token.lower)).map((pair) =>
          pair.find((p) => p !== token.lower),
        )
      : [];
    const object = others.length > 0 && asked.slice(i + 1, i + 4).find((t) => !t.functional);
    if (!object) return false;
    const isBefore = (isWanted: (lower: string) => boolean): boolean =>
      said.some(
        (t, k) =>
          isWanted(t.lower) && said.slice(k + 1, k + 4).find((o) => !o.functional)?.term === object.term,
      );
    return isBefore((lower) => others.includes(lower)) && !isBefore((lower) => lower === token.lower);
  });
}

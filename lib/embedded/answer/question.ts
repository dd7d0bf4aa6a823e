import { detectLanguage, languageOfQuestion } from '../../text/detect-language.js';
import { type Language } from '../../text/languages.js';
import { readValues, type Value } from '../../text/read-values.js';
import { functionWords, wordList } from '../../text/word-lists.js';
import { folded, isInCapitals } from '../../search/ranking/analyzer.js';
import { emphasizedWords } from '../../search/ranking/query-terms.js';
import { isSameRoot, wordsOf, type Word } from './words.js';

/** The kind of thing that a question asks for: a number or amount, a date, a person, what something is, or anything else (`open`). */
type QuestionKind = 'number' | 'time' | 'person' | 'definition' | 'open';

/** Tried on the question in lower case without diacritics. The match that stands first counts, of two at one place the first in order. */
const KINDS: Readonly<Record<Language, Record<Exclude<QuestionKind, 'open'>, RegExp>>> = {
  en: {
    time: /\b(?:when|since when|until when|(?:what|which) (?:exact )?(?:years?|dates?|days?|months?|times?|century|decade|season))\b/,
    number:
      /\bhow (?:long|often|frequently|soon|many)\b|\bnumber of\b|\bhow (?:much|tall|high|deep|wide|far|thick|heavy|fast|big|large|small|old|hot|cold|warm|strong|loud|dense|expensive)\b|\bwhat (?:is|was|are|were|does|do|did) .*\b(?:price|cost|costs|fee|salary|height|length|depth|width|distance|weight|mass|temperature|speed|size|area|population|percentage)\b/,
    person: /\b(?:who|whom|whose)\b/,
    definition: /^what (?:is|are) (?:an? |the (?=\S+$))?/,
  },
  de: {
    time: /\b(?:seit wann|bis wann|wann|(?:in |an |um )?welche[rsmn]? (?:jahr|tag|tagen|datum|monat|uhrzeit)|um wie ?viel uhr)\b/,
    number:
      /\bwie (?:lange|oft|haufig)\b|\bwie ?viele?\b|\bwie (?:hoch|tief|lang|breit|weit|gro(?:ss|ß)|schwer|schnell|hei(?:ss|ß)|kalt|warm|alt|teuer)\b|\bwas kostet\b|\bwas kosten\b/,
    person: /\bwe(?:r|n|m|ssen)\b/,
    definition: /^was (?:ist|sind) (?:eine? |d(?:er|ie|as) (?=\S+$))?/,
  },
  fr: {
    time: /\b(?:depuis quand|jusqu'a quand|quand|de quand|(?:en |a )?quel(?:le)?s? (?:annees?|dates?|jours?|mois|heures?|siecle))\b/,
    number:
      /\bcombien\b|\bquelle (?:est la )?duree\b|\bquel(?:le)? (?:est |etait )?(?:le |la |l')?(?:prix|cout|hauteur|longueur|profondeur|distance|largeur|altitude|poids|taille|temperature|vitesse|age)\b/,
    person: /\bqui\b/,
    definition: /^(?:qu'est[ -]ce qu(?:e |')|c'est quoi )(?:une? |l(?:es? |a |')(?=\S+ ?\??$))?/,
  },
  es: {
    time: /\bcuando\b|\b(?:en |a |que )?(?:que|cual) (?:ano|fecha|dia|dias|mes|hora|siglo)\b|\b(?:a|en) que (?:hora|ano|dia|fecha|mes)\b/,
    number:
      /\bcada cuanto\b|\bcuant[oa]s?\b|\b(?:que|cual es (?:el|la)) (?:precio|coste|altura|longitud|profundidad|distancia|peso|temperatura|velocidad|edad|tamano)\b/,
    person: /\bquien(?:es)?\b/,
    definition: /^¿?que (?:es|son) (?:una? |(?:el|las?|los) (?=\S+$))?/,
  },
  it: {
    time: /\bquando\b|\b(?:in |a |che |quale )(?:anno|data|giorno|giorni|mese|ora|secolo)\b|\ba che ora\b/,
    number:
      /\bogni quanto\b|\bquant[oaie]\b|\bqual e (?:il|la|l') ?(?:prezzo|costo|altezza|lunghezza|profondita|distanza|peso|temperatura|velocita|eta)\b/,
    person: /\bchi\b/,
    definition: /^(?:che )?cos(?:a |')(?:e|sono) (?:un(?:[ao]? |')|(?:il |l[oae] |i |gli |l')(?=\S+$))?/,
  },
  pt: {
    time: /\bquando\b|\b(?:em |a )?(?:que|qual) (?:ano|data|dia|dias|mes|hora|horas|seculo)\b/,
    number:
      /\bde quanto em quanto\b|\bquant[oa]s?\b|\bqual (?:e|era|foi) (?:o|a) (?:preco|custo|altura|comprimento|profundidade|distancia|peso|temperatura|velocidade|idade|tamanho)\b/,
    person: /\bquem\b/,
    definition: /^o que (?:e|sao) (?:uma? |(?:os?|as?) (?=\S+$))?/,
  },
};

/** Forms of "to be" in the present. A text that begins with a word and one of them says what it is. */
const TO_BE: Readonly<Record<Language, RegExp>> = {
  en: /^(?:is|are)$/,
  de: /^(?:ist|sind)$/,
  fr: /^(?:est|sont)$/,
  es: /^(?:es|son)$/,
  it: /^(?:è|sono)$/,
  pt: /^(?:é|são)$/,
};

/** Dimensions of `text/units.ts` that go with the words of a question (lower case, no diacritics). The words of a row name one measure. */
const DIMENSIONS: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /\b(?:costs?|price[ds]?|fees?|pay|paid|salary|charged?|expensive|kostet|kosten|preis|gebuhr|teuer|zahlen|coute|couter|cout|prix|tarif|frais|paye[rz]?|cuesta|cuestan|costo|coste|precio|pagar|paga|prezzo|pagare|custa|custam|custo|preco)\b/,
    ['euros', 'dollars', 'pounds', 'francs', 'yen'],
  ],
  [
    /\b(?:how (?:often|frequently|soon|old)|wie (?:lange|oft|alt)|combien de temps|duree|quel age|cuanto (?:tiempo|dura|tarda)|edad|quanto (?:tempo|dura|demora)|eta|idade)\b/,
    ['time'],
  ],
  // A journey or a tunnel.
  [/\bhow long\b|^(?:long|length)$/, ['time', 'length']],
  [
    /\b(?:temperatur[ae]?|temperature|temperatura|degrees?|grad|grados|degres|hot|cold|heiss|heiß)\b/,
    ['temperature', 'degrees'],
  ],
  [
    /\b(?:percentage|per ?cent|share|prozent|anteil|pourcentage|porcentaje|percentuale|percentagem)\b/,
    ['share'],
  ],
  [/\b(?:weight|heavy|weighs?|schwer|wiegt|gewicht|poids|pese|peso|pesa)\b/, ['mass']],
  [/\b(?:speed|fast|schnell|geschwindigkeit|vitesse|velocidad|velocita|velocidade)\b/, ['length']],
  [
    /\b(?:tall|height|how high|hohe|wie hoch|hauteur|altitude|altura|altitud|altezza|quanto (?:e )?alt[oa])\b|^(?:high|hoch|haut|alt[oa])$/,
    ['length'],
  ],
  [/\b(?:depth|deep|tief|tiefe|profondeur|profundidad|profondita|profundidade)\b/, ['length']],
  [/\b(?:wide|width|breit|breite|largeur|anchura)\b/, ['length']],
  [/\b(?:far|distance|length|weit|lang|longueur|longitud|lunghezza|comprimento)\b|^long$/, ['length']],
];

export interface Question {
  language: Language;
  /** The same where the question itself shows it; undefined for a few words that do not. */
  spoken: Language | undefined;
  words: Word[];
  /** Words that the answer or its context should have: neither functional nor part of asking. At least one. */
  terms: Word[];
  kind: QuestionKind;
  /** Dimensions that the answer may have (`length`, `euros`), if the question says so. */
  dimensions?: readonly string[];
  /** Meets the words of the measure asked for, lower case without diacritics: `high`, `height` and `tall` are one. */
  measure?: RegExp;
  values: readonly Value[];
  /** Stem of the noun that is asked for: "which *river*", "how many *moons*". */
  head?: string;
}

/**
 * Takes a query apart.
 * @param pages words of the pages, as written and in lower case, and their language: a query whose words they have is in that language
 */
export function analyseQuestion(
  text: string,
  pages: { words: ReadonlySet<string>; language: Language } = { words: new Set(), language: 'en' },
): Question {
  const language = languageOfQuestion(text, pages);
  const plain = text.toLowerCase().replace(/[‘’]/g, "'").trim();
  const bare = plain.normalize('NFD').replace(/\p{M}+/gu, '');
  const [measure, dimensions] = DIMENSIONS.find(([pattern]) => pattern.test(bare)) ?? [];
  const words = wordsOf(text, language);
  const emphasized = new Set(emphasizedWords(text, (word) => functionWords(language).has(word)).values());
  // "WHERE is it?" only stresses its word: the pages do not write it so.
  const isMeant = ({ text: word }: Word): boolean =>
    emphasized.has(word) && (!isInCapitals(word) || pages.words.has(word));
  const content = words.filter((w) => !w.isFunctional || isMeant(w));
  const asking = wordList(language, 'askingWords');
  const needed = content.filter((w) => !asking.has(w.lower));
  const terms = distinct(needed.length > 0 ? needed : content.length > 0 ? content : words);
  const head = headOf(words);
  const kind = kindOf(bare, language, dimensions !== undefined);
  // "What is your refund policy" asks for more than what the words mean.
  const asksFor = KINDS[language].definition.exec(bare)?.[0].length ?? 0;
  const isOnlyTerms = words.filter(({ start }) => start >= asksFor).every((word) => terms.includes(word));
  return {
    language,
    spoken: detectLanguage(text) && language,
    words,
    terms,
    kind: kind === 'definition' && !isOnlyTerms ? 'open' : kind,
    values: readValues(text, language),
    ...(dimensions ? { dimensions, measure } : {}),
    ...(head ? { head } : {}),
  };
}

/** A question word stands in the first characters of a question; a later one begins a clause ("Can I go when it rains?"); set by hand. */
const LATEST = 20;
function kindOf(bare: string, language: Language, isMeasured: boolean): QuestionKind {
  const found = Object.entries(KINDS[language])
    .map(([kind, pattern]) => ({ kind: kind as QuestionKind, at: bare.search(pattern) }))
    .filter(({ at }) => at >= 0 && at <= LATEST)
    .sort((a, b) => a.at - b.at);
  const kind = found[0]?.kind ?? 'open';
  // "What does it cost", "at which temperature", "height of the tower".
  return isMeasured && kind === 'open' ? 'number' : kind;
}

function distinct(words: readonly Word[]): Word[] {
  return [...new Map(words.map((w) => [w.term, w])).values()];
}

const HEADED =
  /^(?:which|what|many|que|qual|quais|quantos|quantas|qué|cuál|cuáles|cuántos|cuántas|cuantos|cuantas|quale|quali|quanti|quante|welche[rsmn]?|viele|quel|quelle|quels|quelles|combien)$/;

function headOf(words: readonly Word[]): string | undefined {
  const at = words.findIndex((w) => HEADED.test(w.lower));
  if (at < 0) return undefined;
  const next =
    words[at + 1]?.isFunctional && words[at + 1]!.lower.length <= 2 ? words[at + 2] : words[at + 1];
  return next?.isFunctional ? undefined : next?.term;
}

const YEAR = /^(?:1\d|20)\d{2}$/;

/**
 * How clearly a text has the kind of words that the question asks for and does not have itself, 0 not at all .. 1. Undefined for kinds that
 * code cannot recognise: only numbers, times, names and definitions are.
 */
export function evidenceOf(
  question: Question,
  text: string,
  words: readonly Word[],
  language: Language,
): number | undefined {
  switch (question.kind) {
    case 'number':
      return amountMatch(question, text, words, language);
    case 'time':
      return timeMatch(question, text, language);
    case 'person':
      return nameMatch(text, words, new Set(question.words.map((w) => w.term)));
    case 'definition':
      return isDefinition(question, text, words, language) ? 1 : 0;
    default:
      return undefined;
  }
}

/** Values of a text that the question does not name itself. */
function freshValues(question: Question, text: string, language: Language): Value[] {
  return readValues(text, language).filter(
    (value) => !question.values.some((v) => v.kind === value.kind && v.readings[0] === value.readings[0]),
  );
}

/** A value of the measure asked for, or next to the noun asked for. A bare year is no amount, nor is a value of another unit. */
function amountMatch(question: Question, text: string, words: readonly Word[], language: Language): number {
  const { dimensions, head, measure } = question;
  let best = 0;
  for (const value of freshValues(question, text, language)) {
    if (value.kind !== 'number') continue;
    const near = words.filter((w) => w.start < value.end + NEAR && w.end > value.start - NEAR);
    const dimension = value.unit?.dimension.split('/')[0];
    const isMeasured = dimension !== undefined && dimensions?.includes(dimension);
    const isCounted = head !== undefined && near.some((w) => w.term === head);
    if (isMeasured && isOther(near, dimension, measure)) continue;
    const isYear = !value.unit && YEAR.test(value.text);
    best = Math.max(
      best,
      isMeasured || isCounted ? 1 : isYear || (dimensions && dimension) ? 0 : dimensions || head ? 0.4 : 0.9,
    );
  }
  return best;
}

/** Characters around a value in which its measure or what is counted stands; set by hand. */
const NEAR = 30;

/** "3,530 km long" is no depth: the words at a value name another measure of its dimension, and not that asked for. */
function isOther(near: readonly Word[], dimension: string, measure: RegExp | undefined): boolean {
  const named = near.map((w) => folded(w.lower));
  const others = DIMENSIONS.filter(([, dimensions]) => dimensions.includes(dimension));
  return (
    !named.some((word) => measure?.test(word)) &&
    others.some(([pattern]) => named.some((word) => pattern.test(word)))
  );
}

function timeMatch(question: Question, text: string, language: Language): number {
  let best = 0;
  for (const { kind, unit, text: written } of freshValues(question, text, language)) {
    const isDate = kind !== 'number' || YEAR.test(written);
    best = Math.max(best, isDate ? 1 : unit?.dimension === 'time' ? 0.7 : 0.4);
  }
  return best;
}

/** Two capitals in a row are a name; one alone may be a German noun, one at the beginning of a sentence any word. */
function nameMatch(text: string, words: readonly Word[], asked: ReadonlySet<string>): number {
  let best = 0;
  words.forEach((word, i) => {
    if (asked.has(word.term) || word.isFunctional || word.isNumber || !/^\p{Lu}/u.test(word.text)) return;
    const next = words[i + 1];
    const isRun =
      !!next &&
      next.start - word.end <= 2 &&
      !next.isFunctional &&
      !next.isNumber &&
      /^\p{Lu}/u.test(next.text);
    const isWithin = /[\p{L}\p{N},;] ["'“„«(]?$/u.test(text.slice(Math.max(0, word.start - 3), word.start));
    best = Math.max(best, isRun ? 1 : isWithin ? 0.7 : 0);
  });
  return best;
}

/** Longest remark behind the subject of a definition, with the verb, words; set by hand. */
const REMARK = 8;

/** A text that begins with the terms and goes on with "is", perhaps behind a remark between commas or in parentheses. */
function isDefinition(
  { terms }: Question,
  text: string,
  words: readonly Word[],
  language: Language,
): boolean {
  const first = words.findIndex((word) => !word.isFunctional);
  if (first < 0 || !terms.every(({ term }, i) => isSameRoot(term, words[first + i]?.term ?? '')))
    return false;
  const next = first + terms.length;
  const hasRemark = /^ ?[,(–]/.test(text.slice(words[next - 1]!.end));
  return words.slice(next, hasRemark ? next + REMARK : next + 1).some((w) => TO_BE[language].test(w.lower));
}

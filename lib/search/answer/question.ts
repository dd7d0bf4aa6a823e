import { detectLanguage, type Language } from '../../core/text/index.js';
import { askedPart } from '../rewrite/asked-part.js';
import { tokensOf, type Token } from './tokens.js';

/** What kind of words would answer a question. */
export type AnswerType =
  | 'person'
  | 'year'
  | 'time'
  | 'place'
  | 'count'
  | 'measure'
  | 'reason'
  | 'manner'
  | 'colour'
  | 'definition'
  | 'thing'
  | 'yesno'
  | 'topic';

/** What a measure is of; decides which units count. */
export type Dimension =
  | 'length'
  | 'time'
  | 'weight'
  | 'speed'
  | 'money'
  | 'temperature'
  | 'area'
  | 'share'
  | 'energy'
  | 'extent'
  | 'any';

/** A question taken apart. */
export interface Question {
  language: Language;
  /** What is asked, without the small talk around it. */
  text: string;
  tokens: Token[];
  /** What must be found, in order: every token that is neither functional nor part of asking. */
  terms: Token[];
  type: AnswerType;
  dimension?: Dimension;
  /** Stem of what is asked for: "which *river*", "how many *moons*". */
  head?: string;
}

type Pattern = [RegExp, AnswerType, Dimension?];

/** Tried in order on the question in lower case; the first that fits decides. */
const PATTERNS: Record<Language, Pattern[]> = {
  en: [
    [/\b(?:what|which) (?:year|century|decade)\b/, 'year'],
    [/\b(?:what|which) (?:date|day|month|time|season|era|period)\b/, 'time'],
    [/\b(?:what|which) colou?rs?\b/, 'colour'],
    [/\bhow (?:tall|high|deep|wide|far|thick|large across|big across)\b/, 'measure', 'length'],
    [/\bhow (?:heavy|much (?:does|do|did) [^?]* weigh)/, 'measure', 'weight'],
    [/\b(?:how fast|what speed)\b/, 'measure', 'speed'],
    [/\bhow (?:hot|cold|warm)\b/, 'measure', 'temperature'],
    [
      /\b(?:how much (?:does|do|did) [^?]*\bcost|how (?:expensive|much money)|what (?:is|was) the (?:price|cost|prize money|salary|budget))/,
      'measure',
      'money',
    ],
    [
      /\bhow long (?:does|do|did|can|will|would|has|have|may)\b.*\b(?:live|last|take|survive|stay|keep|need|spend|sleep|wait|been|rule|reign|work|lived|lasted)\b/,
      'measure',
      'time',
    ],
    [/\bhow long\b/, 'measure', 'extent'],
    [/\bhow (?:old|often|frequently|soon)\b/, 'measure', 'time'],
    [
      /\b(?:what (?:percentage|share|proportion|fraction|percent)|how (?:much|large a share) of the)\b/,
      'measure',
      'share',
    ],
    [
      /\bwhat (?:is|was|were|are) (?:the |its |their )?(?:[\p{L}-]+ )?(?:height|length|depth|width|distance|diameter|radius|altitude|elevation)\b/u,
      'measure',
      'length',
    ],
    [
      /\bwhat (?:is|was|were|are) (?:the |its |their )?(?:[\p{L}-]+ )?(?:weight|mass)\b/u,
      'measure',
      'weight',
    ],
    [
      /\bwhat (?:is|was) (?:the |its )?(?:[\p{L}-]+ )?(?:temperature|boiling point|melting point|freezing point)\b/u,
      'measure',
      'temperature',
    ],
    [/\bwhat (?:is|was) (?:the |its )?(?:[\p{L}-]+ )?(?:area|surface)\b/u, 'measure', 'area'],
    [/\bwhat (?:is|was) (?:the |its )?(?:[\p{L}-]+ )?(?:speed|velocity)\b/u, 'measure', 'speed'],
    [
      /\bwhat (?:is|was) (?:the |its )?(?:[\p{L}-]+ )?(?:age|lifespan|life span|duration)\b/u,
      'measure',
      'time',
    ],
    [
      /\bwhat (?:is|was) (?:the |its )?(?:[\p{L}-]+ )?(?:population|number|amount|size|capacity)\b/u,
      'measure',
      'any',
    ],
    [/\b(?:how many|what number of)\b/, 'count'],
    [/\bhow (?:much|big|large|small|strong|bright)\b/, 'measure', 'any'],
    [/\b(?:who|whom|whose)\b/, 'person'],
    [/\bwhen\b/, 'time'],
    [
      /\b(?:where|(?:what|which) (?:country|city|place|continent|town|state|region|village|island|province))\b/,
      'place',
    ],
    [
      /\b(?:why|(?:what|which) (?:is|was|were|are) the (?:reason|cause)s?|for what reason|what (?:causes|caused))\b/,
      'reason',
    ],
    [/\bhow\b/, 'manner'],
    [/^(?:so |and )?what (?:is|are|was|were) (?:a |an |the )?(?:[\p{L}\p{N}'’-]+ ?){1,3}\??$/u, 'definition'],
    [/\b(?:what (?:does|do|did) .* mean|define|definition of|meaning of)\b/, 'definition'],
    [/\b(?:what|which)\b/, 'thing'],
    [/^(?:is|are|was|were|do|does|did|can|could|has|have|had|will|would|should|may|must)\b.*\?/, 'yesno'],
  ],
  pt: [
    [/\b(?:em )?(?:que|qual) (?:ano|século|década)\b/, 'year'],
    [/\bde que cor\b|\bqual (?:é|era) a cor\b/, 'colour'],
    [/\bquant[oa]s\b/, 'count'],
    [
      /\bqual (?:é|era|foi) (?:a|o) (?:altura|comprimento|profundidade|distância|largura)\b|\bque (?:altura|comprimento)\b/,
      'measure',
      'length',
    ],
    [/\bquanto (?:pesa|pesava)\b/, 'measure', 'weight'],
    [/\bquanto (?:custa|custou)\b/, 'measure', 'money'],
    [/\bquanto tempo\b|\bque idade\b/, 'measure', 'time'],
    [/\bquant[oa]\b/, 'measure', 'any'],
    [/(?:^|\s)quem\b/, 'person'],
    [/(?:^|\s)quando\b/, 'time'],
    [/(?:^|\s)onde\b|\bem que (?:país|cidade|continente|lugar)\b|\bqual (?:é )?a capital\b/, 'place'],
    [/\bpor ?qu[eê]\b/, 'reason'],
    [/(?:^|\s)como\b/, 'manner'],
    [/^o que (?:é|são|era|foi)\b/, 'definition'],
    [/(?:^|\s)(?:que|qual|quais)\b.*\?/, 'thing'],
  ],
  es: [
    [/\b(?:en )?(?:qué|que) (?:año|siglo|década)\b/, 'year'],
    [/\bde qué color\b|\bcuál es el color\b/, 'colour'],
    [/cuánt[oa]s\b/, 'count'],
    [
      /cuál (?:es|era|fue) (?:la|el) (?:altura|longitud|profundidad|distancia|anchura)\b|\bqué (?:altura|longitud) /,
      'measure',
      'length',
    ],
    [/cuánto (?:pesa|pesaba)\b/, 'measure', 'weight'],
    [/cuánto (?:cuesta|costó)\b/, 'measure', 'money'],
    [/cuánto tiempo\b|\bqué edad\b/, 'measure', 'time'],
    [/cuánt[oa]\b/, 'measure', 'any'],
    [/(?:qui[eé]n(?:es)?)\b/, 'person'],
    [/cu[aá]ndo\b/, 'time'],
    [/d[oó]nde\b|\ben qué (?:país|ciudad|continente|lugar)\b|cuál es la capital\b/, 'place'],
    [/\bpor qu[eé]\b/, 'reason'],
    [/(?:^|[\s¿])c[oó]mo\b/, 'manner'],
    [/^¿?qué (?:es|son|era|fue)\b/, 'definition'],
    [/(?:^|[\s¿])(?:qué|cu[aá]l(?:es)?)(?:\s|$)/, 'thing'],
  ],
  it: [
    [/\b(?:in )?(?:che|quale) (?:anno|secolo|decennio)\b/, 'year'],
    [/\bdi che colore\b|\bqual è il colore\b/, 'colour'],
    [/\bquant[ie]\b/, 'count'],
    [
      /\bquanto (?:è|era) (?:alt|lung|profond|larg)[oa]\b|\bqual è (?:l['’]altezza|la lunghezza|la profondità|la distanza)\b/,
      'measure',
      'length',
    ],
    [/\bquanto (?:pesa|pesava)\b/, 'measure', 'weight'],
    [/\bquanto (?:costa|costò)\b/, 'measure', 'money'],
    [/\bquanto tempo\b|\bquanti anni\b/, 'measure', 'time'],
    [/\bquant[oa]\b/, 'measure', 'any'],
    [/\bchi\b/, 'person'],
    [/\bquando\b/, 'time'],
    [
      /\bdove\b|\bdov['’]|\bin (?:che|quale) (?:paese|città|continente|luogo)\b|\bqual è la capitale\b/,
      'place',
    ],
    [/\bperch[eé]/, 'reason'],
    [/\bcome\b/, 'manner'],
    [/^(?:che )?cos['’]?(?:a|è)? ?(?:è|sono|era)?\b/, 'definition'],
    [/\b(?:quale?|quali|che)\b.*\?/, 'thing'],
  ],
  de: [
    [/\b(?:in )?welche[mns] (?:jahr|jahrhundert|jahrzehnt)\b/, 'year'],
    [/\bwelche farbe\b/, 'colour'],
    [/\bwie ?viele?\b.*\bkostet/, 'measure', 'money'],
    [/\bwie ?viele\b/, 'count'],
    [/\bwie (?:hoch|tief|lang|breit|weit|groß)\b/, 'measure', 'length'],
    [/\bwie schwer\b|\bwie ?viel wiegt\b/, 'measure', 'weight'],
    [/\bwie schnell\b/, 'measure', 'speed'],
    [/\bwie (?:heiß|kalt|warm)\b/, 'measure', 'temperature'],
    [/\bwie (?:alt|lange|oft)\b/, 'measure', 'time'],
    [/\bwie ?viel\b/, 'measure', 'any'],
    [/\bwe(?:r|n|m|ssen)\b/, 'person'],
    [/\bwann\b/, 'time'],
    [/\b(?:wo|woher|wohin)\b|\bin welche[mr] (?:land|stadt|kontinent|ort)\b/, 'place'],
    [/\b(?:warum|wieso|weshalb)\b/, 'reason'],
    [/\bwie\b/, 'manner'],
    [/^was (?:ist|sind|war|waren|bedeutet)\b/, 'definition'],
    [/\b(?:was|welche[rsmn]?)\b/, 'thing'],
  ],
  fr: [
    [/\b(?:en )?quel(?:le)? (?:année|siècle|décennie)\b/, 'year'],
    [/\bde quelle couleur\b|\bquelle est la couleur\b/, 'colour'],
    [/\bcombien (?:de|d['’])\s?temps\b|\bquel âge\b/, 'measure', 'time'],
    [/\bcombien (?:de|d['’])/, 'count'],
    [/\bquelle est (?:la )?(?:hauteur|longueur|profondeur|distance|largeur|altitude)\b/, 'measure', 'length'],
    [/\bcombien p[eè]se/, 'measure', 'weight'],
    [/\bcombien co[uû]te/, 'measure', 'money'],
    [/\bcombien\b/, 'measure', 'any'],
    [/\b(?:quel(?:le)? (?:est|était|fut) (?:l['’]homme|la femme|la personne)|qui)\b/, 'person'],
    [/\bquand\b|\bà quelle date\b/, 'time'],
    [
      /(?:^|\s)où(?:\s|$)|\bdans quel(?:le)? (?:pays|ville|continent|lieu)\b|\bquelle est la capitale\b/,
      'place',
    ],
    [/\bpourquoi\b/, 'reason'],
    [/\bcomment\b/, 'manner'],
    [/^qu['’]est[ -]ce (?:que?|qu['’]) ?(?:c['’]est )?/, 'definition'],
    [/\b(?:quel(?:le)?s?|que|quoi|laquelle|lequel)\b.*\?/, 'thing'],
  ],
};

/** Words that ask or tie the question together and need not stand in an answer. */
const ASKING: Record<Language, ReadonlySet<string>> = {
  en: new Set(
    'name named call called known type kind sort happen happened take place year date time number amount many does exactly approximately main'.split(
      ' ',
    ),
  ),
  pt: new Set('nome chamado chama tipo ano data número'.split(' ')),
  es: new Set('nombre llamado llama tipo año fecha número'.split(' ')),
  it: new Set('nome chiamato chiama tipo anno data numero'.split(' ')),
  de: new Set('name heißt genannt art jahr datum zahl gibt'.split(' ')),
  fr: new Set('nom appelé appelle type année date nombre'.split(' ')),
};

/** Words that only say what kind of text on a topic is wanted. */
const FRAMING: ReadonlySet<string> = new Set(
  (
    'common typical main important various general overview introduction basic basics list examples example facts information comuns principais visão geral ' +
    'comunes principales resumen comuni principali panoramica häufige wichtige überblick communs communes principaux principales aperçu'
  ).split(' '),
);

/**
 * Takes a query apart.
 * @param fallback language where the query does not tell its own, e.g. that of the passages
 */
export function analyseQuestion(query: string, fallback: Language = 'en'): Question {
  const asked = askedPart(query);
  const language = detectLanguage(asked) ?? detectLanguage(query) ?? fallback;
  const lower = asked.toLowerCase().trim();
  const [, type = 'topic', dimension] = PATTERNS[language].find(([pattern]) => pattern.test(lower)) ?? [];
  const isTopic = type === 'topic';
  const tokens = tokensOf(asked, language);
  const content = tokens.filter((t) => !t.functional);
  const idle = isTopic ? FRAMING : ASKING[language];
  const needed = content.filter((t) => t.name || t.number || !idle.has(t.lower));
  const head = headOf(tokens, type, language);
  return {
    language,
    text: asked,
    tokens,
    terms: needed.length > 0 ? needed : content.length > 0 ? content : tokens,
    type,
    ...(dimension ? { dimension } : {}),
    ...(head ? { head } : {}),
  };
}

const HEADED = new Set([
  'which',
  'what',
  'many',
  'que',
  'qual',
  'quais',
  'quantos',
  'quantas',
  'qué',
  'cuál',
  'cuántos',
  'cuántas',
  'quale',
  'quali',
  'quanti',
  'quante',
  'welche',
  'welcher',
  'welches',
  'viele',
  'quel',
  'quelle',
  'quels',
  'quelles',
  'combien',
]);

/** The noun after "which" or "how many": the last of the content words that follow directly. */
function headOf(tokens: readonly Token[], type: AnswerType, language: Language): string | undefined {
  if (!['thing', 'count', 'place', 'colour'].includes(type)) return undefined;
  const at = tokens.findIndex((t) => HEADED.has(t.lower));
  let next = tokens[at + 1];
  if (at < 0 || !next) return undefined;
  // French "combien de planètes", Italian has none.
  if (language === 'fr' && next.functional) next = tokens[at + 2];
  return next && !next.functional && !next.name ? next.term : undefined;
}

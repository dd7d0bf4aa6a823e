import type { Language } from '../../core/text/index.js';
import type { Dimension, Question } from './question.js';
import type { Token } from './tokens.js';

const MONTHS =
  'january february march april may june july august september october november december janeiro fevereiro março abril maio junho julho agosto ' +
  'setembro outubro novembro dezembro enero febrero marzo mayo junio julio septiembre octubre noviembre diciembre gennaio febbraio aprile maggio ' +
  'giugno luglio settembre ottobre dicembre januar februar märz mai juni juli oktober dezember janvier février mars avril juin juillet août ' +
  'septembre octobre novembre décembre';
const PERIODS =
  'monday tuesday wednesday thursday friday saturday sunday spring summer autumn winter morning evening night noon midnight dawn dusk century centuries ' +
  'decade decades ago bc bce ad season século siglo secolo jahrhundert siècle primavera verão verano estate été frühling sommer herbst années anos años anni jahre';
/** Months, days, seasons and eras. */
export const TIME_WORDS: ReadonlySet<string> = new Set(`${MONTHS} ${PERIODS}`.split(' '));

const COLOURS = new Set(
  (
    'red blue green yellow white black brown grey gray orange purple pink violet golden gold silver scarlet crimson turquoise reddish bluish greenish ' +
    'yellowish cream beige vermelho azul verde amarelo branco preto castanho cinzento laranja roxo rojo amarillo blanco negro marrón gris rosa rosso blu ' +
    'giallo bianco nero marrone grigio rot blau grün gelb weiß schwarz braun grau rouge bleu vert jaune blanc noir brun'
  ).split(' '),
);

const UNITS: Record<Exclude<Dimension, 'any' | 'extent'>, string> = {
  length:
    'm km cm mm nm metre metres meter meters kilometre kilometres kilometer kilometers centimetre centimetres centimeter centimeters millimetre ' +
    'millimetres millimeter millimeters micrometres micrometers mile miles foot feet ft inch inches yard yards fathoms metro metros quilómetros quilômetros ' +
    'kilómetros metri chilometri kilometern mètres kilomètres light-years light storeys floors hands',
  time:
    'second seconds minute minutes hour hours day days week weeks month months year years decade decades century centuries night nights millisecond milliseconds ' +
    'daily weekly monthly yearly annually hourly once twice times every segundos minutos horas dias días semanas meses anos años secondi minuti ore giorni ' +
    'settimane mesi anni sekunden minuten stunden tage tagen wochen monate jahre jahren secondes heures jours semaines mois ans années million millions',
  weight:
    'kg g mg t gram grams gramme grammes kilogram kilograms kilo kilos tonne tonnes ton tons pound pounds lb lbs ounce ounces gramas quilos toneladas gramos ' +
    'kilogramos grammi chili tonnellate gramm kilogramm tonnen kilogrammes',
  speed:
    'kmh mph km/h knots kilometres kilometers metres meters miles hour second speed hora segundo ora stunde sekunde heure seconde',
  money:
    '€ $ £ euro euros dollar dollars pound pounds cent cents franc francs yen rupee rupees crown crowns mark marks lira lire peso pesos florins ducats shillings ' +
    'million billion dólares dollari livres guilders guineas talents denarii reais',
  temperature: '° °c °f degree degrees celsius fahrenheit kelvin graus grados gradi grad degrés',
  area: 'square hectare hectares acre acres km² m² quadrados cuadrados quadrati quadratkilometer carrés',
  share:
    '% percent per cent percentage half third quarter fifth tenth two-thirds majority por cento ciento prozent hälfte moitié tiers pour metade mitad metà fraction parts',
  energy: 'joule joules watt watts kilowatt kilowatts volt volts calories kilocalories kwh megawatts',
};
const unitSets: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(UNITS).map(([dimension, list]) => [dimension, new Set(list.split(' '))]),
);

/** Numbers as words beyond those that `tokensOf` reads. */
const LARGE_NUMBERS = new Set(
  'hundred thousand million millions billion billions dozen half third quarter fifth tenth cem cien cento hundert tausend cent mille mil'.split(
    ' ',
  ),
);
const VAGUE_NUMBERS = new Set(
  'hundreds thousands millions dozens several pair couple twin single double triple no none once twice many few both half dezenas centenas milhares cientos miles centinaia migliaia hunderte tausende centaines milliers'.split(
    ' ',
  ),
);

const REASONS: Record<Language, RegExp> = {
  en: /\b(?:because|since|due to|owing to|as a result|result of|so that|so the|in order to|caused?|causes|therefore|thanks to|reason|which (?:is why|means|makes|made|lets|let|helps?|keeps?|allows?)|led to|leads to|makes?|to (?:avoid|prevent|protect|escape|keep|save|make|stop|reach|reduce|cool|attract|help|raise|pay|mark|honou?r|celebrate|defend|control)|for (?:fear|lack|want)|to be|lack of|after|when|as (?:it|they|he|she|the)|by \w+ing)\b/i,
  pt: /\b(?:porque|pois|devido|por causa|para que|uma vez que|já que|resultado|graças)\b|\bpara \p{L}+r\b/iu,
  es: /\b(?:porque|pues|debido|a causa|para que|ya que|puesto que|resultado|gracias)\b|\bpara \p{L}+r\b/iu,
  it: /\b(?:perch[eé]|poich[eé]|siccome|a causa|affinch[eé]|dato che|grazie a|dovuto|dovuta)|\bper \p{L}+re\b/iu,
  de: /\b(?:weil|da|denn|wegen|damit|aufgrund|dadurch|deshalb|um [^.]* zu|durch|mangels|\w+mangel)\b/i,
  fr: /\b(?:parce que|car|puisque|à cause|afin|en raison|grâce à|dû|due)\b|\bpour \p{L}+r\b/iu,
};
const MANNERS: Record<Language, RegExp> = {
  en: /\b(?:by|through|using|with|via|into|from|when|as|until|then|so that)\b/i,
  pt: /\b(?:através|por meio|com|usando|ao|por)\b/i,
  es: /\b(?:mediante|a través|con|usando|al|por)\b/i,
  it: /\b(?:attraverso|mediante|con|usando|tramite|da)\b/i,
  de: /\b(?:durch|mit|indem|mittels|über|von)\b/i,
  fr: /\b(?:par|grâce|avec|en|au moyen)\b/i,
};
/** Lead to a place. */
export const PLACE_PREPOSITIONS: ReadonlySet<string> = new Set(
  'in at near from to on through into across along between under beneath inside within around em no na perto de en cerca a presso bei nach aus dans à près'.split(
    ' ',
  ),
);
const PLACE_WORDS = new Set(
  (
    'sea ocean forest forests desert deserts mountains mountain river rivers lake lakes coast island islands north south east west cave caves valley city town ' +
    'village country field fields ground soil water sky house museum church school laboratory garden border bank banks equator pole poles stomach liver heart ' +
    'brain cell cells nucleus underground surface leaves roots blood'
  ).split(' '),
);
const PEOPLE =
  /\b(?:engineers?|scientists?|king|queen|emperor|workers?|soldiers?|sailors?|monks?|traders?|farmers?|priests?|doctors?|women|men|people|children|peasants|nobles|president|prime minister|pharaohs?|bishop|pope|captain|general|merchants?|slaves|settlers|citizens|romans|greeks)\b/i;

/** How well the kind of words that a question asks for is met by a sentence, and whether by the strongest sign of it. */
export interface TypeMatch {
  /** 0 no sign, 1 a clear one. */
  match: number;
  /** False where nearly any sentence would pass (definitions, things, topics). */
  decisive: boolean;
}

/** Looks for words of the kind that the question asks for and that are not in the question itself. */
export function matchAnswerType(question: Question, sentence: string, tokens: readonly Token[]): TypeMatch {
  const asked = new Set(question.tokens.map((t) => t.term));
  const fresh = tokens.filter((t) => !asked.has(t.term));
  const numbers = fresh.filter((t) => t.number);
  switch (question.type) {
    case 'year':
      return decisive(
        numbers.some(isYear) || /\b(?:century|século|siglo|secolo|jahrhundert|siècle)/i.test(sentence)
          ? 1
          : 0,
      );
    case 'time':
      if (numbers.some(isYear)) return decisive(1);
      return decisive(
        fresh.some((t) => TIME_WORDS.has(t.lower))
          ? 0.9
          : /\b(?:when|after|before|during|until|while)\b/i.test(sentence)
            ? 0.45
            : numbers.length > 0
              ? 0.3
              : 0,
      );
    case 'count':
      return decisive(countMatch(question, tokens, asked));
    case 'measure':
      return decisive(measureMatch(question.dimension ?? 'any', sentence, tokens, asked));
    case 'colour':
      return decisive(fresh.some((t) => COLOURS.has(t.lower)) ? 1 : 0);
    case 'person':
      return decisive(personMatch(sentence, tokens, asked));
    case 'place':
      return decisive(placeMatch(tokens, asked));
    case 'reason':
      return decisive(REASONS[question.language].test(sentence) ? 1 : 0.3);
    case 'manner':
      return decisive(MANNERS[question.language].test(sentence) ? 0.8 : 0.4);
    case 'definition':
      return { match: definitionMatch(question, tokens), decisive: false };
    case 'thing':
      return { match: fresh.some((t) => !t.functional) ? 0.8 : 0.2, decisive: false };
    case 'yesno':
    case 'topic':
      return { match: 0.8, decisive: false };
  }
}

function decisive(match: number): TypeMatch {
  return { match, decisive: true };
}

/** A year of history: four digits, or three with an era. */
export function isYear(token: Token): boolean {
  return (
    token.number && /^\d{3,4}$/.test(token.term) && Number(token.term) >= 100 && Number(token.term) <= 2100
  );
}

function countMatch(question: Question, tokens: readonly Token[], asked: ReadonlySet<string>): number {
  let best = 0;
  tokens.forEach((token, i) => {
    const isNumber = (token.number || LARGE_NUMBERS.has(token.lower)) && !asked.has(token.term);
    if (!isNumber && !VAGUE_NUMBERS.has(token.lower)) return;
    const near = tokens.slice(i + 1, i + 5).some((t) => t.term === question.head);
    const around = tokens.slice(Math.max(0, i - 5), i).some((t) => t.term === question.head);
    const year = isNumber && isYear(token) && /^\d{4}$/.test(token.text);
    best = Math.max(best, isNumber ? (near ? 1 : around ? 0.7 : year ? 0.15 : 0.45) : near ? 0.5 : 0.25);
  });
  return best;
}

function measureMatch(
  dimension: Dimension,
  sentence: string,
  tokens: readonly Token[],
  asked: ReadonlySet<string>,
): number {
  const numberAt = tokens.findIndex(
    (t) => t.number && !asked.has(t.term) && !(isYear(t) && /^\d{4}$/.test(t.text)),
  );
  const symbol = /[%€$£°]/.exec(sentence)?.[0];
  if (dimension === 'any')
    return numberAt >= 0 || symbol ? 0.9 : tokens.some((t) => VAGUE_NUMBERS.has(t.lower)) ? 0.5 : 0;
  if (dimension === 'extent') {
    return Math.max(
      measureMatch('time', sentence, tokens, asked),
      measureMatch('length', sentence, tokens, asked),
    );
  }
  const units = unitSets.get(dimension)!;
  if (symbol && units.has(symbol)) return 1;
  let best = numberAt >= 0 ? 0.25 : 0;
  tokens.forEach((token, i) => {
    if (!units.has(token.lower)) return;
    const before = tokens.slice(Math.max(0, i - 3), i);
    const counted = before.some(
      (t) =>
        t.number ||
        VAGUE_NUMBERS.has(t.lower) ||
        /^(?:million|billion|thousand|hundred|a|an|every)$/.test(t.lower),
    );
    best = Math.max(best, counted || token.number ? 1 : 0.5);
  });
  return best;
}

/** A new name is a person's unless it follows a preposition of place or time. */
function personMatch(sentence: string, tokens: readonly Token[], asked: ReadonlySet<string>): number {
  let best = startsWithNewName(tokens, asked) ? 0.7 : PEOPLE.test(sentence) ? 0.6 : 0;
  tokens.forEach((token, i) => {
    if (!token.name || asked.has(token.term) || TIME_WORDS.has(token.lower)) return;
    let first = i;
    while (first > 0 && tokens[first - 1]!.name) first--;
    const before = tokens[first - 1]?.lower ?? '';
    const placed =
      PLACE_PREPOSITIONS.has(before) ||
      (before === 'the' && PLACE_PREPOSITIONS.has(tokens[first - 2]?.lower ?? '')) ||
      before === 'of';
    best = Math.max(best, placed ? 0.4 : 1);
  });
  return best;
}

function placeMatch(tokens: readonly Token[], asked: ReadonlySet<string>): number {
  let best = 0;
  tokens.forEach((token, i) => {
    if (asked.has(token.term)) return;
    const led = tokens.slice(Math.max(0, i - 3), i).some((t) => PLACE_PREPOSITIONS.has(t.lower));
    if (token.name) best = Math.max(best, led ? 1 : 0.6);
    else if (PLACE_WORDS.has(token.lower)) best = Math.max(best, led ? 0.7 : 0.3);
  });
  return Math.max(best, startsWithNewName(tokens, asked) ? 0.5 : 0);
}

/** A capital at the start of a sentence may be a name after all when its word is not one that starts sentences. */
function startsWithNewName(tokens: readonly Token[], asked: ReadonlySet<string>): boolean {
  const first = tokens[0];
  return (
    !!first && !first.functional && !first.number && !asked.has(first.term) && /^\p{Lu}/u.test(first.text)
  );
}

/** "X is a …" with X early in the sentence. */
function definitionMatch(question: Question, tokens: readonly Token[]): number {
  const terms = new Set(question.terms.map((t) => t.term));
  const at = tokens.findIndex((t) => terms.has(t.term));
  if (at < 0 || at > 4) return 0.3;
  const copula = tokens.slice(at + 1, at + 6).some((t) => COPULAS.has(t.lower));
  return copula ? 1 : 0.5;
}

const COPULAS = new Set(
  'is are was were means refers é são era foi es son fue è sono fu ist sind war waren bezeichnet est sont était désigne'.split(
    ' ',
  ),
);

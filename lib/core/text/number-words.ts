import type { Language } from './languages.js';

/** Words for 0 to 20, in order. */
const UNITS: Record<Language, string> = {
  en: 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty',
  de: 'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig',
  fr: 'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf vingt',
  es: 'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte',
  it: 'zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti',
  pt: 'zero um dois três quatro cinco seis sete oito nove dez onze doze treze quatorze quinze dezesseis dezessete dezoito dezenove vinte',
};
/** Words for 30, 40 … 90, in order. */
const TENS: Record<Language, string> = {
  en: 'thirty forty fifty sixty seventy eighty ninety',
  de: 'dreißig vierzig fünfzig sechzig siebzig achtzig neunzig',
  fr: 'trente quarante cinquante soixante soixante-dix quatre-vingts quatre-vingt-dix',
  es: 'treinta cuarenta cincuenta sesenta setenta ochenta noventa',
  it: 'trenta quaranta cinquanta sessanta settanta ottanta novanta',
  pt: 'trinta quarenta cinquenta sessenta setenta oitenta noventa',
};
/** Other forms, multipliers, and the parts of joined words (`venti|due`, `veinti|dós`). Both Brazilian and European Portuguese. */
const OTHERS: Record<Language, Record<string, number>> = {
  en: {
    hundred: 100,
    hundreds: 100,
    thousand: 1000,
    thousands: 1000,
    million: 1e6,
    millions: 1e6,
    billion: 1e9,
    billions: 1e9,
    trillion: 1e12,
    trillions: 1e12,
  },
  de: {
    ein: 1,
    eine: 1,
    zwo: 2,
    dreissig: 30,
    anderthalb: 1.5,
    einhalb: 0.5,
    hundert: 100,
    tausend: 1000,
    million: 1e6,
    millionen: 1e6,
    milliarde: 1e9,
    milliarden: 1e9,
    billion: 1e12,
    billionen: 1e12,
  },
  fr: {
    une: 1,
    septante: 70,
    'quatre-vingt': 80,
    huitante: 80,
    octante: 80,
    nonante: 90,
    cent: 100,
    cents: 100,
    mille: 1000,
    million: 1e6,
    millions: 1e6,
    milliard: 1e9,
    milliards: 1e9,
  },
  es: {
    un: 1,
    una: 1,
    veinti: 20,
    veintiún: 21,
    dós: 2,
    trés: 3,
    séis: 6,
    cien: 100,
    ciento: 100,
    doscientos: 200,
    doscientas: 200,
    trescientos: 300,
    trescientas: 300,
    cuatrocientos: 400,
    cuatrocientas: 400,
    quinientos: 500,
    quinientas: 500,
    seiscientos: 600,
    seiscientas: 600,
    setecientos: 700,
    setecientas: 700,
    ochocientos: 800,
    ochocientas: 800,
    novecientos: 900,
    novecientas: 900,
    mil: 1000,
    millón: 1e6,
    millones: 1e6,
  },
  it: {
    un: 1,
    una: 1,
    tré: 3,
    vent: 20,
    trent: 30,
    quarant: 40,
    cinquant: 50,
    sessant: 60,
    settant: 70,
    ottant: 80,
    novant: 90,
    cento: 100,
    mille: 1000,
    mila: 1000,
    milione: 1e6,
    milioni: 1e6,
    miliardo: 1e9,
    miliardi: 1e9,
  },
  pt: {
    uma: 1,
    duas: 2,
    catorze: 14,
    dezasseis: 16,
    dezassete: 17,
    dezanove: 19,
    cem: 100,
    cento: 100,
    duzentos: 200,
    duzentas: 200,
    trezentos: 300,
    trezentas: 300,
    quatrocentos: 400,
    quatrocentas: 400,
    quinhentos: 500,
    quinhentas: 500,
    seiscentos: 600,
    seiscentas: 600,
    setecentos: 700,
    setecentas: 700,
    oitocentos: 800,
    oitocentas: 800,
    novecentos: 900,
    novecentas: 900,
    mil: 1000,
    milhão: 1e6,
    milhões: 1e6,
    bilhão: 1e9,
    bilhões: 1e9,
  },
};
/** Words that name an amount without being a number word: fractions, dozens, doubles. */
const AMOUNTS: Record<Language, Record<string, number>> = {
  en: {
    half: 0.5,
    halves: 0.5,
    quarter: 0.25,
    quarters: 0.25,
    third: 1 / 3,
    thirds: 1 / 3,
    fifth: 0.2,
    fifths: 0.2,
    tenth: 0.1,
    tenths: 0.1,
    couple: 2,
    pair: 2,
    twice: 2,
    double: 2,
    triple: 3,
    dozen: 12,
    dozens: 12,
    decade: 10,
    century: 100,
  },
  de: {
    halb: 0.5,
    halbe: 0.5,
    halben: 0.5,
    halbem: 0.5,
    halber: 0.5,
    halbes: 0.5,
    hälfte: 0.5,
    drittel: 1 / 3,
    viertel: 0.25,
    fünftel: 0.2,
    zehntel: 0.1,
    paar: 2,
    zweimal: 2,
    doppelt: 2,
    doppelte: 2,
    dreifach: 3,
    dutzend: 12,
    jahrzehnt: 10,
    jahrhundert: 100,
  },
  fr: {
    demi: 0.5,
    demie: 0.5,
    moitié: 0.5,
    tiers: 1 / 3,
    quart: 0.25,
    quarts: 0.25,
    double: 2,
    triple: 3,
    dizaine: 10,
    dizaines: 10,
    douzaine: 12,
    quinzaine: 15,
    vingtaine: 20,
    trentaine: 30,
    quarantaine: 40,
    cinquantaine: 50,
    centaine: 100,
    centaines: 100,
    millier: 1000,
    milliers: 1000,
    décennie: 10,
    siècle: 100,
  },
  es: {
    medio: 0.5,
    media: 0.5,
    mitad: 0.5,
    tercio: 1 / 3,
    tercios: 1 / 3,
    cuarto: 0.25,
    cuartos: 0.25,
    par: 2,
    doble: 2,
    triple: 3,
    decena: 10,
    docena: 12,
    quincena: 15,
    veintena: 20,
    centenar: 100,
    centenares: 100,
    millar: 1000,
    miles: 1000,
    década: 10,
    siglo: 100,
  },
  it: {
    mezzo: 0.5,
    mezza: 0.5,
    metà: 0.5,
    terzo: 1 / 3,
    terzi: 1 / 3,
    quarto: 0.25,
    quarti: 0.25,
    paio: 2,
    doppio: 2,
    triplo: 3,
    decina: 10,
    decine: 10,
    dozzina: 12,
    quindicina: 15,
    ventina: 20,
    centinaio: 100,
    centinaia: 100,
    migliaio: 1000,
    migliaia: 1000,
    decennio: 10,
    secolo: 100,
  },
  pt: {
    meio: 0.5,
    meia: 0.5,
    metade: 0.5,
    terço: 1 / 3,
    terços: 1 / 3,
    quarto: 0.25,
    quartos: 0.25,
    par: 2,
    dobro: 2,
    triplo: 3,
    dezena: 10,
    dezenas: 10,
    dúzia: 12,
    quinzena: 15,
    vintena: 20,
    centena: 100,
    centenas: 100,
    milhar: 1000,
    milhares: 1000,
    década: 10,
    século: 100,
  },
};
/** Words for first, second … tenth, in order; forms of one ordinal are joined by `/`. */
const ORDINALS: Record<Language, string> = {
  en: 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth',
  de: 'erste/ersten/erster/erstes zweite/zweiten/zweiter/zweites dritte/dritten/dritter/drittes vierte/vierten fünfte/fünften sechste/sechsten siebte/siebten achte/achten neunte/neunten zehnte/zehnten elfte/elften zwölfte/zwölften',
  fr: 'premier/première/premiers/premières deuxième/second/seconde troisième quatrième cinquième sixième septième huitième neuvième dixième onzième douzième',
  es: 'primero/primer/primera segundo/segunda tercero/tercer/tercera cuarto/cuarta quinto/quinta sexto/sexta séptimo/séptima octavo/octava noveno/novena décimo/décima',
  it: 'primo/prima secondo/seconda terzo/terza quarto/quarta quinto/quinta sesto/sesta settimo/settima ottavo/ottava nono/nona decimo/decima',
  pt: 'primeiro/primeira segundo/segunda terceiro/terceira quarto/quarta quinto/quinta sexto/sexta sétimo/sétima oitavo/oitava nono/nona décimo/décima',
};
/** Words that may stand between the parts of one number. */
const JOINTS = new Set(['and', 'und', 'et', 'y', 'e']);
const MULTIPLIERS = new Set([100, 1000, 1e6, 1e9, 1e12]);
/** Number words that are as often an article, a pronoun, a verb or an adjective: "new", "you are", "watch out". */
const AMBIGUOUS: Partial<Record<Language, ReadonlySet<string>>> = {
  de: new Set(['acht', 'null']),
  fr: new Set(['neuf', 'cent']),
  it: new Set(['sei']),
  pt: new Set(['mil']),
};
/** A longer word is no number word. */
const MOST_LETTERS = 60;
const LONGEST_PART = 16;

interface Words {
  numbers: ReadonlyMap<string, number>;
  amounts: ReadonlyMap<string, number>;
  ordinals: ReadonlyMap<string, number>;
}

const tables = new Map<Language, Words>();

function wordsOf(language: Language): Words {
  let words = tables.get(language);
  if (!words) {
    const numbers = new Map(UNITS[language].split(' ').map((word, value) => [word, value]));
    TENS[language].split(' ').forEach((word, i) => numbers.set(word, 30 + 10 * i));
    for (const [word, value] of Object.entries(OTHERS[language])) numbers.set(word, value);
    const ordinals = new Map<string, number>();
    ORDINALS[language].split(' ').forEach((forms, i) => {
      for (const form of forms.split('/')) ordinals.set(form, i + 1);
    });
    words = { numbers, amounts: new Map(Object.entries(AMOUNTS[language])), ordinals };
    tables.set(language, words);
  }
  return words;
}

/**
 * Numbers that are spoken as words, each with the index of its first word. Generous: every reading of the same words is returned, so that a
 * number written in digits is found whichever reading its writer chose.
 *
 * - parts as well as the whole: `twenty five million` gives 25,000,000, 25, 20, 5 and 1,000,000
 * - years and prices: `nineteen ninety nine` gives 1999 and 19.99, `twelve fifty` gives 1250 and 12.5
 * - fractions, dozens, doubles and ordinals; see {@link amountOf} and {@link ordinalOf}
 *
 * @param words in lower case, in order
 */
export function spokenNumbers(
  words: readonly string[],
  language: Language,
): { index: number; value: number }[] {
  const { numbers } = wordsOf(language);
  const found: { index: number; value: number }[] = [];
  for (let i = 0; i < words.length; i++) {
    for (const value of [amountOf(words[i]!, language), ordinalOf(words[i]!, language)])
      if (value !== undefined) found.push({ index: i, value });
  }
  for (let i = 0; i < words.length;) {
    const first = valuesOf(words[i]!, numbers);
    if (!first) {
      i++;
      continue;
    }
    const values = [...first];
    let end = i + 1;
    while (end < words.length) {
      const joint = JOINTS.has(words[end]!);
      const more = valuesOf(words[joint ? end + 1 : end] ?? '', numbers);
      if (!more) break;
      values.push(...more);
      end += joint ? 2 : 1;
    }
    const readings = [...combine(values), ...pairs(values), ...values];
    for (const value of new Set(readings)) found.push({ index: i, value });
    i = end;
  }
  return found;
}

/**
 * The one number that stands at `words[at]`, read strictly: `two hundred and five` is 205 and not 2.
 *
 * @param words in lower case, in order
 * @returns undefined for other words, and for a word that alone is as often something else (`one`, French `neuf`, Italian `sei`)
 */
export function numberAt(
  words: readonly string[],
  at: number,
  language: Language,
): { value: number; length: number } | undefined {
  const { numbers } = wordsOf(language);
  const values: number[] = [];
  let end = at;
  while (end < words.length) {
    const joint = end > at && JOINTS.has(words[end]!);
    const word = words[joint ? end + 1 : end] ?? '';
    const more = valuesOf(word, numbers);
    // "Fifty-fifty" is no sum.
    if (more && word.includes('-') && more.some((value, i) => i > 0 && !continues(more[i - 1]!, value)))
      break;
    // "Ten twenty" and "two and three" are two numbers each: what is added must be smaller, or multiply.
    if (!more || (values.length > 0 && !continues(values.at(-1)!, more[0]!))) break;
    values.push(...more);
    end += joint ? 2 : 1;
  }
  if (values.length === 0) return undefined;
  const isAmbiguous = values[0] === 1 || AMBIGUOUS[language]?.has(words[at]!);
  if (values.length === 1 && isAmbiguous) return undefined;
  return { value: combine(values)[0]!, length: end - at };
}

/**
 * What a word says about an amount without being a number word: `half` 0.5, `third` 1/3, `dozen` 12, `twice` 2.
 *
 * @param word in lower case
 * @returns undefined for other words
 */
export function amountOf(word: string, language: Language): number | undefined {
  return wordsOf(language).amounts.get(word);
}

/**
 * The place that an ordinal names: `third` is 3, `fünfzehnten` 15. Above tenth not in Spanish and Portuguese, which count on with cardinals.
 *
 * @param word in lower case
 * @returns undefined for other words
 */
export function ordinalOf(word: string, language: Language): number | undefined {
  const { ordinals } = wordsOf(language);
  const known = ordinals.get(word);
  const ending = ORDINAL_ENDINGS[language];
  if (known !== undefined || !ending || word.length > MOST_LETTERS) return known;
  // "twenty-first"
  const hyphen = word.lastIndexOf('-');
  const last = hyphen > 0 && language === 'en' ? ordinals.get(word.slice(hyphen + 1)) : undefined;
  const tens = last === undefined ? undefined : numberAt([word.slice(0, hyphen)], 0, language)?.value;
  if (tens !== undefined) return tens % 10 === 0 && last! < 10 ? tens + last! : undefined;
  const [pattern, letters] = ending;
  const match = pattern.exec(word);
  if (!match) return undefined;
  const stem = word.slice(0, match.index);
  for (const letter of letters) {
    const value = numberAt([stem + letter], 0, language)?.value;
    if (value !== undefined && value > 10) return value;
  }
  return undefined;
}

/** How ordinals above those of the table end, and the letters that their cardinal ends with in place of that. */
const ORDINAL_ENDINGS: Partial<Record<Language, readonly [ending: RegExp, letters: readonly string[]]>> = {
  en: [/(?:ieth|th)$/, ['', 'y']],
  de: [/s?te[nrsm]?$/, ['']],
  fr: [/[uv]?i[èe]mes?$/, ['', 'e', 'f']],
  it: [/esim[oaie]$/, ['', 'i', 'a', 'o', 'e']],
};

/** Whether a part of a spoken number may follow another: `twenty` `five`, `two` `hundred`, not `two` `three`. */
function continues(last: number, next: number): boolean {
  if (MULTIPLIERS.has(next)) return true;
  return last >= 20 && (MULTIPLIERS.has(last) ? next < last : next < 10);
}

/** The values in one word: itself, its parts at hyphens, or the parts of a joined form, longest first. */
function valuesOf(word: string, table: ReadonlyMap<string, number>): number[] | undefined {
  if (word.length > MOST_LETTERS) return undefined;
  const whole = table.get(word);
  if (whole !== undefined) return [whole];
  const values: number[] = [];
  for (let at = 0; at < word.length;) {
    let length = Math.min(LONGEST_PART, word.length - at);
    let value: number | undefined;
    for (; length > 1; length--) {
      value = table.get(word.slice(at, at + length));
      if (value !== undefined) break;
    }
    if (value === undefined) {
      const joint = /^(?:und|-|e(?=\p{L}{2}))/u.exec(word.slice(at, at + 6))?.[0];
      if (!joint || values.length === 0) return undefined;
      at += joint.length;
      continue;
    }
    values.push(value);
    at += length;
  }
  return values.length > 0 ? values : undefined;
}

/** The number that the values make together, and the groups before its multipliers: 25,000,000 and 25. */
function combine(values: readonly number[]): number[] {
  const groups: number[] = [];
  let total = 0;
  let group = 0;
  for (const value of values) {
    if (value === 100) group = (group || 1) * 100;
    else if (MULTIPLIERS.has(value)) {
      groups.push(group);
      total += (group || 1) * value;
      group = 0;
    } else group += value;
  }
  return [total + group, ...groups];
}

/** Two numbers below 100 in a row are a year, a count of hundreds or a price: `nineteen ninety nine` is 1999 and 19.99. */
function pairs(values: readonly number[]): number[] {
  const found: number[] = [];
  const numbers: number[] = [];
  for (const value of values) {
    const last = numbers.at(-1);
    // "ninety" "nine" is one number.
    if (last !== undefined && last >= 20 && last % 10 === 0 && last < 100 && value > 0 && value < 10) {
      numbers[numbers.length - 1] = last + value;
    } else numbers.push(value);
  }
  numbers.forEach((high, i) => {
    const low = numbers[i + 1];
    if (low === undefined || !(high >= 1 && high < 100 && low >= 10 && low < 100)) return;
    if (!Number.isInteger(high) || !Number.isInteger(low)) return;
    found.push(high * 100 + low, (high * 100 + low) / 100);
  });
  return found;
}

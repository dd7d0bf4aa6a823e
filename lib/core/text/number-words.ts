import type { Language } from './languages.js';

/** Spoken numbers: values that add up, and multipliers. Joined and elided forms (`ventuno`, `fünfundzwanzig`) are decomposed. */
const WORDS: Record<Language, string> = {
  en: 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty',
  de: 'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig',
  fr: 'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf vingt',
  es: 'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte',
  it: 'zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti',
  pt: 'zero um dois três quatro cinco seis sete oito nove dez onze doze treze quatorze quinze dezesseis dezessete dezoito dezenove vinte',
};
const TENS: Record<Language, string> = {
  en: 'thirty forty fifty sixty seventy eighty ninety',
  de: 'dreißig vierzig fünfzig sechzig siebzig achtzig neunzig',
  fr: 'trente quarante cinquante soixante soixante-dix quatre-vingts quatre-vingt-dix',
  es: 'treinta cuarenta cincuenta sesenta setenta ochenta noventa',
  it: 'trenta quaranta cinquanta sessanta settanta ottanta novanta',
  pt: 'trinta quarenta cinquenta sessenta setenta oitenta noventa',
};
const OTHERS: Record<Language, Record<string, number>> = {
  en: { hundred: 100, thousand: 1000, million: 1e6, billion: 1e9 },
  de: { ein: 1, eine: 1, zwo: 2, hundert: 100, tausend: 1000, million: 1e6, millionen: 1e6, milliarden: 1e9 },
  fr: {
    une: 1,
    'quatre-vingt': 80,
    cent: 100,
    cents: 100,
    mille: 1000,
    million: 1e6,
    millions: 1e6,
    milliards: 1e9,
  },
  es: {
    un: 1,
    una: 1,
    veintiún: 21,
    cien: 100,
    ciento: 100,
    doscientos: 200,
    trescientos: 300,
    cuatrocientos: 400,
    quinientos: 500,
    seiscientos: 600,
    setecientos: 700,
    ochocientos: 800,
    novecientos: 900,
    mil: 1000,
    millón: 1e6,
    millones: 1e6,
  },
  it: {
    un: 1,
    una: 1,
    vent: 20,
    trent: 30,
    quarant: 40,
    cinquant: 50,
    cento: 100,
    mille: 1000,
    mila: 1000,
    milione: 1e6,
    milioni: 1e6,
  },
  pt: {
    uma: 1,
    duas: 2,
    catorze: 14,
    cem: 100,
    cento: 100,
    duzentos: 200,
    trezentos: 300,
    quatrocentos: 400,
    quinhentos: 500,
    seiscentos: 600,
    setecentos: 700,
    oitocentos: 800,
    novecentos: 900,
    mil: 1000,
    milhão: 1e6,
    milhões: 1e6,
  },
};
/** Words between the parts of one number. */
const JOINTS = new Set(['and', 'und', 'et', 'y', 'e']);
const MULTIPLIERS = new Set([100, 1000, 1e6, 1e9]);

const tables = new Map<Language, Map<string, number>>();

function tableOf(language: Language): Map<string, number> {
  let table = tables.get(language);
  if (!table) {
    table = new Map(WORDS[language].split(' ').map((word, value) => [word, value]));
    TENS[language].split(' ').forEach((word, i) => table!.set(word, 30 + 10 * i));
    for (const [word, value] of Object.entries(OTHERS[language])) table.set(word, value);
    tables.set(language, table);
  }
  return table;
}

/**
 * Numbers that are spoken as words, each with the index of its first word.
 * @param words in lower case, in order
 */
export function spokenNumbers(
  words: readonly string[],
  language: Language,
): { index: number; value: number }[] {
  const table = tableOf(language);
  const found: { index: number; value: number }[] = [];
  for (let i = 0; i < words.length;) {
    const first = valuesOf(words[i]!, table);
    if (!first) {
      i++;
      continue;
    }
    const values = [...first];
    let end = i + 1;
    while (end < words.length) {
      const joint = JOINTS.has(words[end]!);
      const more = valuesOf(words[joint ? end + 1 : end] ?? '', table);
      if (!more) break;
      values.push(...more);
      end += joint ? 2 : 1;
    }
    // The parts too: "twenty or twenty five" and lists are not one number, and "25 million" may be written with a word.
    for (const value of new Set([...combine(values), ...values])) found.push({ index: i, value });
    i = end;
  }
  return found;
}

/**
 * The one number that stands at `words[at]`, read strictly: `two hundred and five` is 205 and no 2. Undefined for a word that is none,
 * and for a lone `one` or `un`, which is an article or a pronoun as often.
 *
 * @param words in lower case, in order
 */
export function numberAt(
  words: readonly string[],
  at: number,
  language: Language,
): { value: number; length: number } | undefined {
  const table = tableOf(language);
  const values: number[] = [];
  let end = at;
  while (end < words.length) {
    const joint = end > at && JOINTS.has(words[end]!);
    const more = valuesOf(words[joint ? end + 1 : end] ?? '', table);
    // "Ten twenty" and "two and three" are two numbers each: what is added must be smaller, or multiply.
    if (!more || (values.length > 0 && !continues(values.at(-1)!, more[0]!))) break;
    values.push(...more);
    end += joint ? 2 : 1;
  }
  if (values.length === 0 || (values.length === 1 && values[0] === 1)) return undefined;
  return { value: combine(values)[0]!, length: end - at };
}

/** Whether a part of a spoken number may follow another: `twenty` `five`, `two` `hundred`, not `two` `three`. */
function continues(last: number, next: number): boolean {
  if (MULTIPLIERS.has(next)) return true;
  return last >= 20 && (MULTIPLIERS.has(last) ? next < last : next < 10);
}

/** The values in one word: itself, its parts at hyphens, or the parts of a joined form, longest first. */
function valuesOf(word: string, table: ReadonlyMap<string, number>): number[] | undefined {
  if (word.length > 60) return undefined;
  const whole = table.get(word);
  if (whole !== undefined) return [whole];
  const values: number[] = [];
  for (let at = 0; at < word.length;) {
    let length = Math.min(16, word.length - at);
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

import type { ClaimWord } from './claim.js';

/** Units in all languages, whole words in small letters, with the factor to the base unit of their dimension. */
const UNITS: Record<string, Record<string, number>> = {
  length: {
    'nanometre nanometres': 1e-9,
    'micrometre micrometres': 1e-6,
    'millimetre millimetres milímetros millimetri millimeter': 1e-3,
    'centimetre centimetres centímetros centimetri zentimeter': 0.01,
    'metre metres metro metros metri meter metern mètre mètres': 1,
    'kilometre kilometres quilómetro quilómetros quilômetros kilómetro kilómetros chilometro chilometri kilometer kilometern kilomètre kilomètres': 1000,
    'inch inches': 0.0254,
    'foot feet': 0.3048,
    'yard yards': 0.9144,
    'mile miles milhas millas miglia meilen': 1609.344,
  },
  time: {
    'second seconds segundo segundos secondo secondi sekunde sekunden seconde secondes': 1,
    'minute minutes minuto minutos minuti minuten': 60,
    'hour hours hora horas ora ore stunde stunden heure heures': 3600,
    'day days dia dias día días giorno giorni tag tage tagen jour jours': 86_400,
    'week weeks semana semanas settimana settimane woche wochen semaine semaines': 604_800,
    'month months mês meses mes mese mesi monat monate monaten mois': 2_629_746,
    'year years ano anos año años anno anni jahr jahre jahren an ans année années': 31_556_952,
    'decade decades': 315_569_520,
    'century centuries': 3_155_695_200,
  },
  weight: {
    'milligram milligrams': 1e-6,
    'gram grams gramme grammes gramas gramos grammi gramm': 1e-3,
    'kilogram kilograms kilo kilos quilos kilogramos chilogrammi kilogramm': 1,
    'tonne tonnes toneladas tonnellate tonnen': 1000,
    'ton tons': 1000,
    'pound pounds': 0.4536,
    'ounce ounces': 0.02835,
  },
  volume: { 'litre litres litro litros litri liter': 1, 'gallon gallons': 3.785 },
  share: { 'percent prozent': 1 },
  temperature: { 'degree degrees grau graus grado grados gradi grad degré degrés': 1 },
  'money in dollars': { 'dollar dollars dólares dollari': 1 },
  'money in euros': { 'euro euros': 1 },
  'money in francs': { 'franc francs': 1 },
};

interface Unit {
  dimension: string;
  factor: number;
}

const UNIT_OF: ReadonlyMap<string, Unit> = new Map(
  Object.entries(UNITS).flatMap(([dimension, units]) =>
    Object.entries(units).flatMap(([words, factor]) =>
      words.split(' ').map((word) => [word, { dimension, factor }] as const),
    ),
  ),
);
const POWERS: ReadonlyMap<string, { dimension: string; power: number }> = new Map(
  Object.entries({
    square: { dimension: 'area', power: 2 },
    cubic: { dimension: 'volume', power: 3 },
  }),
);
/** Litres to a cubic metre. */
const LITRES = 1000;
const PER = new Set(['per', 'a', 'an', 'each', 'every', 'por', 'al', 'pro', 'par']);
/** Words behind a number that may name what is counted. */
const MOST_COUNTED = 3;

/** What a number is of. */
export interface Quantity {
  /** A dimension (`length`, `speed` as `length per time`), or the stems of the words that are counted. */
  of: string | readonly string[];
  /** To the base unit: metres, seconds, kilograms, litres, square metres, metres per second. */
  factor: number;
  /** Where it ends in the text. */
  end: number;
}

/** Reads the unit or what is counted behind the number at `at`. */
export function quantityOf(words: readonly ClaimWord[], at: number): Quantity {
  const number = words[at]!;
  let next = at + 1;
  const power = words[next]?.adjacent ? POWERS.get(words[next]!.lower) : undefined;
  if (power) next++;
  const word = words[next];
  const unit = word?.adjacent ? UNIT_OF.get(word.lower) : undefined;
  if (unit && word) {
    if (power) {
      const factor = unit.factor ** power.power * (power.power === 3 ? LITRES : 1);
      return { of: power.dimension, factor, end: word.end };
    }
    const by = words[next + 1];
    const rate = by?.lead.length === 1 && PER.has(by.lead[0]!) ? UNIT_OF.get(by.lower) : undefined;
    if (rate && by) {
      const of =
        unit.dimension === 'length' && rate.dimension === 'time'
          ? 'speed'
          : `${unit.dimension} per ${rate.dimension}`;
      return { of, factor: unit.factor / rate.factor, end: by.end };
    }
    if (words[next + 1]?.lower === 'fahrenheit')
      return { of: 'temperature in Fahrenheit', factor: 1, end: words[next + 1]!.end };
    return { of: unit.dimension, factor: unit.factor, end: word.end };
  }
  const counted: ClaimWord[] = [];
  for (let i = at + 1; words[i]?.adjacent && !words[i]!.number && counted.length < MOST_COUNTED; i++)
    counted.push(words[i]!);
  return { of: counted.map((w) => w.term), factor: 1, end: counted.at(-1)?.end ?? number.end };
}

/** A unit of measure. */
export interface Unit {
  /** The measured quantity, e.g. `length`; units of different dimensions cannot be compared. */
  dimension: string;
  /** To the base unit of its dimension: metres, seconds, kilograms, litres, square metres, bytes, watts, joules. */
  factor: number;
  /** Added after the factor; only temperatures have one (base: degrees Celsius). */
  offset?: number;
  /** What its word may mean as well: pounds are a weight and money, and five working days a week. */
  other?: Unit;
  /** Percentage points: what two shares differ by. */
  isPoints?: boolean;
  /** Of a rate: the unit of what is counted, and the unit that it is counted per. */
  rate?: { of: Unit; per: Unit };
}

/**
 * Units, one a line: the dimension, the factor to its base unit, perhaps `@` and the offset, symbols (as written, case matters), and behind `|` words
 * in the six languages (lower case; `_` is a blank). A word may stand in two lines: then either is meant. One table for the whole library.
 * `degrees` are of heat, of an angle, or of a scale that is not named.
 */
const TABLE = `
length 1e-9 nm|nanometre nanometres nanometer nanometers nanometern nanomètre nanomètres nanómetros nanometri
length 1e-6 µm μm|micrometre micrometres micrometer micrometers mikrometer micromètre micromètres micron microns
length 1e-3 mm|millimetre millimetres millimeter millimeters millimetern millimètre millimètres milímetro milímetros millimetro millimetri
length 0.01 cm|centimetre centimetres centimeter centimeters zentimeter zentimetern centimètre centimètres centímetro centímetros centimetro centimetri
length 1 m|metre metres meter meters metern mètre mètres metro metros metri
length 1e3 km|kilometre kilometres kilometer kilometers kilometern kilomètre kilomètres kilómetro kilómetros quilómetro quilómetros quilômetro quilômetros chilometro chilometri
length 0.0254 ″|inch inches zoll pouce pouces pulgada pulgadas pollice pollici polegada polegadas
length 0.3048 ft ′|foot feet fuß pied pieds pies piede piedi pé pés
length 0.9144 yd|yard yards
length 1609.344 mi|mile miles meile meilen mille milles milla millas miglio miglia milha milhas
length 149597870700 AU|astronomical_unit astronomical_units astronomische_einheit astronomische_einheiten astronomischen_einheiten unité_astronomique unités_astronomiques unidad_astronómica unidades_astronómicas unità_astronomica unità_astronomiche unidade_astronómica unidades_astronómicas unidade_astronômica unidades_astronômicas
time 1e-3 ms|millisecond milliseconds millisekunde millisekunden milliseconde millisecondes milisegundos millisecondi
time 1 s sec Sek|second seconds sekunde sekunden seconde secondes segundo segundos secondo secondi
time 60 min Min mn|minute minutes mins minuten minuto minutos minuti
time 3600 h hr hrs Std|hour hours stunde stunden heure heures hora horas ora ore
time 86400 d|day days tag tage tagen jour jours día días dia dias giorno giorni working_day working_days business_day business_days arbeitstag arbeitstage arbeitstagen werktag werktage werktagen jour_ouvré jours_ouvrés jour_ouvrable jours_ouvrables día_laborable días_laborables día_hábil días_hábiles giorno_lavorativo giorni_lavorativi dia_útil dias_úteis
time 120960 |working_day working_days business_day business_days arbeitstag arbeitstage arbeitstagen werktag werktage werktagen jour_ouvré jours_ouvrés jour_ouvrable jours_ouvrables día_laborable días_laborables día_hábil días_hábiles giorno_lavorativo giorni_lavorativi dia_útil dias_úteis
time 604800 wk|week weeks woche wochen semaine semaines semana semanas settimana settimane
time 2629746 |month months monat monate monaten mois mes meses mese mesi mês
time 31556952 yr yrs|year years jahr jahre jahren an ans année années año años anno anni ano anos
time 315569520 |decade decades jahrzehnt jahrzehnte jahrzehnten décennie décennies década décadas decennio decenni
time 3155695200 |century centuries jahrhundert jahrhunderte siècle siècles siglo siglos secolo secoli século séculos
mass 1e-9 µg μg mcg|microgram micrograms mikrogramm microgramme microgrammes microgramos microgrammi microgramas
mass 1e-6 mg|milligram milligrams milligramm milligramme milligrammes miligramo miligramos milligrammo milligrammi miligramas
mass 1e-3 g gr|gram grams gramme grammes gramm gramo gramos grammo grammi grama gramas
mass 1 kg kgs|kilogram kilograms kilogramm kilogramme kilogrammes kilo kilos kilogramo kilogramos quilo quilos quilograma quilogramas chilo chili chilogrammo chilogrammi
mass 1e3 t|tonne tonnes tonnen ton tons tonelada toneladas tonnellata tonnellate
mass 0.45359237 lb lbs|pound pounds pfund livre livres libra libras libbra libbre
mass 0.028349523 oz|ounce ounces unze unzen onces onza onzas oncia once onça onças
volume 1e-3 ml mL|millilitre millilitres milliliter milliliters millilitern mililitro mililitros millilitro millilitri
volume 0.01 cl cL|centilitre centilitres centiliter zentiliter centilitro centilitros centilitri
volume 0.1 dl dL|decilitre decilitres deziliter décilitre décilitres decilitro decilitri
volume 1 l L|litre litres liter liters litern litro litros litri
volume 1e3 |cubic_metre cubic_metres cubic_meter cubic_meters kubikmeter kubikmetern mètre_cube mètres_cubes metro_cúbico metros_cúbicos metro_cubo metri_cubi
volume 3.785411784 gal|gallon gallons gallone gallonen galón galones gallone galloni galão galões
volume 158.987 bbl|barrel barrels
area 1 |square_metre square_metres square_meter square_meters quadratmeter quadratmetern mètre_carré mètres_carrés metro_cuadrado metros_cuadrados metro_quadrato metri_quadrati metro_quadrado metros_quadrados
area 1e4 ha|hectare hectares hektar hectárea hectáreas ettaro ettari
area 4046.8564 ac|acre acres
temperature 1 °C ℃|celsius
temperature 0.5555555555555556@-17.77777777777778 °F ℉|fahrenheit
temperature 1@-273.15 K|kelvin kelvins
length/time 0.44704 mph|
length/time 0.2777777777777778 kph|
degrees 1 °|degree degrees grad degré degrés grado grados gradi grau graus
share 1 % ％|percent percentage prozent pourcent percento porciento
share 0.1 ‰|promille
data 0.125 bit bits|
data 125 kbit Kbit|
data 125000 Mbit|megabit megabits
data 1.25e8 Gbit|gigabit gigabits
data 1 B|byte bytes
data 1e3 kB KB|kilobyte kilobytes
data 1e6 MB Mo|megabyte megabytes
data 1e9 GB Go|gigabyte gigabytes
data 1e12 TB To|terabyte terabytes
power 1 W|watt watts
power 1e3 kW|kilowatt kilowatts kilovatio kilovatios chilowatt quilowatt quilowatts
sound 1 dB|decibel decibels dezibel décibel décibels decibelio decibelios
power 1e6 MW|megawatt megawatts
power 1e9 GW|gigawatt gigawatts
power 735.5 hp PS ch CV|horsepower pferdestärken
energy 1 J|joule joules
energy 1e3 kJ|kilojoule kilojoules
energy 1e6 MJ|megajoule megajoules
energy 4.184 cal|
energy 4184 kcal|kilocalorie kilocalories kilokalorien calorie calories kalorien calorías calorie calorias kilocalorías
energy 3600 Wh|
energy 3.6e6 kWh|kilowatt-hour kilowatt-hours kilowatt_hour kilowatt_hours kilowattstunde kilowattstunden kilowattheure kilowattheures kilovatio-hora kilovatios-hora kilovatio_hora kilovatios_hora chilowattora quilowatt-hora quilowatts-hora
energy 3.6e9 MWh|
energy 3.6e12 GWh|
energy 3.6e15 TWh|
frequency 1 Hz|hertz
frequency 1e3 kHz|kilohertz
frequency 1e6 MHz|megahertz
frequency 1e9 GHz|gigahertz
pressure 1 Pa|pascal
pressure 100 hPa mbar|millibar
pressure 1e3 kPa|kilopascal
pressure 1e5 bar|bars
pressure 6894.757 psi|
voltage 1 V|volt volts
voltage 1e-3 mV|millivolt
voltage 1e3 kV|kilovolt
current 1 A|ampere amperes amp amps
current 1e-3 mA|milliampere
charge 1 mAh|
charge 1e3 Ah|
dollars 1 $ US$ USD|dollar dollars dólar dólares dollaro dollari
euros 1 € EUR|euro euros
euros 0.01 |cent cents centime centimes céntimo céntimos centesimo centesimi cêntimo cêntimos
pounds 1 £ GBP|sterling pound pounds pfund livre livres libra libras sterlina sterline
pounds 0.01 p|pence
francs 1 CHF Fr|franc francs franken franchi franco francos
yen 1 ¥ JPY|yen
`;
const UNITS = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [, dimension = '', factor, offset, symbols = '', words = ''] =
      /^(\S+) ([^@\s]+)(?:@(\S+))? ([^|]*)\|(.*)$/.exec(line)!;
    const unit: Unit = { dimension, factor: Number(factor), ...(offset ? { offset: Number(offset) } : {}) };
    return { unit, symbols, words };
  });

/** Whether the table has a unit of this size. */
export function hasUnit(dimension: string, factor: number): boolean {
  return UNITS.some(({ unit }) => unit.dimension === dimension && Math.abs(unit.factor / factor - 1) < 1e-9);
}

const symbols = new Map<string, Unit>();
const words = new Map<string, Unit>();
for (const { unit, symbols: ownSymbols, words: ownWords } of UNITS) {
  for (const symbol of ownSymbols.split(' ')) if (symbol) symbols.set(symbol, unit);
  for (const name of ownWords.split(' ')) {
    const word = name.replaceAll('_', ' ');
    const first = words.get(word);
    if (!first) words.set(word, unit);
    else words.set(word, { ...first, other: unit });
  }
}
/** Dimensions of money. A currency without a line in the table is known by its code alone. */
export const CURRENCIES = new Set(['dollars', 'euros', 'pounds', 'francs', 'yen']);
/** Before the second unit of a rate, in the six languages. A slash is handled apart. */
const PER = new Set([
  'per',
  'a',
  'an',
  'each',
  'every',
  'pro',
  'im',
  'am',
  'por',
  'par',
  'au',
  'ao',
  'al',
  'à',
]);

/** A fifth of a week, which no hours make up, s. */
const WORKING_DAY = 120_960;
/** A number of fewer digits is taken for no factor of a conversion, only for one between units of time or a power of ten; set by hand. */
const LEAST_DIGITS = 3;
const NEARLY = 0.02; // how far a factor may be off, as a share; set by hand

/**
 * Whether a number says how many of one unit make another one, by the table: 7 days, 12 months, 28.35 grams.
 * @param written the number as it is written, which shows its rounding
 * @param dimensions of the units, besides time. Default: any
 */
export function isConstant(number: number, written: string, dimensions?: ReadonlySet<string>): boolean {
  if (number >= 10 && Number.isInteger(Math.log10(number))) return true;
  const digits = written.replace(/\D/g, '').replace(/^0+/, '').length;
  const decimals = /[.,](\d+)$/.exec(written)?.[1]?.length ?? 0;
  return UNITS.some((a) =>
    UNITS.some((b) => {
      if (a.unit.dimension !== b.unit.dimension || a.unit.factor <= b.unit.factor) return false;
      if (a.unit.factor === WORKING_DAY) return false;
      if (
        a.unit.dimension !== 'time' &&
        (digits < LEAST_DIGITS || dimensions?.has(a.unit.dimension) === false)
      )
        return false;
      const ratio = a.unit.factor / b.unit.factor;
      return Math.abs(ratio - number) <= Math.min(0.5 * 10 ** -decimals, NEARLY * ratio) + 1e-9 * ratio;
    }),
  );
}

/** The symbols, longest first, for regular expressions. */
const SYMBOL = [...symbols.keys()]
  .sort((a, b) => b.length - a.length)
  .map((s) => s.replace(/[$.*+?^()|[\]{}\\]/g, '\\$&'))
  .join('|');
for (const code of Intl.supportedValuesOf('currency'))
  if (!symbols.has(code)) {
    symbols.set(code, { dimension: code, factor: 1 });
    CURRENCIES.add(code);
  }
const SIMPLE = new RegExp(
  `[ \\u00a0\\u202f-]?(?:(percentage points?|Prozentpunkten?|points? de pourcentage|puntos? porcentual(?:es)?|punt[oi] percentual[ei]|pontos? percentua(?:l|is)|per cent|por ciento|por cento|per cento|pour cent)(?!\\p{L})|(${SYMBOL})(?!\\p{L}|\\p{N}{2}|[014-9])|(\\p{L}+(?:[ -]\\p{L}+)?)(?![\\p{L}\\p{N}]))([²³23](?!\\p{N}|[.,]\\p{N}))?`,
  'uy',
);
const NEXT_WORD = /[ \u00a0\u202f]+(\p{L}+)(?![\p{L}\p{N}])/uy;
const SLASH = /[ \u00a0\u202f]?\/[ \u00a0\u202f]?(?=\p{L})/uy;

/** A unit and where it ends in the text. */
interface FoundUnit {
  unit: Unit;
  end: number;
}

/**
 * The unit that stands at `at`, right behind a number: `km`, `metres`, `°C`, `%`, `km/h`, `mg per litre`, `m²`.
 * @returns undefined where no known unit stands there
 */
export function unitAt(text: string, at: number): FoundUnit | undefined {
  const first = simpleUnitAt(text, at);
  return first && (rateAt(text, first) ?? first);
}

/** The unit with what it is counted per, as in `€ per month`, where such words follow. */
function rateAt(text: string, { unit: of, end }: FoundUnit): FoundUnit | undefined {
  const at = perAt(text, end);
  const second = at === undefined ? undefined : simpleUnitAt(text, at);
  if (!second || second.unit.offset !== undefined || of.offset !== undefined) return undefined;
  return { unit: rateOf(of, second.unit), end: second.end };
}

/** A unit per another one. */
function rateOf(of: Unit, per: Unit): Unit {
  const rate = { of, per };
  const unit = { dimension: `${of.dimension}/${per.dimension}`, factor: of.factor / per.factor, rate };
  return of.other ? { ...unit, other: rateOf(of.other, per) } : unit;
}

/** What two dimensions make together, in the base units of the table. */
const PRODUCTS: readonly (readonly [string, string, string, number])[] = [
  ['length', 'length', 'area', 1],
  ['length', 'area', 'volume', 1000],
  ['power', 'time', 'energy', 1],
  ['voltage', 'current', 'power', 1],
  ['current', 'time', 'charge', 1 / 3.6],
];

/** The unit of a product; one that no other unit can be compared with where two measures make no third. */
export function productOf(a: Unit, b: Unit): Unit {
  const factor = a.factor * b.factor;
  const orders = [
    [a, b],
    [b, a],
  ] as const;
  for (const [{ other, ...own }, by] of orders) {
    if (other) return { ...productOf(own, by), other: productOf(other, by) };
    const made = PRODUCTS.find(([one, two]) => one === own.dimension && two === by.dimension);
    if (made) return { dimension: made[2], factor: factor * made[3] };
    const per = `/${by.dimension}`;
    if (own.dimension.endsWith(per))
      return { ...(own.rate?.of ?? { dimension: own.dimension.slice(0, -per.length) }), factor };
  }
  // What a price or a measure is per may be left out: "€5 × 3 kg", "30 minutes × 5 days".
  const whole = orders.find(
    ([own, by]) =>
      (CURRENCIES.has(own.dimension) && own.dimension !== by.dimension) ||
      (by.dimension === 'time' && (own.dimension !== 'time' || own.factor < by.factor)),
  );
  return whole ? whole[0] : { dimension: `${a.dimension}·${b.dimension}`, factor };
}

/** The unit of a quotient: what makes the first unit together with the second one, or a rate. */
export function quotientOf(a: Unit, b: Unit): Unit {
  for (const [one, two, product, times] of PRODUCTS) {
    const dimension = one === b.dimension ? two : two === b.dimension ? one : undefined;
    if (!dimension || product !== a.dimension) continue;
    const unit = { dimension, factor: a.factor / b.factor / times };
    // "10 kWh a day" is said more often than what they are in watts.
    return b.dimension === 'time' ? { ...rateOf(a, b), other: unit } : unit;
  }
  return rateOf(a, b);
}

/** The currency whose sign ends right before a number, as in `$40` or `EUR 5`, and where the sign begins. */
export function currencyBefore(text: string, at: number): { unit: Unit; start: number } | undefined {
  const before = /(US\$|[$€£¥]|(?<!\p{L})[A-Z]{3})[ \u00a0\u202f]?$/u.exec(
    text.slice(Math.max(0, at - 5), at),
  );
  const unit = before ? symbols.get(before[1]!) : undefined;
  return unit && CURRENCIES.has(unit.dimension) ? { unit, start: at - before![0].length } : undefined;
}

/** Between a million and what it counts: "millions d'euros". */
const OF_MILLIONS = / (?:d['’]|(?:de|di) )(?=\p{L})/uy;

/** The unit of a number that ends at `end`: a currency before it, with what it is counted per behind it (`€5 a month`), or the unit behind it. */
export function unitAround(
  text: string,
  start: number,
  end: number,
): (FoundUnit & { start: number }) | undefined {
  const currency = currencyBefore(text, start);
  const first = currency && { unit: currency.unit, end };
  OF_MILLIONS.lastIndex = end;
  // A blank may stand before the unit, and behind an apostrophe none does.
  const at = OF_MILLIONS.test(text) ? OF_MILLIONS.lastIndex : end;
  const found = first ? (rateAt(text, first) ?? first) : unitAt(text, at);
  return found && { ...found, start: currency?.start ?? start };
}

function simpleUnitAt(text: string, at: number): FoundUnit | undefined {
  SIMPLE.lastIndex = at;
  const match = SIMPLE.exec(text);
  if (!match) return undefined;
  const [, percent, symbol, word = '', square] = match;
  if (percent) {
    const isPoints = /p(?:oi|o|u)nt|punkt/i.test(percent);
    return { unit: { ...symbols.get('%')!, ...(isPoints ? { isPoints } : {}) }, end: SIMPLE.lastIndex };
  }
  // Of two words the first may be the unit alone.
  const [first = ''] = word.split(/[ -]/);
  const isWhole = symbol !== undefined || words.has(word.toLowerCase());
  const end = isWhole
    ? SIMPLE.lastIndex
    : SIMPLE.lastIndex - (word.length - first.length) - (square?.length ?? 0);
  let unit = symbol
    ? symbols.get(symbol)
    : (words.get(word.toLowerCase()) ?? words.get(first.toLowerCase()) ?? symbols.get(first));
  if (!unit) return undefined;
  if (square && end === SIMPLE.lastIndex) unit = powerOf(unit, square === '²' || square === '2' ? 2 : 3);
  // "40 degrees Fahrenheit": the scale stands behind the degrees.
  if (unit.dimension === 'degrees') {
    NEXT_WORD.lastIndex = end;
    const scale = NEXT_WORD.exec(text)?.[1]!.toLowerCase();
    if (scale === 'fahrenheit' || scale === 'celsius')
      return { unit: words.get(scale)!, end: NEXT_WORD.lastIndex };
  }
  return { unit, end };
}

function perAt(text: string, at: number): number | undefined {
  SLASH.lastIndex = at;
  if (SLASH.test(text)) return SLASH.lastIndex;
  NEXT_WORD.lastIndex = at;
  const word = NEXT_WORD.exec(text)?.[1]!.toLowerCase();
  return word && PER.has(word) ? NEXT_WORD.lastIndex : undefined;
}

function powerOf({ dimension, factor }: Unit, power: number): Unit {
  if (dimension !== 'length') return { dimension: `${dimension}^${power}`, factor: factor ** power };
  // A litre is a thousandth of a cubic metre.
  return power === 2
    ? { dimension: 'area', factor: factor ** 2 }
    : { dimension: 'volume', factor: 1000 * factor ** 3 };
}

import fc from 'fast-check';
import { LANGUAGES, type Language } from '../../lib/text/languages.js';
import { isSameValue } from '../../lib/text/compare-values.js';
import { readValues, type Value } from '../../lib/text/read-values.js';

const read = (text: string, language: Language = 'en'): Value[] => readValues(text, language);
const first = (text: string, language: Language = 'en'): Value => read(text, language)[0]!;
const states = (source: string, claim: string, languages: [Language, Language] = ['en', 'en']): boolean =>
  read(source, languages[0]).some((value) => isSameValue(first(claim, languages[1]), value));

describe('values of a text', () => {
  it.each<[string, Language, number, string | undefined]>([
    ['a 240 ml mug', 'en', 240, 'volume'],
    ['1.234,5 Kilometer', 'de', 1234.5, 'length'],
    ['rund 22 950 euros', 'fr', 22950, 'euros'],
    ['$4.3 billion', 'en', 4.3e9, 'dollars'],
    ['4,3 Mrd. Euro', 'de', 4.3e9, 'euros'],
    ['18.5k users', 'en', 18500, undefined],
    ['1,481 m/s', 'en', 1481, 'length/time'],
    ['0,917 g/cm³, im Eis', 'de', 0.917, 'mass/volume'],
    ['zweieinhalb Stunden', 'de', 2.5, 'time'],
    ['une heure', 'fr', 1, 'time'],
    ['25 por ciento', 'es', 25, 'share'],
    ['40 degrees Fahrenheit', 'en', 40, 'temperature'],
    ['minus 4 °C', 'en', -4, 'temperature'],
    ['€14.99 a month', 'en', 14.99, 'euros/time'],
    ['121.6 astronomical units', 'en', 121.6, 'length'],
    ['58 Kilowattstunden', 'de', 58, 'energy'],
    ['5:38.42', 'en', 338.42, 'time'],
  ])('reads %s (%s)', (text, language, number, dimension) => {
    const value = first(text, language);
    expect(value.readings).toContain(number);
    expect(value.unit?.dimension).toBe(dimension);
  });

  it('gives a number both its readings where its language does not tell', () => {
    expect(first('1.120 people', 'en').readings).toEqual([1.12, 1120]);
    expect(first('1.120 Leute', 'de').readings).toEqual([1120]);
    expect(first('1,120 people', 'en').readings).toEqual([1120]);
  });

  it('reads a month next to a day only, and no verb', () => {
    const months = (text: string) => read(text).filter(({ kind }) => kind === 'month').length;
    expect(['12 May', 'on 12 may', '5 March 2020'].map(months)).toEqual([1, 1, 1]);
    expect(['up to 250 may attend', 'up to 12 may be returned'].map(months)).toEqual([0, 0]);
  });

  it('reads a difference behind a price as an amount of its own', () => {
    expect(read('30 euros, 20 cents less').map(({ readings }) => readings[0])).toEqual([30, 20]);
  });

  it.each(['IPv6 and CO2', 'an A4 page', 'the x86 chip', 'one of them', 'may I march on'])(
    'finds none in "%s"',
    (text) => expect(read(text)).toEqual([]),
  );

  it('reads dates as numbers and months, also in ISO form', () => {
    const kinds = (text: string) => read(text).map(({ kind, readings }) => [kind, readings[0]]);
    expect(kinds('on 26 March 2025')).toEqual([
      ['number', 26],
      ['month', 3],
      ['number', 2025],
    ]);
    expect(kinds('2025-03-26')).toEqual([
      ['number', 2025],
      ['month', 3],
      ['number', 26],
    ]);
  });

  it('makes one value of a value in two units', () => {
    expect(states('1 h 02 min 47 s', 'un peu moins d’une heure et trois minutes', ['fr', 'fr'])).toBe(true);
    expect(states('He took 2 hours 30 minutes.', '150 minutes')).toBe(true);
  });

  it('never fails, stays within the text, and is done in time', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), fc.constantFrom(...LANGUAGES), (text, language) => {
        for (const { start, end, readings } of readValues(text, language)) {
          expect(start >= 0 && end <= text.length && start < end).toBe(true);
          expect(readings.every(Number.isFinite)).toBe(true);
        }
      }),
    );
    for (const hostile of [
      '1 '.repeat(20_000),
      '1,'.repeat(20_000),
      'two '.repeat(10_000),
      '1:'.repeat(20_000),
    ])
      expect(readValues(hostile, 'en').length).toBeLessThanOrEqual(400);
  });
});

describe('a claim is stated', () => {
  it.each<[string, string]>([
    ['63 mg of caffeine', '63 mg'],
    ['takes 11.8 seconds', '12 seconds'],
    ['40 °F in the fridge', '4 °C'],
    ['1.5 km', '1,500 metres'],
    ['open from 18:00', '6 p.m.'],
    ['it holds 4 TB', 'only 4'],
    ['two to three weeks', 'two weeks'],
    ['twelve eggs', '12'],
    ['2.6 kg', 'less than 3 kg'],
    ['costs $40 a year', '$40'],
    ['1,100 pounds a month', '£1,100'],
    ['12 pounds of flour', '5.44 kg'],
    ['€14.99 a month', '€179.88 per year'],
    ['225 g of butter', '8 oz'],
    ['100 miles', '160 km'],
    ['5 ft 6 in', '168 cm'],
    ['1.68 m tall', '5\'6"'],
    ['six feet', '6′ 0″'],
  ])('by "%s": %s', (source, claim) => expect(states(source, claim)).toBe(true));

  it.each<[string, string]>([
    ['2.7 mg of iron', '2.7 grams'],
    ['1,481 m/s', '1,481 km/h'],
    ['in 1981', '1991'],
    ['in 1981', 'about 1985'],
    ['six times faster', 'ten times'],
    ['22,950 euros', 'up to 29,250 euros'],
    ['8.0 days', '8 hours'],
    ['12.50 francs', '12.50 euros'],
    ['225 g of butter', '10 ounces'],
    ['180 °C', '400 °F'],
    ['100 miles', '200 km'],
    ['168 cm', '5 ft 9 in'],
    ['5 ft 6 in', '6 ft 6 in'],
    ['on the 14th of June', '14 seconds'],
    ['58 kilowatt-hours', '58 decibels'],
    ['minus 4 °C', '4 °C'],
    ['in March', 'in May 2020'],
  ])('not by "%s": %s', (source, claim) => expect(states(source, claim)).toBe(false));

  it('whatever the language of the source', () => {
    expect(states('une quinzaine de mètres et 1 234,5 kg', '1,234.5 kg', ['fr', 'en'])).toBe(true);
    expect(states('im März', 'in March', ['de', 'en'])).toBe(true);
  });

  it('is symmetric for equal values of any size', () => {
    const amount = fc.double({ min: 0.01, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(amount, (n) => {
        const text = `${Number(n.toPrecision(6))} kg`;
        if (/e/.test(text)) return;
        expect(isSameValue(first(text), first(text))).toBe(true);
      }),
    );
  });
});

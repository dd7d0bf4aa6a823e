import fc from 'fast-check';
import { calendarWord } from '../../lib/text/number-words.js';
import { currencyBefore, unitAt } from '../../lib/text/units.js';

const unit = (text: string) => unitAt(text, 0)?.unit;

describe('a unit', () => {
  it.each<[string, string, number]>([
    [' km', 'length', 1000],
    ['kg', 'mass', 1],
    [' m³', 'volume', 1000],
    [' km/h', 'length/time', 1000 / 3600],
    [' Gramm pro Liter', 'mass/volume', 1e-3],
    [' pour cent', 'share', 1],
    [' MB/s', 'data/time', 1e6],
  ])('is read: %s', (text, dimension, factor) => {
    expect(unit(text)!.dimension).toBe(dimension);
    expect(unit(text)!.factor).toBeCloseTo(factor, 9);
  });

  it.each([' people', '', ' kmx', ' in the morning', 'K9'])('is none: "%s"', (text) =>
    expect(unit(text)).toBeUndefined(),
  );

  it('of temperature has an offset', () => {
    const { factor, offset } = unit(' °F')!;
    expect(212 * factor + offset!).toBeCloseTo(100, 6);
    expect(unit(' degrees Fahrenheit')).toEqual(unit(' °F'));
  });

  it('stands before a price', () => {
    expect(currencyBefore('costs $40', 7)).toMatchObject({ unit: { dimension: 'dollars' }, start: 6 });
    expect(currencyBefore('costs EUR 40', 10)).toMatchObject({ unit: { dimension: 'euros' }, start: 6 });
    expect(currencyBefore('costs 40', 6)).toBeUndefined();
  });

  it('ends within the text, whatever that is', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(20), (text, at) => {
        const found = unitAt(text, at);
        if (found) expect(found.end > at && found.end <= text.length).toBe(true);
      }),
    );
  });
});

describe('a word of the calendar', () => {
  it('is a month or a day of the week', () => {
    expect(calendarWord('märz', 'de')).toEqual({ kind: 'month', value: 3, sure: true });
    expect(calendarWord('jeudi', 'fr')).toEqual({ kind: 'weekday', value: 4, sure: true });
    expect(calendarWord('house', 'en')).toBeUndefined();
  });

  it('is unsure where it is as often another word', () => {
    for (const word of ['may', 'march', 'mar', 'sep']) expect(calendarWord(word, 'en')!.sure).toBe(false);
  });
});

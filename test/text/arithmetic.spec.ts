import fc from 'fast-check';
import { equationsIn, evaluate, operandsIn, states } from '../../lib/text/arithmetic.js';
import type { Language } from '../../lib/text/languages.js';

const isStated = (expression: string, claim: string, language: Language = 'en'): boolean => {
  const result = evaluate(expression, language);
  return result !== undefined && states(operandsIn(claim, language)[0]!, result.amount);
};

it.each([
  '15 March 2026 + 900000 years',
  '15 March 2026 + 999999999 days - 3 March',
  `${'('.repeat(5000)}1 + 2`,
  `1 ${'- '.repeat(9000)}2`,
])('has no result and no error: %.40s', (expression) => {
  expect(evaluate(expression, 'en')).toBeUndefined();
  expect(() => equationsIn(expression, 'en')).not.toThrow();
});

describe('an expression has the result', () => {
  it.each<[string, string, Language?]>([
    ['2 * 26 + 13 + 70', '£135'],
    ['2 × £26.00 + £13 + £70', '135 pounds'],
    ['0.1 + 0.2', '0.3'],
    ['(110 - 68) / 110', '38 %'],
    ['30 % de 880 euros', '264 €', 'fr'],
    ['31,400 * (1 - 40%)', '18,840 euros'],
    ['€880 - 25%', '€660'],
    ['4.950 kWh * 0,24', '1.188 kWh', 'de'],
    ['€14.99 a month * 12 months', '€179.88'],
    ['2026-03-15 - 16 days', '27 February 2026'],
    ['31 January 2026 + 1 month', '28 February 2026'],
    ['5 September 1977 - 20 August 1977', '16 days'],
    ['9 July 1979 - 5 March 1979', 'about four months'],
    ['5:38.42 - 5:35.87', '2.55 seconds'],
    ['18:30 - 16:45', '1 hour 45 minutes'],
    ['23:15 + 8 minutes', '23:23'],
    ['1 h + 30 min', '90 minutes'],
    ['16 * 260', 'over 4,000'],
    ['10 m * 5 m', '50 m²'],
    ['200 m × 500 m', '10 hectares'],
    ['2 m * 3 m * 4 m', '24,000 litres'],
    ['50 m² / 5 m', '10 m'],
    ['100 W * 10 h', '1 kWh'],
    ['3650 kWh / 365 days', '10 kWh a day'],
    ['€5 * 3 kg', '€15'],
    ['8 h * 5 days', '40 hours'],
    ['10% * 50%', '5%'],
    ['50 % de 50 % de 800', '200', 'fr'],
    ['5 ‰ * 2000', '10'],
    ['30 °C - 20 °C', '18 °F'],
    ['86 °F - 68 °F', '10 °C'],
    ['(20 °C + 30 °C) / 2', '77 °F'],
    ['11 pm + 2 h', '1 am'],
    ['11 pm + 2 h', '1:00'],
    ['12 am + 2 h', '2 am'],
    ['22:00 + 2 h', '00:00'],
    ['10:00 + 5 h', "3 o'clock"],
    ['22 Uhr + 3 h', '1 Uhr', 'de'],
    ['15 March 2024 - 10 days', '5 March 2024'],
    ['March 15, 2024 – 10 days', '5 March 2024'],
    ['12 May 1990 - 3 years', '12 May 1987'],
    ['15/03/2024 - 10 days', '5 March 2024'],
    ['15. März 2024 - 10 Tage', '5. März 2024', 'de'],
    ['15 mars 2024 - 10 jours', '5 mars 2024', 'fr'],
    ['15 de marzo de 2024 - 10 días', '5 de marzo de 2024', 'es'],
    ['15 marzo 2024 - 10 giorni', '5 marzo 2024', 'it'],
    ['15 de março de 2024 - 10 dias', '5 de março de 2024', 'pt'],
    ['30 December + 5 days', '4 January'],
    ['4 January - 30 December', '5 days'],
    ['5 March 2024 - 30 December', '66 days'],
    ['3/4 of 100', '75'],
    ['two thirds of 90', '60'],
    ['three-quarters of €80', '€60'],
    ['(3/4) von 100', '75', 'de'],
    ['100 - 3/4 de 100', '25', 'fr'],
  ])('%s: %s', (...[expression, claim, language]) =>
    expect(isStated(expression, claim, language)).toBe(true),
  );

  it.each([
    ['2 * 26 + 13 + 70', '£125'],
    ['225 g / 28.35', '10'],
    ['16 * 260', '4,300'],
    ['3900 - 1100', 'about 3,000'],
    ['2026-03-15 - 16 days', '28 February 2026'],
    ['5 h + 3 kg', '8'],
    ...['50 km²', '50 hectares', '50 m', '€50'].map((claim): [string, string] => ['10 m * 5 m', claim]),
    ['2 kW * 3 h', '6 kW'],
    ['€5 * 3 kg', '15 kg'],
    ['50 m² / 5 m', '10 m²'],
    ['10% * 50%', '500%'],
    ['30 °C - 20 °C', '50 °F'],
    ['11 pm + 2 h', '1 pm'],
    ['12 am + 2 h', '2 pm'],
    ['22:00 + 2 h', '12:00'],
    ['09:00 + 3 h', '00:00'],
    ['4 January - 30 December', '360 days'],
  ])('not %s: %s', (expression, claim) => expect(isStated(expression, claim)).toBe(false));

  it.each(['', '1 / 0', '2 ** 3', '(2 + 3', 'two and a half', 'x'.repeat(300)])('none: %s', (expression) => {
    const result = evaluate(expression, 'en');
    expect(result === undefined || result.operands.length === 1).toBe(true);
  });

  it('never fails', () => {
    const part = fc.constantFrom(
      '1',
      '9'.repeat(400),
      '1e9',
      '€5',
      '30%',
      '2026-02-30',
      '5:61',
      '+',
      '-',
      '*',
      '/',
      '(',
      ')',
      '=',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        evaluate(parts.join(''), 'en');
        equationsIn(parts.join(' '), 'de');
      }),
    );
  });
});

it('finds the expressions in prose with what they are equal to', () => {
  const text = 'It costs €189.78: 12 × €14.99 = €179.88 plus the fee of €9.90.';
  const found = equationsIn(text, 'en').map((sides) => sides.map(({ amount }) => amount.number));
  expect(found).toEqual([[189.78], [179.88, 179.88], [9.9]]);
});

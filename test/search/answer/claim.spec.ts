import { claimOf } from '../../../lib/search/answer/claim.js';
import { cpuMs } from '../../support/cpu-time.js';

describe('claimOf', () => {
  it.each([
    ['It costs $10.50, or less.', 'It costs 10.50 dollars, or less.'],
    ['It costs $1,299.99.', 'It costs 1,299.99 dollars.'],
    ['The 30 m mast is a meter off.', 'The 30  metres mast is a metre off.'],
  ])('spells units out: %s', (sentence, text) => {
    expect(claimOf(sentence, 'en').text).toBe(text);
  });

  it.each([
    ['1,299.99 dollars', 'en', '1299.99'],
    ['1.299,99 euros', 'pt', '1299.99'],
    ['1,234,567 people', 'en', '1234567'],
    ['42.195 km', 'en', '42.195'],
    ['42.195 Leute', 'de', '42195'],
    ['0.500 m', 'en', '0.5'],
    ['1.234.567 people', 'en', '1234567'],
  ] as const)('reads the number of %s (%s)', (text, language, term) => {
    const { words } = claimOf(`It has ${text}.`, language);
    expect(words.find((w) => w.number)!.term).toBe(term);
  });

  it('takes no number of a note for one of the text', () => {
    const { words } = claimOf('Mars has two moons,[3] both small.[12][a]', 'en');
    expect(words.filter((w) => w.number).map((w) => w.term)).toEqual(['2']);
  });

  // A quadratic pattern took two minutes for the first of these, and held the host's event loop as long.
  it.each(['тметa', 'aé', 'met', '1,'])('reads a page of nothing but %s in no time to speak of', (piece) => {
    const page = piece.repeat(20_000);
    const began = cpuMs();
    expect(claimOf(page, 'en').text.length).toBeGreaterThan(0);
    expect(cpuMs() - began).toBeLessThan(5_000);
  });
});

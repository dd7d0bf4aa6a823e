import { isDerivedValue } from '../../lib/grounding/derived-values.js';
import { readValues } from '../../lib/text/read-values.js';

function follows(source: string, claim: string): boolean {
  const values = readValues(source, 'en');
  const counts = values.filter(({ unit }) => !unit);
  return isDerivedValue(readValues(claim, 'en')[0]!, { values, parts: values, factors: counts });
}

describe('a claim follows by one step of arithmetic', () => {
  it.each<[string, string]>([
    ['2.25 euros plus 0.60 euros', '€2.85'],
    ['£787 for six beds', 'around £130'],
    ['the first in 1908, the second in 1921', 'thirteen years later'],
    ['£5,624.32 from £5,000', '£624'],
    ['4 % of £5,200', '£208'],
    ['from 38 to 29 ms', '9 ms'],
    ['from 9:15 to 10:45', '90 minutes'],
    ['128 bits, 32 bits', 'four times'],
    ['1,481 m/s and 343 m/s', 'a bit over four times faster'],
  ])('from "%s": %s', (source, claim) => expect(follows(source, claim)).toBe(true));

  it.each<[string, string]>([
    ['2.25 euros plus 0.60', '€3.85'],
    ['in 1908 and 1921', 'twenty years later'],
    ['30 km in 2 hours', '47 km'],
    ['1,481 m/s and 343 m/s', 'four times faster'],
    ['1,481 m/s and 343 m/s', 'about three times faster'],
  ])('not from "%s": %s', (source, claim) => expect(follows(source, claim)).toBe(false));
});

import fc from 'fast-check';
import { cutAtBlanks } from '../../lib/text/cut-at-blanks.js';

describe('cutAtBlanks', () => {
  it.each([
    ['one two three', 20, 'one two three'],
    ['one two three', 7, 'one two'],
    ['one two three', 9, 'one two'],
    ['onetwothree', 5, 'onetw'],
    ['ab 😀😀', 4, 'ab'],
    ['😀😀', 3, '😀'],
  ])('cuts %j to %d characters as %j', (text, length, expected) => {
    expect(cutAtBlanks(text, length)[0]).toBe(expected);
  });

  it('returns the beginning of the text, no longer than asked for', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 2, max: 40 }), (text, length) => {
        const [cut = ''] = cutAtBlanks(text, length);
        expect(cut.length).toBeLessThanOrEqual(length);
        expect(text.startsWith(cut)).toBe(true);
      }),
    );
  });
});

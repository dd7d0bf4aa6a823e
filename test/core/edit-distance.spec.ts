import fc from 'fast-check';
import { editDistance } from '../../lib/core/edit-distance.js';

describe('editDistance', () => {
  it.each([
    ['', '', 0],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
    ['form', 'from', 1],
    ['ca', 'abc', 3],
  ])('from %p to %p is %d', (from, to, distance) => {
    expect(editDistance(from, to)).toBe(distance);
  });

  const word = fc.stringMatching(/^[abc]{0,8}$/);

  it('is symmetric and never more than the longer word', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        const distance = editDistance(a, b);
        expect(editDistance(b, a)).toBe(distance);
        expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length));
      }),
    );
  });
});

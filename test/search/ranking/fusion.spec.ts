import * as fc from 'fast-check';
import { fuse } from '../../../lib/search/ranking/fusion.js';

const score = fc.integer({ min: 1, max: 1000 }).map((n) => n / 1000);
const listOf = <T>(make: (document: number, score: number) => T, by: (item: T) => number) =>
  fc
    .uniqueArray(fc.tuple(fc.nat(30), score), { selector: ([document]) => document })
    .map((pairs) => pairs.map(([document, value]) => make(document, value)).sort((a, b) => by(b) - by(a)));
const words = listOf(
  (document, value) => ({ document, units: [document], score: value }),
  (w) => w.score,
);
const near = listOf(
  (document, value) => ({ document, nearness: value, excerpts: [`${document}`] }),
  (n) => n.nearness,
);

describe('fuse', () => {
  it('gives each document once, with something to show, and scores that fall within 0..1', () => {
    fc.assert(
      fc.property(words, near, (byWords, byMeaning) => {
        const fused = fuse(byWords, byMeaning);
        expect(new Set(fused.map(({ document }) => document)).size).toBe(fused.length);
        for (const { units, excerpts, score: value } of fused) {
          expect(units === undefined).toBe(excerpts !== undefined);
          expect(value).toBeGreaterThan(0);
          expect(value).toBeLessThanOrEqual(1);
        }
        const scores = fused.map(({ score: value }) => value);
        expect(scores).toEqual([...scores].sort((a, b) => b - a));
      }),
    );
  });

  it('loses no document that words found, and none of their score', () => {
    fc.assert(
      fc.property(words, near, (byWords, byMeaning) => {
        const scores = new Map(
          fuse(byWords, byMeaning).map(({ document, score: value }) => [document, value]),
        );
        for (const { document, score: value } of byWords)
          expect(scores.get(document)).toBeGreaterThanOrEqual(value);
      }),
    );
  });

  it('keeps the order of the words where they explain the whole query', () => {
    fc.assert(
      fc.property(words, near, (byWords, byMeaning) => {
        const all = [{ document: 99, units: [99], score: 1 }, ...byWords];
        expect(fuse(all, byMeaning).map(({ document }) => document)).toEqual(
          all.map(({ document }) => document),
        );
      }),
    );
  });

  it('is led by the meaning where no word is found', () => {
    fc.assert(
      fc.property(near, (byMeaning) => {
        const order = byMeaning.map(({ document }) => document);
        const found = fuse([], byMeaning).map(({ document }) => document);
        expect(found).toEqual(order.slice(0, found.length));
        expect(found.length > 0).toBe(order.length > 0);
      }),
    );
  });
});

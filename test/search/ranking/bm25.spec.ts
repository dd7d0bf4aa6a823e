import * as fc from 'fast-check';
import { Bm25, type QueryWord, type Scored } from '../../../lib/search/ranking/bm25.js';
import { IndexBuilder, type InvertedIndex } from '../../../lib/search/ranking/inverted-index.js';

const noPause = (): undefined => undefined;

async function indexOf(texts: readonly string[]): Promise<InvertedIndex> {
  const builder = new IndexBuilder();
  for (const text of texts) builder.add([{ text, weight: 1 }], undefined);
  return builder.build(noPause);
}

/** Every unit's score by the formula, added up in single precision as the index does, all of them sorted. */
function plainRanking(index: InvertedIndex, bm25: Bm25, query: ReadonlyMap<number, number>): Scored[] {
  const scores = new Float32Array(index.units);
  for (const [term, weight] of query) {
    for (let i = index.offsets[term]!; i < index.offsets[term + 1]!; i++) {
      const unit = index.postingUnits[i]!;
      scores[unit]! += weight * bm25.gain(unit, term, index.postingCounts[i]!);
    }
  }
  return Array.from(scores, (score, unit) => ({ unit, score }))
    .filter((s) => s.score > 0)
    .sort((a, b) => b.score - a.score || a.unit - b.unit);
}

/** Each term a word of its own. */
function wordsOf(query: ReadonlyMap<number, number>): QueryWord[] {
  return [...query].map(([term, weight]) => new Map([[term, weight]]));
}

describe('Bm25', () => {
  // A few words in nearly all units and many in few, as in any language.
  const word = fc
    .tuple(fc.nat({ max: 40 }), fc.nat({ max: 40 }))
    .map(([a, b]) => `w${Math.floor((a * b) / 20)}`);
  const unit = fc.array(word, { minLength: 1, maxLength: 25 }).map((w) => w.join(' '));
  const collection = fc.array(unit, { minLength: 1, maxLength: 150 });
  const weights = fc.array(fc.tuple(fc.nat(), fc.double({ min: 0.01, max: 3, noNaN: true })), {
    minLength: 1,
    maxLength: 30,
  });

  it('finds the best units of all, with the scores of the formula', async () => {
    await fc.assert(
      fc.asyncProperty(collection, weights, fc.integer({ min: 1, max: 40 }), async (texts, drawn, count) => {
        const index = await indexOf(texts);
        const bm25 = new Bm25(index);
        const query = new Map(drawn.map(([n, weight]) => [n % index.ids.size, weight]));
        const expected = plainRanking(index, bm25, query).slice(0, count);
        expect(bm25.top(wordsOf(query), count)).toEqual(expected);
        // Nothing of a query may be left for the next one.
        expect(bm25.top(wordsOf(query), count)).toEqual(expected);
      }),
    );
  });

  it('counts of the forms of a word the one that scores most', async () => {
    const bm25 = new Bm25(await indexOf(['wifi', 'network', 'wifi network', 'other']));
    const forms = new Map([
      [bm25.index.ids.get('wifi')!, 1],
      [bm25.index.ids.get('network')!, 0.5],
    ]);
    const scores = new Map(bm25.top([forms], 9).map(({ unit, score }) => [unit, score]));
    expect([...scores.keys()].sort()).toEqual([0, 1, 2]);
    expect(scores.get(1)! / scores.get(0)!).toBeCloseTo(0.5, 5);
    expect(scores.get(2)).toBeLessThan(scores.get(0)!);
    expect(bm25.top([forms], 9)).toHaveLength(3);
  });

  it('judges a term by the collection that the units were chosen from', async () => {
    const index = await indexOf(['paper bin']);
    const bm25 = new Bm25(index, { size: 1000, frequencies: new Map([['bin', 500]]) });
    const idf = (word: string): number => bm25.idf(index.ids.get(word));
    expect(idf('bin')).toBeCloseTo(Math.log(1 + 500.5 / 500.5), 5);
    expect(idf('paper')).toBeCloseTo(Math.log(1 + 999.5 / 1.5), 5);
    expect(bm25.idf(undefined)).toBeGreaterThan(idf('paper'));
  });

  it('indexes words that are joined without blanks as one word too', async () => {
    const { ids } = await indexOf(['Wi-Fi at B.014 costs 1,642 or 4,50, see and/or a.b.c.d.e.f and don’t']);
    const terms = [...ids.keys()];
    expect(terms).toEqual(expect.arrayContaining(['wi', 'fi', 'wifi', 'b014', '1642', '4.50', 'andor']));
    expect(terms).not.toEqual(expect.arrayContaining(['abcdef']));
    expect(terms).not.toEqual(expect.arrayContaining(['dont']));
  });

  it('keeps to the order of the units where all are equal', async () => {
    const bm25 = new Bm25(await indexOf(Array(500).fill('same words here')));
    expect(bm25.top(wordsOf(new Map([[0, 1]])), 3).map((s) => s.unit)).toEqual([0, 1, 2]);
  });

  it('finds nothing without a term, and nothing if no result is wanted', async () => {
    const bm25 = new Bm25(await indexOf(['one two', 'two three']));
    expect(bm25.top([], 5)).toEqual([]);
    expect(bm25.top(wordsOf(new Map([[1, 1]])), 0)).toEqual([]);
  });
});

import * as fc from 'fast-check';
import { Bm25, type Scored } from '../../../lib/search/ranking/bm25.js';
import { IndexBuilder, type InvertedIndex } from '../../../lib/search/ranking/inverted-index.js';
import { noWords, WordReader } from '../../../lib/search/ranking/word-reader.js';

const noPause = (): undefined => undefined;

async function indexOf(texts: readonly string[]): Promise<InvertedIndex> {
  const reader = new WordReader();
  const builder = new IndexBuilder(reader);
  const words = noWords();
  for (const text of texts) {
    reader.read(text, words);
    builder.add([{ words, start: 0, end: text.length, weight: 1 }], undefined);
  }
  return builder.build(noPause);
}

/** Every unit's score by the formula, added up in single precision as the index does, all of them sorted. */
function plainRanking(index: InvertedIndex, bm25: Bm25, query: ReadonlyMap<number, number>): Scored[] {
  const average = index.lengths.reduce((a, b) => a + b, 0) / index.units;
  const scored = Array.from(index.lengths, (length, unit) => {
    const norm = Math.fround(1.4 * (0.25 + (0.75 * length) / average));
    let score = 0;
    for (const [term, weight] of query) {
      for (let i = index.starts[unit]!; i < index.starts[unit + 1]!; i++) {
        const n = index.forwardCounts[i]!;
        if (index.forwardTerms[i] === term)
          score = Math.fround(score + (bm25.idf(term) * 2.4 * weight * n) / (n + norm));
      }
    }
    return { unit, score };
  });
  return scored.filter((s) => s.score > 0).sort((a, b) => b.score - a.score || a.unit - b.unit);
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
        expect(bm25.top(query, count)).toEqual(expected);
        // Nothing of a query may be left for the next one.
        expect(bm25.top(query, count)).toEqual(expected);
      }),
    );
  });

  it('keeps to the order of the units where all are equal', async () => {
    const bm25 = new Bm25(await indexOf(Array(500).fill('same words here')));
    expect(bm25.top(new Map([[0, 1]]), 3).map((s) => s.unit)).toEqual([0, 1, 2]);
  });

  it('finds nothing for no term, and none for nobody', async () => {
    const bm25 = new Bm25(await indexOf(['one two', 'two three']));
    expect(bm25.top(new Map(), 5)).toEqual([]);
    expect(bm25.top(new Map([[1, 1]]), 0)).toEqual([]);
  });
});

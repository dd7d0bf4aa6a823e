import * as fc from 'fast-check';
import { truncatedSvd, type SparseRows } from '../../../lib/search/ranking/truncated-svd.js';

const noPause = (): undefined => undefined;

function sparse(rows: readonly (readonly number[])[]): SparseRows {
  const starts = [0];
  const indices: number[] = [];
  const values: number[] = [];
  for (const row of rows) {
    row.forEach((value, column) => {
      if (value !== 0) {
        indices.push(column);
        values.push(value);
      }
    });
    starts.push(values.length);
  }
  return {
    columns: rows[0]!.length,
    starts: Uint32Array.from(starts),
    indices: Uint32Array.from(indices),
    values: Float64Array.from(values),
  };
}

describe('truncatedSvd', () => {
  it('gives orthonormal vectors that hold all of a matrix of a lower rank', async () => {
    const factor = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 3, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(factor, { minLength: 5, maxLength: 30 }),
        fc.array(factor, { minLength: 5, maxLength: 30 }),
        async (left, right) => {
          const matrix = left.map((a) => right.map((b) => a.reduce((sum, x, i) => sum + x * b[i]!, 0)));
          const { rank, right: vectors } = await truncatedSvd(sparse(matrix), 8, noPause);
          const norm = Math.sqrt(matrix.flat().reduce((sum, x) => sum + x * x, 0));
          fc.pre(norm > 1e-3);
          const columns = right.length;
          const vector = (k: number): number[] =>
            Array.from({ length: columns }, (_, c) => vectors[c * rank + k]!);
          for (let k = 0; k < rank; k++)
            for (let l = 0; l <= k; l++) {
              const product = vector(k).reduce((sum, x, c) => sum + x * vector(l)[c]!, 0);
              // Single precision, and vectors whose strength is a ten-thousandth of the first one's.
              expect(product).toBeCloseTo(k === l ? 1 : 0, 2);
            }
          for (const row of matrix) {
            const rest = [...row];
            for (let k = 0; k < rank; k++) {
              const along = vector(k).reduce((sum, x, c) => sum + x * row[c]!, 0);
              for (let c = 0; c < columns; c++) rest[c]! -= along * vector(k)[c]!;
            }
            expect(Math.sqrt(rest.reduce((sum, x) => sum + x * x, 0)) / norm).toBeLessThan(1e-3);
          }
        },
      ),
    );
  });

  it('orders vectors by their strength, of a spectrum over five powers of ten', async () => {
    const strengths = [1, 0.3, 0.1, 1e-2, 1e-3, 1e-4];
    const n = 12;
    // Orthonormal rows: cosines of the discrete cosine transform.
    const basis = strengths.map((_, k) =>
      Array.from({ length: n }, (_, c) => Math.sqrt(2 / n) * Math.cos((Math.PI * (c + 0.5) * (k + 1)) / n)),
    );
    const matrix = basis.map((row, k) => row.map((x) => x * strengths[k]!));
    const { rank, right } = await truncatedSvd(sparse(matrix), 5, noPause);
    expect(rank).toBe(5);
    for (let k = 0; k < rank; k++) {
      const product = basis[k]!.reduce((sum, x, c) => sum + x * right[c * rank + k]!, 0);
      expect(Math.abs(product)).toBeCloseTo(1, 4);
    }
  });

  it('takes a matrix without entries', async () => {
    expect(
      (
        await truncatedSvd(
          sparse([
            [0, 0],
            [0, 0],
          ]),
          2,
          noPause,
        )
      ).rank,
    ).toBe(0);
  });
});

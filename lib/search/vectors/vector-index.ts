import { TopList, type Scored } from '../ranking/bm25.js';

/** Rows that are compared without yielding to other work: with 3,072 numbers each about 1 ms; set by hand. */
const ROWS_AT_ONCE = 256;

/** Vectors of length 1 in one typed array, searched exactly: 4 bytes for each number, and one multiplication a query. */
export class VectorIndex {
  private readonly values: Float32Array;
  private readonly isSet: Uint8Array;

  constructor(
    readonly rows: number,
    readonly size: number,
  ) {
    this.values = new Float32Array(rows * size);
    this.isSet = new Uint8Array(rows);
  }

  set(row: number, vector: Float32Array): void {
    this.values.set(vector, row * this.size);
    this.isSet[row] = 1;
  }

  /**
   * The `count` rows with the highest cosine, equal ones in order of the rows. Rows that were not set are not found.
   * @param accepts rows that may be found; asked only about rows that would get into the list. Default: all
   */
  async nearest(
    vector: Float32Array,
    count: number,
    pause: () => Promise<void> | undefined,
    accepts?: (row: number) => boolean,
  ): Promise<{ rows: Scored[]; mean: number }> {
    const best = new TopList(count);
    let sum = 0;
    let found = 0;
    for (let row = 0; row < this.rows; row++) {
      if (row % ROWS_AT_ONCE === 0) {
        const turn = pause();
        if (turn) await turn;
      }
      if (this.isSet[row] === 0) continue;
      const cosine = this.product(vector, row * this.size);
      sum += cosine;
      found++;
      if (cosine >= best.lowest && (!accepts || accepts(row))) best.offer(row, cosine);
    }
    return { rows: best.best, mean: found > 0 ? sum / found : 0 };
  }

  private product(vector: Float32Array, at: number): number {
    let sum = 0;
    for (let i = 0; i < this.size; i++) sum += vector[i]! * this.values[at + i]!;
    return sum;
  }
}

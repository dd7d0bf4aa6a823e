/** A sparse matrix by rows. */
export interface SparseRows {
  columns: number;
  /** Row `r` has the entries `starts[r] .. starts[r + 1]`. */
  starts: Uint32Array;
  indices: Uint32Array;
  values: Float64Array;
}

type Pause = () => Promise<void> | undefined;

const OVERSAMPLING = 8;
const POWER_ITERATIONS = 3;

/**
 * The strongest right singular vectors of a sparse matrix by randomised subspace iteration (Halko, Martinsson and Tropp
 * 2011). The random start is seeded: the same matrix gives the same vectors.
 *
 * @param rank how many are wanted; fewer come back where the matrix has fewer
 * @returns `right`: one row of `rank` numbers for each column of the matrix
 */
export async function truncatedSvd(
  matrix: SparseRows,
  rank: number,
  pause: Pause,
): Promise<{ rank: number; right: Float32Array }> {
  const rows = matrix.starts.length - 1;
  const width = Math.min(rank + OVERSAMPLING, rows, matrix.columns);
  if (width === 0) return { rank: 0, right: new Float32Array(0) };
  const random = seededNormal(20_261);
  const v = new Float64Array(matrix.columns * width);
  for (let i = 0; i < v.length; i++) {
    v[i] = random();
    if ((i & 0xfff) === 0) await pause();
  }
  const transposed = await transpose(matrix, pause);
  const u = new Float64Array(rows * width);
  await multiply(matrix, v, width, u, pause);
  for (let i = 0; i < POWER_ITERATIONS; i++) {
    // Twice for the shorter matrix in place of once for each: the ratio of the singular values has been squared by two products, and
    // the shift leaves the weakest vectors short the first time. Which basis a subspace has makes no difference to the next product.
    await orthonormalize(u, rows, width, pause);
    await orthonormalize(u, rows, width, pause);
    await multiply(transposed, u, width, v, pause);
    if (i + 1 < POWER_ITERATIONS) await multiply(matrix, v, width, u, pause);
  }
  // v = Aᵀ U = V S Wᵀ for an orthonormal U: the eigenvectors W of vᵀ v turn v into V S.
  const { vectors, order, values } = await eigen(await gram(v, matrix.columns, width, pause), width, pause);
  const strongest = values[order[0]!]!;
  const kept = order.slice(0, rank).filter((j) => values[j]! > strongest * 1e-8);
  const turn = new Float64Array(width * kept.length);
  for (let i = 0; i < width; i++)
    for (let c = 0; c < kept.length; c++) turn[i * kept.length + c] = vectors[i * width + kept[c]!]!;
  const singular = kept.map((j) => Math.sqrt(values[j]!));
  const right = new Float32Array(matrix.columns * kept.length);
  const row = new Float64Array(kept.length);
  const everyRow = Uint32Array.from({ length: width }, (_, i) => i);
  for (let r = 0; r < matrix.columns; r++) {
    row.fill(0);
    addRows(row, 0, kept.length, turn, everyRow, v.subarray(r * width, (r + 1) * width), 0, width);
    for (let c = 0; c < row.length; c++) right[r * row.length + c] = row[c]! / singular[c]!;
    const pending = pause();
    if (pending) await pending;
  }
  return { rank: kept.length, right };
}

/** `out` = m x; every row of `x` and `out` has `width` numbers. */
async function multiply(
  m: SparseRows,
  x: Float64Array,
  width: number,
  out: Float64Array,
  pause: Pause,
): Promise<void> {
  const rows = m.starts.length - 1;
  for (let r = 0; r < rows; r++) {
    out.fill(0, r * width, (r + 1) * width);
    addRows(out, r * width, width, x, m.indices, m.values, m.starts[r]!, m.starts[r + 1]!);
    const pending = pause();
    if (pending) await pending;
  }
}

/**
 * Adds `values[e]` times row `indices[e]` of `x` for `e` in `[from, to)` to the `width` numbers of `out` from `at` on. Four rows at a
 * time, since a sum is loaded and stored once for all four; each is added in its turn, so that the result is that of one at a time.
 */
function addRows(
  out: Float64Array,
  at: number,
  width: number,
  x: Float64Array,
  indices: Uint32Array,
  values: Float64Array,
  from: number,
  to: number,
): void {
  let e = from;
  for (; e + 4 <= to; e += 4) {
    const a = indices[e]! * width;
    const b = indices[e + 1]! * width;
    const c = indices[e + 2]! * width;
    const d = indices[e + 3]! * width;
    const s = values[e]!;
    const t = values[e + 1]!;
    const u = values[e + 2]!;
    const v = values[e + 3]!;
    for (let i = 0; i < width; i++)
      out[at + i] = out[at + i]! + s * x[a + i]! + t * x[b + i]! + u * x[c + i]! + v * x[d + i]!;
  }
  for (; e < to; e++) {
    const a = indices[e]! * width;
    const s = values[e]!;
    for (let i = 0; i < width; i++) out[at + i]! += s * x[a + i]!;
  }
}

async function transpose(m: SparseRows, pause: Pause): Promise<SparseRows> {
  const rows = m.starts.length - 1;
  const starts = new Uint32Array(m.columns + 1);
  for (const index of m.indices) starts[index + 1]!++;
  for (let c = 0; c < m.columns; c++) starts[c + 1]! += starts[c]!;
  await pause();
  const next = starts.slice();
  const indices = new Uint32Array(m.indices.length);
  const values = new Float64Array(m.values.length);
  for (let r = 0; r < rows; r++) {
    for (let e = m.starts[r]!; e < m.starts[r + 1]!; e++) {
      const to = next[m.indices[e]!]!++;
      indices[to] = r;
      values[to] = m.values[e]!;
    }
    const pending = pause();
    if (pending) await pending;
  }
  return { columns: rows, starts, indices, values };
}

/** xᵀ x for a tall matrix. */
async function gram(x: Float64Array, rows: number, width: number, pause: Pause): Promise<Float64Array> {
  const out = new Float64Array(width * width);
  let r = 0;
  for (; r + 4 <= rows; r += 4) {
    addSquares(out, width, x, r * width);
    const pending = pause();
    if (pending) await pending;
  }
  for (; r < rows; r++) {
    const at = r * width;
    for (let i = 0; i < width; i++) {
      const value = x[at + i]!;
      for (let j = i; j < width; j++) out[i * width + j]! += value * x[at + j]!;
    }
  }
  for (let i = 0; i < width; i++) for (let j = 0; j < i; j++) out[i * width + j] = out[j * width + i]!;
  return out;
}

/** Adds the products of the numbers of a row with each other to the upper triangle of `out`, for four rows from `at` on. */
function addSquares(out: Float64Array, width: number, x: Float64Array, at: number): void {
  const b = at + width;
  const c = b + width;
  const d = c + width;
  for (let i = 0; i < width; i++) {
    const s = x[at + i]!;
    const t = x[b + i]!;
    const u = x[c + i]!;
    const v = x[d + i]!;
    const to = i * width;
    for (let j = i; j < width; j++)
      out[to + j] = out[to + j]! + s * x[at + j]! + t * x[b + j]! + u * x[c + j]! + v * x[d + j]!;
  }
}

/** Orthonormal columns in place by a Cholesky factor of the Gram matrix, slightly shifted so that it exists. */
async function orthonormalize(x: Float64Array, rows: number, width: number, pause: Pause): Promise<void> {
  const l = await gram(x, rows, width, pause);
  let trace = 0;
  for (let i = 0; i < width; i++) trace += l[i * width + i]!;
  const shift = (trace / width) * 1e-10 + Number.MIN_VALUE;
  for (let i = 0; i < width; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = l[i * width + j]! + (i === j ? shift : 0);
      for (let k = 0; k < j; k++) sum -= l[i * width + k]! * l[j * width + k]!;
      l[i * width + j] = i === j ? Math.sqrt(Math.max(sum, shift)) : sum / l[j * width + j]!;
    }
    await pause();
  }
  let r = 0;
  for (; r + 4 <= rows; r += 4) {
    solveFour(l, width, x, r * width);
    const pending = pause();
    if (pending) await pending;
  }
  for (; r < rows; r++) {
    const at = r * width;
    for (let i = 0; i < width; i++) {
      let sum = x[at + i]!;
      for (let k = 0; k < i; k++) sum -= l[i * width + k]! * x[at + k]!;
      x[at + i] = sum / l[i * width + i]!;
    }
  }
}

/** Forward substitution with the lower triangle `l` in four rows of `x` at a time: four sums that need not wait for each other. */
function solveFour(l: Float64Array, width: number, x: Float64Array, at: number): void {
  const b = at + width;
  const c = b + width;
  const d = c + width;
  for (let i = 0; i < width; i++) {
    const row = i * width;
    let s = x[at + i]!;
    let t = x[b + i]!;
    let u = x[c + i]!;
    let v = x[d + i]!;
    for (let k = 0; k < i; k++) {
      const factor = l[row + k]!;
      s -= factor * x[at + k]!;
      t -= factor * x[b + k]!;
      u -= factor * x[c + k]!;
      v -= factor * x[d + k]!;
    }
    const diagonal = l[row + i]!;
    x[at + i] = s / diagonal;
    x[b + i] = t / diagonal;
    x[c + i] = u / diagonal;
    x[d + i] = v / diagonal;
  }
}

/** Eigenvalues and eigenvectors (columns) of a small symmetric matrix by cyclic Jacobi rotations. */
async function eigen(
  a: Float64Array,
  n: number,
  pause: Pause,
): Promise<{ values: Float64Array; vectors: Float64Array; order: number[] }> {
  const vectors = new Float64Array(n * n);
  for (let i = 0; i < n; i++) vectors[i * n + i] = 1;
  for (let sweep = 0; sweep < 12; sweep++) {
    let off = 0;
    let diagonal = 0;
    for (let i = 0; i < n; i++) {
      diagonal += a[i * n + i]! ** 2;
      for (let j = i + 1; j < n; j++) off += a[i * n + j]! ** 2;
    }
    if (off <= 1e-18 * diagonal) break;
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) rotate(a, vectors, n, p, q);
      await pause();
    }
  }
  const values = new Float64Array(n);
  for (let i = 0; i < n; i++) values[i] = Math.max(0, a[i * n + i]!);
  const order = [...values.keys()].sort((x, y) => values[y]! - values[x]! || x - y);
  return { values, vectors, order };
}

function rotate(a: Float64Array, vectors: Float64Array, n: number, p: number, q: number): void {
  const apq = a[p * n + q]!;
  if (Math.abs(apq) < 1e-300) return;
  const theta = (a[q * n + q]! - a[p * n + p]!) / (2 * apq);
  const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (let i = 0; i < n; i++) {
    const x = a[i * n + p]!;
    const y = a[i * n + q]!;
    a[i * n + p] = c * x - s * y;
    a[i * n + q] = s * x + c * y;
  }
  for (let i = 0; i < n; i++) {
    const x = a[p * n + i]!;
    const y = a[q * n + i]!;
    a[p * n + i] = c * x - s * y;
    a[q * n + i] = s * x + c * y;
    const v = vectors[i * n + p]!;
    const w = vectors[i * n + q]!;
    vectors[i * n + p] = c * v - s * w;
    vectors[i * n + q] = s * v + c * w;
  }
}

/** Standard normal numbers from a seed: mulberry32 and Box-Muller. */
function seededNormal(seed: number): () => number {
  let state = seed;
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), 1 | state);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return (((x ^ (x >>> 14)) >>> 0) + 1) / 4294967297;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

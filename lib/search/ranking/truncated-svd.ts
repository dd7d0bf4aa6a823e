/** A sparse matrix by rows. */
export interface SparseRows {
  columns: number;
  /** Row `r` has the entries `starts[r] .. starts[r + 1]`. */
  starts: number[];
  indices: number[];
  values: number[];
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
  let v: Float64Array = new Float64Array(matrix.columns * width);
  for (let i = 0; i < v.length; i++) {
    v[i] = random();
    if ((i & 0xfff) === 0) await pause();
  }
  let u = await multiply(matrix, v, width, pause);
  for (let i = 0; i < POWER_ITERATIONS; i++) {
    await orthonormalize(u, rows, width, pause);
    v = await multiplyTransposed(matrix, u, width, pause);
    if (i + 1 < POWER_ITERATIONS) {
      await orthonormalize(v, matrix.columns, width, pause);
      u = await multiply(matrix, v, width, pause);
    }
  }
  // v = Aᵀ U = V S Wᵀ for an orthonormal U: the eigenvectors W of vᵀ v turn v into V S.
  const { vectors, order, values } = await eigen(await gram(v, matrix.columns, width, pause), width, pause);
  const strongest = values[order[0]!]!;
  const kept = order.slice(0, rank).filter((j) => values[j]! > strongest * 1e-8);
  const right = new Float32Array(matrix.columns * kept.length);
  for (let r = 0; r < matrix.columns; r++) {
    for (let c = 0; c < kept.length; c++) {
      const j = kept[c]!;
      let sum = 0;
      for (let i = 0; i < width; i++) sum += v[r * width + i]! * vectors[i * width + j]!;
      right[r * kept.length + c] = sum / Math.sqrt(values[j]!);
    }
    await pause();
  }
  return { rank: kept.length, right };
}

async function multiply(m: SparseRows, x: Float64Array, width: number, pause: Pause): Promise<Float64Array> {
  const rows = m.starts.length - 1;
  const out = new Float64Array(rows * width);
  for (let r = 0; r < rows; r++) {
    const to = r * width;
    for (let e = m.starts[r]!; e < m.starts[r + 1]!; e++) {
      const value = m.values[e]!;
      const from = m.indices[e]! * width;
      for (let i = 0; i < width; i++) out[to + i]! += value * x[from + i]!;
    }
    await pause();
  }
  return out;
}

async function multiplyTransposed(
  m: SparseRows,
  x: Float64Array,
  width: number,
  pause: Pause,
): Promise<Float64Array> {
  const rows = m.starts.length - 1;
  const out = new Float64Array(m.columns * width);
  for (let r = 0; r < rows; r++) {
    const from = r * width;
    for (let e = m.starts[r]!; e < m.starts[r + 1]!; e++) {
      const value = m.values[e]!;
      const to = m.indices[e]! * width;
      for (let i = 0; i < width; i++) out[to + i]! += value * x[from + i]!;
    }
    await pause();
  }
  return out;
}

/** xᵀ x for a tall matrix. */
async function gram(x: Float64Array, rows: number, width: number, pause: Pause): Promise<Float64Array> {
  const out = new Float64Array(width * width);
  for (let r = 0; r < rows; r++) {
    const at = r * width;
    for (let i = 0; i < width; i++) {
      const value = x[at + i]!;
      if (value === 0) continue;
      for (let j = i; j < width; j++) out[i * width + j]! += value * x[at + j]!;
    }
    if ((r & 15) === 0) await pause();
  }
  for (let i = 0; i < width; i++) for (let j = 0; j < i; j++) out[i * width + j] = out[j * width + i]!;
  return out;
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
  for (let r = 0; r < rows; r++) {
    const at = r * width;
    for (let i = 0; i < width; i++) {
      let sum = x[at + i]!;
      for (let k = 0; k < i; k++) sum -= l[i * width + k]! * x[at + k]!;
      x[at + i] = sum / l[i * width + i]!;
    }
    if ((r & 15) === 0) await pause();
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

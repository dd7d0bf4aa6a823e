/**
 * Gradient-boosted trees for a probability, on histograms of at most 64 bins. Trees grow leaf by leaf, the best split first.
 *
 * `rows` are the numbers of all rows, `columns` each; `bins` the same as bins of `borders`; targets are 0..1, weights at least 0.
 */
const BINS = 64;
const WIDTH = 2 * BINS;

/** Borders between the bins of each column, from a sample of its values. */
export function bordersOf(rows, columns, random) {
  const count = rows.length / columns;
  const picks = Array.from({ length: Math.min(count, 40_000) }, () => Math.floor(random() * count));
  return Array.from({ length: columns }, (_, column) => {
    const values = Float32Array.from(picks, (row) => rows[row * columns + column]).sort();
    const distinct = [...new Set(values)];
    const between = (low, high) => Math.fround(Number(((low + high) / 2).toPrecision(3)));
    const borders =
      distinct.length <= BINS
        ? distinct.slice(1).map((value, i) => between(distinct[i], value))
        : Array.from({ length: BINS - 1 }, (_, i) => Math.floor(((i + 1) * values.length) / BINS)).map((at) =>
            between(values[at - 1], values[at]),
          );
    return [...new Set(borders)].sort((a, b) => a - b).filter((border) => border < values.at(-1));
  });
}

/** The bin of every number. A number of at most a border lies before it. */
export function binned(rows, columns, borders) {
  const bins = new Uint8Array(rows.length);
  for (let at = 0, column = 0; at < rows.length; at++) {
    const limits = borders[column];
    const value = rows[at];
    let [low, high] = [0, limits.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (value <= limits[middle]) high = middle;
      else low = middle + 1;
    }
    bins[at] = low;
    if (++column === columns) column = 0;
  }
  return bins;
}

/**
 * @param rows the rows to learn from
 * @returns `base`, and `trees` as lists of nodes `[column, border, left, right]`, or `[value]` for a leaf; with what each column gained
 */
export function fitTrees(
  { bins, columns, borders, targets, weights, rows },
  { trees: count, leaves, rate, l2 = 10, minWeight = 20, share = 0.5, columnShare = 0.6, use, random },
) {
  let [sum, all] = [0, 0];
  for (const row of rows) {
    sum += weights[row] * targets[row];
    all += weights[row];
  }
  const base = Math.log(sum / (all - sum));
  const scores = new Float32Array(targets.length).fill(base);
  const gradients = new Float32Array(targets.length);
  const hessians = new Float32Array(targets.length);
  const gains = new Float64Array(columns);
  const grower = new Grower({ bins, columns, borders, gradients, hessians, gains, leaves, l2, minWeight });
  const trees = [];
  const sample = new Int32Array(rows.length);
  for (let t = 0; t < count; t++) {
    let picked = 0;
    for (const row of rows) {
      if (random() >= share) continue;
      const p = 1 / (1 + Math.exp(-scores[row]));
      gradients[row] = weights[row] * (targets[row] - p);
      hessians[row] = weights[row] * p * (1 - p);
      sample[picked++] = row;
    }
    const used = use.filter(() => random() < columnShare);
    const tree = grower.grow(sample.subarray(0, picked), Int32Array.from(used));
    for (const node of tree) if (node.length === 1) node[0] *= rate;
    for (const row of rows) {
      let node = tree[0];
      while (node.length > 1) node = tree[bins[row * columns + node[0]] <= node[4] ? node[2] : node[3]];
      scores[row] += node[0];
    }
    trees.push(tree.map((node) => node.slice(0, 4)));
  }
  return { base, trees, gains };
}

class Grower {
  constructor(settings) {
    Object.assign(this, settings);
  }

  /** A tree on the rows, which are put into another order. */
  grow(rows, used) {
    this.used = used;
    const { bins, columns, borders, gains } = this;
    const root = this.leafOf(0, rows, this.histogramOf(rows));
    const nodes = [[root.value]];
    const open = [root];
    const right = new Int32Array(rows.length);
    while (open.length < this.leaves) {
      const best = open.reduce((top, leaf) => (leaf.gain > top.gain ? leaf : top));
      if (!(best.gain > 0)) break;
      const { column, bin, histogram } = best;
      gains[column] += best.gain;
      let [l, r] = [0, 0];
      for (const row of best.rows) {
        if (bins[row * columns + column] <= bin) best.rows[l++] = row;
        else right[r++] = row;
      }
      best.rows.set(right.subarray(0, r), l);
      const parts = [best.rows.subarray(0, l), best.rows.subarray(l)];
      const smaller = l <= r ? 0 : 1;
      const small = this.histogramOf(parts[smaller]);
      for (let i = 0; i < small.length; i++) histogram[i] -= small[i];
      const leaves = parts.map((part, i) =>
        this.leafOf(nodes.length + i, part, i === smaller ? small : histogram),
      );
      nodes[best.node] = [column, borders[column][bin], nodes.length, nodes.length + 1, bin];
      for (const leaf of leaves) nodes.push([leaf.value]);
      open.splice(open.indexOf(best), 1, ...leaves);
    }
    return nodes;
  }

  /** Sums of gradients and of second derivatives for each bin of each used column. */
  histogramOf(rows) {
    const { bins, columns, gradients, hessians, used } = this;
    const histogram = new Float64Array(used.length * WIDTH);
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i];
      const [from, gradient, hessian] = [row * columns, gradients[row], hessians[row]];
      for (let u = 0; u < used.length; u++) {
        const at = u * WIDTH + 2 * bins[from + used[u]];
        histogram[at] += gradient;
        histogram[at + 1] += hessian;
      }
    }
    return histogram;
  }

  /** A leaf with its best split. */
  leafOf(node, rows, histogram) {
    const { used, borders, l2, minWeight } = this;
    let [sum, weight] = [0, 0];
    for (let at = 0; at < WIDTH; at += 2) {
      sum += histogram[at];
      weight += histogram[at + 1];
    }
    const leaf = { node, rows, histogram, value: sum / (weight + l2), gain: 0, column: 0, bin: 0 };
    const whole = (sum * sum) / (weight + l2);
    for (let u = 0; u < used.length; u++) {
      let [left, leftWeight] = [0, 0];
      for (let bin = 0; bin < borders[used[u]].length; bin++) {
        left += histogram[u * WIDTH + 2 * bin];
        leftWeight += histogram[u * WIDTH + 2 * bin + 1];
        const rightWeight = weight - leftWeight;
        if (leftWeight < minWeight || rightWeight < minWeight) continue;
        const right = sum - left;
        const gain = (left * left) / (leftWeight + l2) + (right * right) / (rightWeight + l2) - whole;
        if (gain > leaf.gain) [leaf.gain, leaf.column, leaf.bin] = [gain, used[u], bin];
      }
    }
    return leaf;
  }
}

/** Score of a row that begins at `from`, before the logistic function. */
export function scoreOf({ base, trees }, rows, from) {
  let score = base;
  for (const tree of trees) {
    let node = tree[0];
    while (node.length > 1) node = tree[rows[from + node[0]] <= node[1] ? node[2] : node[3]];
    score += node[0];
  }
  return score;
}

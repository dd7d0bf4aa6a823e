/** Which words of a page stand in a labelled text: a longest common subsequence, by rows of bits (Hyyrö 2004). */
export function commonWords(words, label) {
  const width = Math.ceil(label.length / 32);
  const places = new Map();
  label.forEach((word, i) => {
    if (!places.has(word)) places.set(word, new Int32Array(width));
    places.get(word)[i >> 5] |= 1 << (i & 31);
  });
  // A row of bits for each word of the page; a zero is where the longest subsequence grows by one.
  const rows = new Int32Array((words.length + 1) * width).fill(-1);
  for (let i = 0; i < words.length; i++) {
    const [from, to] = [i * width, (i + 1) * width];
    const place = places.get(words[i]);
    if (!place) {
      rows.copyWithin(to, from, to);
      continue;
    }
    let carry = 0;
    for (let k = 0; k < width; k++) {
      const v = rows[from + k];
      const u = v & place[k];
      const sum = (v >>> 0) + (u >>> 0) + carry;
      carry = sum > 0xffffffff ? 1 : 0;
      rows[to + k] = sum | 0 | (v - u);
    }
  }
  const isZero = (i, j) => (rows[i * width + (j >> 5)] & (1 << (j & 31))) === 0;
  const common = new Uint8Array(words.length);
  let [i, j] = [words.length, label.length - 1];
  while (i > 0 && j >= 0) {
    if (!isZero(i, j)) j--;
    else if (isZero(i - 1, j)) i--;
    else {
      i--;
      common[i] = 1;
      j--;
    }
  }
  return common;
}

/** Signature of a frame, for comparison: an 8×8 difference hash (64 bits in two numbers), mean and spread of brightness. */
export interface FrameSignature {
  /** Number of the frame in the storyboard. */
  index: number;
  startMs: number;
  hash: readonly [number, number];
  /** Mean brightness, 0..255. */
  mean: number;
  /** Standard deviation of the brightness; a black, white or single-coloured frame has nearly none. */
  spread: number;
}

/** A part of a grey picture. */
interface GreyArea {
  data: Uint8Array;
  /** Bytes from one row to the next. */
  stride: number;
  left: number;
  top: number;
  width: number;
  height: number;
}

const COLUMNS = 9;
const ROWS = 8;
/** Brightness must differ by this much to set a bit: grain and compression do not. */
const NOISE = 3;

/** Difference hash after Neal Krawetz ("Kind of like that", 2013), over means of a 9×8 grid. */
export function signatureOf(area: GreyArea, index: number, startMs: number): FrameSignature {
  const grid: number[] = [];
  for (let row = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++) grid.push(meanOf(area, column, row));
  }
  const hash: [number, number] = [0, 0];
  for (let row = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS - 1; column++) {
      const at = row * COLUMNS + column;
      const bit = row * (COLUMNS - 1) + column;
      if (grid[at + 1]! - grid[at]! > NOISE) hash[bit >> 5 ? 1 : 0] |= 1 << (bit & 31);
    }
  }
  const mean = grid.reduce((sum, value) => sum + value, 0) / grid.length;
  const variance = grid.reduce((sum, value) => sum + (value - mean) ** 2, 0) / grid.length;
  return { index, startMs, hash, mean, spread: Math.sqrt(variance) };
}

function meanOf({ data, stride, left, top, width, height }: GreyArea, column: number, row: number): number {
  const fromX = left + Math.floor((column * width) / COLUMNS);
  const toX = Math.max(fromX + 1, left + Math.floor(((column + 1) * width) / COLUMNS));
  const fromY = top + Math.floor((row * height) / ROWS);
  const toY = Math.max(fromY + 1, top + Math.floor(((row + 1) * height) / ROWS));
  let sum = 0;
  for (let y = fromY; y < toY; y++) {
    for (let x = fromX; x < toX; x++) sum += data[y * stride + x] ?? 0;
  }
  return sum / ((toX - fromX) * (toY - fromY));
}

/** Bits in which two frames differ, 0..64; a change of brightness alone counts too. */
export function distance(a: FrameSignature, b: FrameSignature): number {
  const bits = popcount(a.hash[0] ^ b.hash[0]) + popcount(a.hash[1] ^ b.hash[1]);
  return Math.min(64, bits + Math.floor(Math.abs(a.mean - b.mean) / 8));
}

function popcount(value: number): number {
  let v = value - ((value >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return (((v + (v >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

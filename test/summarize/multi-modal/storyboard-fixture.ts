import sharp from 'sharp';
import type { StoryboardLevel } from '../../../lib/content/content-source.js';
import type { FrameSource } from '../../../lib/summarize/multi-modal/storyboard.js';

const COLUMNS = 5;
const ROWS = 5;

/** Brightness of each cell of a 9×8 grid, different for each number. */
function cellsOf(picture: number): number[] {
  return Array.from({ length: 72 }, (_, cell) => {
    // A small generator, so that neighbours in number are far apart in pattern.
    let state = (picture + 1) * 2654435761 + (cell % 9) * 40503 + Math.floor(cell / 9) * 9973;
    state = Math.imul(state ^ (state >>> 15), 2246822519);
    return ((state ^ (state >>> 13)) >>> 0) % 256;
  });
}

const sheets = new Map<string, Promise<Uint8Array>>();

/** One sheet as JPEG; equal ones are made once. */
function sheetOf(pictures: readonly number[], width: number, height: number): Promise<Uint8Array> {
  const key = JSON.stringify([pictures, width, height]);
  let sheet = sheets.get(key);
  if (!sheet) sheets.set(key, (sheet = drawSheet(pictures, width, height)));
  return sheet;
}

async function drawSheet(pictures: readonly number[], width: number, height: number): Promise<Uint8Array> {
  const stride = COLUMNS * width;
  const data = Buffer.alloc(stride * ROWS * height);
  pictures.forEach((picture, i) => {
    const left = (i % COLUMNS) * width;
    const top = Math.floor(i / COLUMNS) * height;
    const cells = cellsOf(picture);
    for (let y = 0; y < height; y++) {
      for (let column = 0; column < 9; column++) {
        const [from, to] = [column, column + 1].map((n) => Math.ceil((n * width) / 9)) as [number, number];
        const at = (top + y) * stride + left;
        data.fill(cells[Math.floor((y * 8) / height) * 9 + column]!, at + from, at + to);
      }
    }
  });
  const raw = { width: stride, height: ROWS * height, channels: 1 as const };
  return sharp(data, { raw }).jpeg({ quality: 90 }).toBuffer();
}

/** Storyboards of so many pictures, one every `intervalMs`, in two sizes, and the source that gives their sheets. */
export async function storyboardOf(
  pictures: readonly number[],
  intervalMs: number,
): Promise<{ levels: StoryboardLevel[]; source: FrameSource; fetched: string[] }> {
  const files = new Map<string, Uint8Array>();
  const levels: StoryboardLevel[] = [];
  for (const [level, width, height] of [
    [0, 80, 45],
    [1, 160, 90],
  ] as const) {
    const sheetUrls: string[] = [];
    for (let from = 0; from < pictures.length; from += COLUMNS * ROWS) {
      const url = `https://i.ytimg.com/sb/x/storyboard3_L${level}/M${sheetUrls.length}.jpg`;
      files.set(url, await sheetOf(pictures.slice(from, from + COLUMNS * ROWS), width, height));
      sheetUrls.push(url);
    }
    levels.push({
      width,
      height,
      count: pictures.length,
      columns: COLUMNS,
      rows: ROWS,
      intervalMs,
      sheetUrls,
    });
  }
  const fetched: string[] = [];
  const source: FrameSource = (url) => {
    fetched.push(url);
    return Promise.resolve(files.get(url)!);
  };
  return { levels, source, fetched };
}

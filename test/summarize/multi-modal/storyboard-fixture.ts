import sharp from 'sharp';
import type { StoryboardLevel } from '../../../lib/content/content-source.js';
import type { FrameSource } from '../../../lib/summarize/multi-modal/frame-source.js';

const COLUMNS = 5;
const ROWS = 5;

/** What a frame shows: nothing, or one of many patterns. */
export type Picture = 'black' | number;

/** A picture of vertical and horizontal bars, different for each number. */
function pattern(picture: Picture, x: number, y: number, width: number, height: number): number {
  if (picture === 'black') return 0;
  const column = Math.floor((x * 9) / width);
  const row = Math.floor((y * 8) / height);
  // A small generator, so that neighbours in number are far apart in pattern.
  let state = (picture + 1) * 2654435761 + column * 40503 + row * 9973;
  state = Math.imul(state ^ (state >>> 15), 2246822519);
  return ((state ^ (state >>> 13)) >>> 0) % 256;
}

/** Storyboards of so many pictures, one every `intervalMs`, in two sizes, and the source that gives their sheets. */
export async function storyboardOf(
  pictures: readonly Picture[],
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
      const data = Buffer.alloc(COLUMNS * width * ROWS * height);
      for (let y = 0; y < ROWS * height; y++) {
        for (let x = 0; x < COLUMNS * width; x++) {
          const picture = pictures[from + Math.floor(y / height) * COLUMNS + Math.floor(x / width)];
          if (picture === undefined) continue;
          data[y * COLUMNS * width + x] = pattern(picture, x % width, y % height, width, height);
        }
      }
      const raw = { width: COLUMNS * width, height: ROWS * height, channels: 1 as const };
      files.set(url, await sharp(data, { raw }).jpeg({ quality: 90 }).toBuffer());
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
  const source: FrameSource = {
    fetchSheet: (url) => {
      fetched.push(url);
      return Promise.resolve(files.get(url)!);
    },
  };
  return { levels, source, fetched };
}

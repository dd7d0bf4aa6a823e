import type { StoryboardLevel } from '../../content/content-source.js';
import { UpstreamInvalidError } from '../../core/errors.js';
import { yielder } from '../../core/async.js';
import type { ToolContext } from '../../core/context.js';
import type { FrameSource } from './frame-source.js';
import { signatureOf, type FrameSignature } from './frame-signature.js';
import type { Sharp } from './image-decoder.js';

/** Frames narrower than this do not tell two slides apart. */
const MIN_WIDTH = 48;
const AT_ONCE = 4;
/** A sheet of more pixels than this is no storyboard. */
const MAX_PIXELS = 16_000_000;
const SHEET_COLUMNS = 3;
const SHEET_ROWS = 3;
const JPEG_QUALITY = 80;

/** A picture of several frames, left to right and top to bottom, and their times. */
export interface ContactSheet {
  jpeg: Uint8Array;
  startsMs: number[];
}

/** Reads the frames of a storyboard. */
export class Storyboard {
  private readonly sheets = new Map<string, Promise<Uint8Array>>();

  private readonly levels: readonly StoryboardLevel[];

  /**
   * @param levels at least one
   * @param endMs end of the content, for levels that do not tell their interval
   */
  constructor(
    levels: readonly StoryboardLevel[],
    endMs: number,
    private readonly source: FrameSource,
    private readonly sharp: Sharp,
    private readonly context: ToolContext,
  ) {
    this.levels = levels.map((level) =>
      level.intervalMs > 0 ? level : { ...level, intervalMs: endMs / Math.max(1, level.count) },
    );
  }

  /** Every frame's signature, from the level with the fewest sheets that still shows enough. */
  async signatures(): Promise<FrameSignature[]> {
    const enough = this.levels.filter(({ width }) => width >= MIN_WIDTH);
    const level = [...(enough.length > 0 ? enough : this.levels)].sort(
      (a, b) => a.sheetUrls.length - b.sheetUrls.length || a.width - b.width,
    )[0]!;
    const perSheet = level.columns * level.rows;
    const pause = yielder(12, this.context.signal);
    const found: FrameSignature[][] = [];
    await inGroups(level.sheetUrls.length, async (n) => {
      const { data, info } = await this.decode(level.sheetUrls[n]!);
      const own: FrameSignature[] = (found[n] = []);
      for (let i = 0; i < perSheet && n * perSheet + i < level.count; i++) {
        const area = areaOf(level, i);
        if (area.top + area.height > info.height || area.left + area.width > info.width) break;
        const index = n * perSheet + i;
        own.push(
          signatureOf({ data, stride: info.width * info.channels, ...area }, index, index * level.intervalMs),
        );
        await pause();
      }
    });
    return found.flat();
  }

  /** The frames at these times in the best resolution, nine to a sheet, in order. */
  async contactSheets(startsMs: readonly number[]): Promise<ContactSheet[]> {
    const level = [...this.levels].sort((a, b) => b.width - a.width)[0]!;
    const perPage = SHEET_COLUMNS * SHEET_ROWS;
    const pages: ContactSheet[] = [];
    for (let from = 0; from < startsMs.length; from += perPage) {
      const own = startsMs.slice(from, from + perPage);
      const tiles: Uint8Array[] = [];
      await inGroups(own.length, async (i) => {
        tiles[i] = await this.frame(level, own[i]!);
      });
      const rows = Math.ceil(own.length / SHEET_COLUMNS);
      const page = this.sharp({
        create: {
          width: SHEET_COLUMNS * level.width,
          height: rows * level.height,
          channels: 3,
          background: '#000000',
        },
      }).composite(
        tiles.map((input, i) => ({
          input,
          left: (i % SHEET_COLUMNS) * level.width,
          top: Math.floor(i / SHEET_COLUMNS) * level.height,
        })),
      );
      const { data } = await page.jpeg({ quality: JPEG_QUALITY }).toBuffer({ resolveWithObject: true });
      pages.push({ jpeg: data, startsMs: own });
    }
    return pages;
  }

  private async frame(level: StoryboardLevel, startMs: number): Promise<Uint8Array> {
    const index = Math.min(level.count - 1, Math.max(0, Math.round(startMs / level.intervalMs)));
    const perSheet = level.columns * level.rows;
    const bytes = await this.sheet(level.sheetUrls[Math.floor(index / perSheet)] ?? '');
    const { left, top, width, height } = areaOf(level, index % perSheet);
    try {
      const { data } = await this.sharp(bytes, { limitInputPixels: MAX_PIXELS })
        .extract({ left, top, width, height })
        .removeAlpha()
        .jpeg({ quality: 90 })
        .toBuffer({ resolveWithObject: true });
      return data;
    } catch (error) {
      throw new UpstreamInvalidError('A frame of the storyboard cannot be read.', { cause: error });
    }
  }

  private async decode(url: string): ReturnType<ReturnType<Sharp>['toBuffer']> {
    const bytes = await this.sheet(url);
    try {
      const image = this.sharp(bytes, { limitInputPixels: MAX_PIXELS }).removeAlpha().greyscale();
      return await image.raw().toBuffer({ resolveWithObject: true });
    } catch (error) {
      throw new UpstreamInvalidError('A sheet of the storyboard cannot be read.', { cause: error });
    }
  }

  private sheet(url: string): Promise<Uint8Array> {
    let sheet = this.sheets.get(url);
    if (!sheet) this.sheets.set(url, (sheet = this.source.fetchSheet(url, this.context)));
    return sheet;
  }
}

function areaOf(
  level: StoryboardLevel,
  i: number,
): { left: number; top: number; width: number; height: number } {
  return {
    left: (i % level.columns) * level.width,
    top: Math.floor(i / level.columns) * level.height,
    width: level.width,
    height: level.height,
  };
}

async function inGroups(count: number, work: (i: number) => Promise<void>): Promise<void> {
  for (let from = 0; from < count; from += AT_ONCE) {
    const size = Math.min(AT_ONCE, count - from);
    await Promise.all(Array.from({ length: size }, (_, i) => work(from + i)));
  }
}

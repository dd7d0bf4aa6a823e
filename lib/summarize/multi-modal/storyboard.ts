import type { StoryboardLevel } from '../../content/content-source.js';
import { yielder } from '../../core/async.js';
import type { ToolContext } from '../../core/context.js';
import { UpstreamInvalidError, UpstreamUnavailableError } from '../../core/errors.js';
import { loadPeer } from '../../core/ports.js';
import { requestBytes, type Fetch } from '../../core/upstream/request.js';
import { parseUrl } from '../../core/url.js';

/** Gets a sheet of a storyboard. A host gives its own for a proxy or for frames of another kind. */
export interface FrameSource {
  /** @throws upstream errors; the context's reason when it is aborted */
  fetchSheet(url: string, context: ToolContext): Promise<Uint8Array>;
}

const TIMEOUT_MS = 6000;
const MAX_BYTES = 3 * 1024 * 1024;

/** Storyboard sheets of YouTube over HTTPS. Their addresses come from outside, so no other host is asked and no redirect is followed. */
export class HttpFrameSource implements FrameSource {
  /** @param fetch default: the global one */
  constructor(private readonly fetch?: Fetch) {}

  async fetchSheet(url: string, context: ToolContext): Promise<Uint8Array> {
    if (!isAllowed(url))
      throw new UpstreamInvalidError('The storyboard is at an address that is not allowed.');
    const { status, body } = await requestBytes(
      { upstream: 'The storyboard', url, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, fetch: this.fetch },
      context,
    );
    if (status !== 200 || body.length === 0)
      throw new UpstreamUnavailableError(`The storyboard is not available (status ${status}).`);
    return body;
  }
}

function isAllowed(address: string): boolean {
  const url = parseUrl(address);
  if (!url) return false;
  const { protocol, hostname, username, port } = url;
  const known = hostname === 'ytimg.com' || hostname.endsWith('.ytimg.com');
  return known && protocol === 'https:' && username === '' && port === '';
}

/** The calls of `sharp` that are used; its own types are left out so that hosts without it can compile. */
interface SharpImage {
  greyscale(): SharpImage;
  removeAlpha(): SharpImage;
  raw(): SharpImage;
  extract(area: { left: number; top: number; width: number; height: number }): SharpImage;
  resize(width: number, height: number, options: { fit: 'fill' }): SharpImage;
  composite(images: { input: Uint8Array; left: number; top: number }[]): SharpImage;
  jpeg(options: { quality: number }): SharpImage;
  toBuffer(options: { resolveWithObject: true }): Promise<{
    data: Uint8Array;
    info: { width: number; height: number; channels: number };
  }>;
}

export type Sharp = (
  input: Uint8Array | { create: { width: number; height: number; channels: 3; background: string } },
  options?: { limitInputPixels: number },
) => SharpImage;

/**
 * Loads the optional peer `sharp` at the first use.
 * @throws MissingPeerError naming the install command
 */
export async function loadSharp(): Promise<Sharp> {
  const { default: sharp } = await loadPeer('sharp', 'The method multi_modal', () => import('sharp'));
  return sharp as unknown as Sharp;
}

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

/** Signature of a frame, for comparison: an 8×8 difference hash (64 bits in two numbers), mean and deviation of brightness. */
export interface FrameSignature {
  /** Number of the frame in the storyboard. */
  index: number;
  startMs: number;
  hash: readonly [number, number];
  /** Mean brightness, 0..255. */
  mean: number;
  /** Standard deviation of the brightness; a black, white or single-coloured frame has nearly none. */
  deviation: number;
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
function signatureOf(area: GreyArea, index: number, startMs: number): FrameSignature {
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
  return { index, startMs, hash, mean, deviation: Math.sqrt(variance) };
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

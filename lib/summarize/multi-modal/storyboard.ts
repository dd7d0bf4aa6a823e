import type sharpModule from 'sharp';
import type { Content, StoryboardLevel } from '../../content/content-source.js';
import type { ToolContext } from '../../core/context.js';
import {
  MethodUnavailableError,
  MissingPeerError,
  ToolsError,
  UpstreamInvalidError,
  UpstreamUnavailableError,
} from '../../core/errors.js';
import { loadPeer } from '../../core/ports.js';
import { requestBytes, type Fetch } from '../../core/upstream/request.js';
import { parseUrl } from '../../core/url.js';

/**
 * Gets a sheet of a storyboard.
 * @throws upstream errors; the context's reason when it is aborted
 */
export type FrameSource = (url: string, context: ToolContext) => Promise<Uint8Array>;

/** Plain bounds of one sheet. */
const TIMEOUT_MS = 6000;
const MAX_BYTES = 3 * 1024 * 1024;

/**
 * Storyboard sheets of YouTube over HTTPS. Their addresses come from outside, so no other host is asked and no redirect is followed.
 * @param fetch default: the global one
 */
export function httpFrames(fetch?: Fetch): FrameSource {
  return async (url, context) => {
    if (!isAllowed(url))
      throw new UpstreamInvalidError('The storyboard is at an address that is not allowed.');
    const { status, body } = await requestBytes(
      { upstream: 'The storyboard', url, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, fetch },
      context,
    );
    if (status !== 200 || body.length === 0)
      throw new UpstreamUnavailableError(`The storyboard is not available (status ${status}).`);
    return body;
  };
}

function isAllowed(address: string): boolean {
  const url = parseUrl(address);
  const isYouTube = /^(?:[a-z0-9-]+\.)*ytimg\.com$/.test(url?.hostname ?? '');
  return isYouTube && url?.protocol === 'https:' && url.username === '' && url.port === '';
}

type Sharp = typeof sharpModule;

async function loadSharp(load: () => Promise<unknown>): Promise<Sharp> {
  try {
    const { default: sharp } = (await loadPeer('sharp', 'The method multi_modal', load)) as {
      default: Sharp;
    };
    return sharp;
  } catch (error) {
    if (!(error instanceof MissingPeerError)) throw error;
    throw new MethodUnavailableError(error.message);
  }
}

/** A sheet of more pixels than this is no storyboard; a plain bound. */
const MAX_PIXELS = 16_000_000;
const COLUMNS = 3; // frames in a row; a plain bound
/** Most frames on a contact sheet; a plain bound. */
export const FRAMES_PER_SHEET = 9;

/** A picture of several frames, left to right and top to bottom, and their times. */
export interface ContactSheet {
  jpeg: Uint8Array;
  startsMs: number[];
}

/**
 * Frames of the storyboard in its best resolution, spread evenly over the content, nine to a sheet.
 *
 * @param count most frames
 * @param load loads the optional peer `sharp`
 * @throws ToolsError 422 `content_unavailable` with `details.reason: no_storyboard`; MethodUnavailableError without `sharp`;
 *   upstream errors
 */
export async function contactSheets(
  { storyboard = [] }: Content,
  count: number,
  source: FrameSource,
  context: ToolContext,
  load: () => Promise<unknown> = () => import('sharp'),
): Promise<ContactSheet[]> {
  const level = storyboard
    .filter(({ count, intervalMs, sheetUrls }) => count > 0 && intervalMs > 0 && sheetUrls.length > 0)
    .sort((a, b) => b.width - a.width)[0];
  if (!level) {
    throw new ToolsError(
      'content_unavailable',
      'The video has no storyboard, so multi_modal has no pictures to read. Use the method auto.',
      { details: { reason: 'no_storyboard' } },
    );
  }
  const sharp = await loadSharp(load);
  const step = level.count / Math.min(count, level.count);
  const indexes: number[] = [];
  for (let at = step / 2; at < level.count; at += step) indexes.push(Math.floor(at));
  const fetched = new Map<string, Promise<Uint8Array>>();
  const fetchSheet = (url: string): Promise<Uint8Array> => {
    if (!fetched.has(url)) fetched.set(url, source(url, context));
    return fetched.get(url)!;
  };
  const sheets: ContactSheet[] = [];
  for (let from = 0; from < indexes.length; from += FRAMES_PER_SHEET) {
    const sheetIndexes = indexes.slice(from, from + FRAMES_PER_SHEET);
    const frames = await Promise.all(sheetIndexes.map((index) => frameOf(sharp, level, index, fetchSheet)));
    sheets.push({
      jpeg: await compose(sharp, level, frames),
      startsMs: sheetIndexes.map((index) => index * level.intervalMs),
    });
  }
  return sheets;
}

async function frameOf(
  sharp: Sharp,
  { columns, rows, width, height, sheetUrls }: StoryboardLevel,
  index: number,
  fetchSheet: (url: string) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const perSheet = columns * rows;
  const bytes = await fetchSheet(sheetUrls[Math.floor(index / perSheet)] ?? '');
  const left = (index % columns) * width;
  const top = Math.floor((index % perSheet) / columns) * height;
  try {
    return await sharp(bytes, { limitInputPixels: MAX_PIXELS })
      .extract({ left, top, width, height })
      .removeAlpha()
      .jpeg({ quality: 90 })
      .toBuffer();
  } catch (error) {
    throw new UpstreamInvalidError('A frame of the storyboard cannot be read.', { cause: error });
  }
}

function compose(
  sharp: Sharp,
  { width, height }: StoryboardLevel,
  frames: readonly Uint8Array[],
): Promise<Uint8Array> {
  const rows = Math.ceil(frames.length / COLUMNS);
  return sharp({
    create: { width: COLUMNS * width, height: rows * height, channels: 3, background: '#000000' },
  })
    .composite(
      frames.map((input, i) => ({
        input: Buffer.from(input),
        left: (i % COLUMNS) * width,
        top: Math.floor(i / COLUMNS) * height,
      })),
    )
    .jpeg()
    .toBuffer();
}

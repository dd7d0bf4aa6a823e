import { loadPeer } from '../../core/ports.js';

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

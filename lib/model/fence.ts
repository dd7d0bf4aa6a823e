import { randomBytes } from 'node:crypto';

/**
 * Keeps what came from outside apart from our own words: between tags whose name is random for each request and occurs nowhere in
 * the material, so that nothing in it can close the fence.
 */
export interface Fence {
  /** The name of the tag, e.g. `material-9f2c41d07a`. */
  readonly tag: string;
  /** Puts material between the tags. Joins, never replaces: `$&` in a transcript stays `$&`. */
  wrap(material: string): string;
}

/** @param outside everything that will be wrapped, to be sure that the tag is not in it */
export function createFence(outside: Iterable<string>): Fence {
  const texts = [...outside];
  let tag: string;
  do tag = `material-${randomBytes(5).toString('hex')}`;
  while (texts.some((text) => text.includes(tag)));
  return fenceOf(tag);
}

/** The fence that was made of this tag before, for the same material. */
export function fenceOf(tag: string): Fence {
  return { tag, wrap: (material) => `<${tag}>\n${material}\n</${tag}>` };
}

/** Any tag of the kind, whoever wrote it: what must not reach the caller. */
export const FENCE_TAG = /<?\/?material-[0-9a-f]{10}>?/g;

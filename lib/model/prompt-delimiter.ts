import { randomBytes } from 'node:crypto';

/**
 * Separates material from outside from our own instructions: it stands between tags whose random name occurs nowhere in the material, so
 * that nothing in it can close the tag.
 */
export interface PromptDelimiter {
  /** Name of the tag, e.g. `material-9f2c41d07a`. */
  readonly tag: string;
  /** Puts the material between the tags. Concatenates and never replaces: `$&` in a transcript stays `$&`. */
  wrap(material: string): string;
}

/** @param material everything that will be wrapped; the tag is chosen so that it does not occur there */
export function createDelimiter(material: Iterable<string>): PromptDelimiter {
  const texts = [...material];
  let tag: string;
  do tag = `material-${randomBytes(5).toString('hex')}`;
  while (texts.some((text) => text.includes(tag)));
  return delimiterOf(tag);
}

/** The delimiter with a known tag, for the material that it was created for. */
export function delimiterOf(tag: string): PromptDelimiter {
  return { tag, wrap: (material) => `<${tag}>\n${material}\n</${tag}>` };
}

/** Matches any tag of this form, also one that a model has written: it must not reach the caller. */
export const DELIMITER_TAG = /<?\/?material-[0-9a-f]{10}>?/g;

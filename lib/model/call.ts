import { createHash } from 'node:crypto';
import { withoutInvisible } from '../core/printable.js';
import type { PromptPart } from './ai-sdk.js';

interface ReplySchema {
  name: string;
  schema: object;
  /** Made from a caller's: a server that refuses it may take others. Default false. */
  isCallers?: boolean;
}

export interface ModelCall {
  /** Key of the usage by stage: e.g. `map`, `write`, `answer`. */
  stage: string;
  /** Our own instructions. Nothing that came from outside may stand here. */
  system: string;
  parts: readonly PromptPart[];
  /** Most tokens of the answer; lowered to what the model's options allow. */
  maxOutputTokens: number;
  /** JSON schema of the answer: asked for through the provider's structured output where the model has one, see `ModelOptions.structuredOutput`. */
  schema?: ReplySchema;
  /** Called with each piece of text as it is written. */
  onText?: (delta: string) => void;
  /** Called when text was already passed on and the call starts again from the beginning. */
  onRestart?: () => void;
}

/** A complete answer, never empty. */
export interface ModelReply {
  text: string;
  /** True when the answer may end in the middle: it ran into its token limit, or its stream was cut. */
  truncated: boolean;
}

/**
 * Separates material from outside from our own instructions: it stands between tags whose name occurs nowhere in the material, so that
 * nothing in it can close the tag. `lib/text/sanitize-output` removes tags of this form from what models write.
 */
export interface PromptDelimiter {
  /** Name of the tag, e.g. `material-9f2c41d07a`. */
  readonly tag: string;
  /** Puts the material between the tags. Concatenates and never replaces: `$&` in a transcript stays `$&`. */
  wrap(material: string): string;
}

/**
 * The tag is a digest of the material: the same for the same material, so that the caches of providers recognise the beginning of a
 * prompt, and not to be foreseen by whoever writes the material, for it would have to hold its own digest.
 *
 * @param material everything that will be wrapped; a tag that occurs there is not taken
 */
export function createDelimiter(material: Iterable<string>): PromptDelimiter {
  const texts = [...material];
  for (let n = 0; ; n++) {
    const digest = createHash('sha256').update(String(n));
    for (const text of texts) digest.update(text).update('\0');
    const tag = `material-${digest.digest('hex').slice(0, 10)}`;
    if (texts.some((text) => text.includes(tag))) continue;
    return { tag, wrap: (text) => `<${tag}>\n${text}\n</${tag}>` };
  }
}

/** Puts one piece of material between tags of its own, without what a reader does not see and a model does. */
export function delimited(material: string): string {
  const visible = withoutInvisible(material).trim();
  return createDelimiter([visible]).wrap(visible);
}

import { LONGEST } from './length-limits.js';
import { cutString, object, string, type Schema } from './schema.js';

/** What the caller should know although the request succeeded; in the response as `warnings`. */
export interface Warning {
  /** Stable name in snake_case, e.g. `embeddings_failed`. */
  code: string;
  /** One sentence for people. No address, no key. */
  message: string;
}

export const WARNING: Schema<Warning> = object<Warning>({
  code: string({ max: LONGEST.name }),
  message: cutString(LONGEST.snippet),
});

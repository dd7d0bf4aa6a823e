import { LONGEST } from './length-limits.js';
import { boolean, cutString, object, optional, string, type Schema } from './schema.js';

/** What the caller should know although the request succeeded; in the response as `warnings`. */
export interface Warning {
  /** Stable name in snake_case, e.g. `embeddings_failed`. */
  code: string;
  /** One sentence for people. No address, no key. */
  message: string;
  /** True: it is about a failure that may be over at the next request. The result is not cached. Default false. */
  transient?: boolean;
}

export const WARNING: Schema<Warning> = object<Warning>({
  code: string({ max: LONGEST.name }),
  message: cutString(LONGEST.snippet),
  transient: optional(boolean()),
});

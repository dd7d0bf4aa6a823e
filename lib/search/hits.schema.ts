import { array, number, object, optional, refine, string, withDefault, type Schema } from '../core/schema.js';
import type { SearchHit, SearchProviderResult } from './search-provider.js';

/** Most hits of one list: twenty times what is ever asked for. */
const MAX_HITS = 1000;
/** Most characters of all texts of one list. */
const MAX_CHARACTERS = 20_000_000;

const HIT: Schema<SearchHit> = object<SearchHit>({
  url: string(),
  title: withDefault(string(), ''),
  snippet: optional(string()),
  passages: optional(array(string())),
  score: optional(number()),
  publishedAt: optional(string()),
  license: optional(string()),
  attribution: optional(string()),
});

/** Schema of a search provider's result. A host's own may return anything at run time. */
export const PROVIDER_RESULT: Schema<SearchProviderResult> = object<SearchProviderResult>({
  hits: refine(
    array(HIT, { max: MAX_HITS }),
    `of at most ${MAX_CHARACTERS} characters in all`,
    (hits) => hits.reduce((sum, hit) => sum + charactersOf(hit), 0) <= MAX_CHARACTERS,
  ),
});

function charactersOf({ title, snippet = '', passages = [] }: SearchHit): number {
  return title.length + snippet.length + passages.reduce((sum, text) => sum + text.length, 0);
}

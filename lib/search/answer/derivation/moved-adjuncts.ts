import type { Language } from '../../../core/text/index.js';
import { CLAIM_WORDS } from '../claim-words.js';
import type { ClaimWord } from '../claim.js';
import type { SaidWord } from './source.js';

const MOST_ORDERS = 200;

/** Longest adjunct that is moved, in words. */
const MOST_MOVED = 8;

/** The words as they stand, and with one adjunct at another place. */
export function moves(said: readonly ClaimWord[], language: Language): SaidWord[][] {
  const words = said.map((word, nth) => ({ ...word, nth }));
  const { prepositions } = CLAIM_WORDS[language];
  const opensAdjunct = (word: ClaimWord): boolean => word.lead.some((l) => prepositions.has(l));
  const opens = (at: number): boolean =>
    at >= words.length || words[at]!.lead.length > 0 || words[at]!.border;
  const all: SaidWord[][] = [[...words]];
  for (let from = 0; from < words.length; from++) {
    if (!opensAdjunct(words[from]!)) continue;
    for (let to = from + 1; to <= Math.min(words.length, from + MOST_MOVED); to++) {
      // What stands in front of a clause may end anywhere: "In 1665 Hooke …".
      if (from > 0 && !opens(to)) continue;
      const block = words.slice(from, to).map((w, i) => (i === 0 ? { ...w, moved: true } : w));
      const rest = [...words.slice(0, from), ...words.slice(to)];
      const stitched = rest.map((w, i) => (i === from ? { ...w, adjacent: false } : w));
      for (let at = 0; at <= rest.length; at++) {
        if (
          at === from ||
          !(at === 0 || at === rest.length || stitched[at]!.lead.length > 0 || stitched[at]!.border)
        )
          continue;
        all.push([...stitched.slice(0, at), ...block, ...stitched.slice(at)]);
      }
    }
  }
  return all.slice(0, MOST_ORDERS);
}

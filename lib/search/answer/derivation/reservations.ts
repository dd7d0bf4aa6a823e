import { CLAIM_WORDS } from '../claim-words.js';
import type { Claim } from '../claim.js';
import { denialsIn } from '../denials.js';
import type { Source } from './source.js';

/** Open a clause that stands on its own feet: what is said in front of it does not bear on it. */
const RELATIVE = new Set(['which', 'who', 'whose', 'where']);

/** Where a clause with a subject of its own may begin. */
const CLAUSE_END = /[;:.]|,(?=\s+(?:and|but|e|y|ed|ma|mas|pero|und|aber|et|mais)\s)/g;

/** The same denials, every reservation of what is used of the source, no limit that it has not. */
export function keepsReservations(
  said: Claim,
  { claim, language }: Source,
  path: readonly number[],
): boolean {
  const { hedges, limits } = CLAIM_WORDS[language];
  const used = usedText(claim, path);
  if (denialsIn(said.text, language) !== denialsIn(used, language)) return false;
  // A capital May is a month.
  const hedgesOf = (text: string): string[] =>
    text
      .replace(/(?<!^\W*)\bMay\b/g, '')
      .toLowerCase()
      .match(hedges) ?? [];
  const own = new Set(hedgesOf(said.text));
  if (hedgesOf(used).some((h) => !own.has(h))) return false;
  const limitsOf = (text: string): string[] =>
    (text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []).filter((w) => limits.has(w));
  const there = limitsOf(claim.text);
  return limitsOf(said.text).every((limit) => there.includes(limit));
}

/**
 * The source from the beginning of the clause that is used to the end of its last phrase, without other clauses that are dropped in
 * between. All of it for an empty path.
 */
function usedText({ text, words }: Claim, path: readonly number[]): string {
  if (path.length === 0) return text;
  const first = path[0]!;
  const last = path.at(-1)!;
  let end = last + 1;
  while (end < words.length && !words[end]!.border) end++;
  const before = text.slice(0, words[first]!.at);
  const isRelative = first > 0 && words[first]!.lead.some((l) => RELATIVE.has(l));
  const start = isRelative
    ? words[first - 1]!.end
    : Math.max(0, ...[...before.matchAll(CLAUSE_END)].map((m) => m.index + 1));
  let used = '';
  let from = start;
  path.forEach((at, k) => {
    const next = path[k + 1];
    if (next === undefined || next === at + 1 || !words.slice(at + 1, next + 1).some((w) => w.border)) return;
    let opens = next;
    while (opens > at + 1 && !words[opens]!.border) opens--;
    used += text.slice(from, words[at]!.end) + ' ';
    from = words[opens - 1]!.end;
  });
  return used + text.slice(from, end < words.length ? words[end - 1]!.end : text.length);
}

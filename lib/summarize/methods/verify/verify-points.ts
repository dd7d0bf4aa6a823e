import { words, type Language } from '../../../core/text/index.js';
import type { Point, ProposedPoint } from '../parse/point.js';
import { digitsIn, type Found, type TranscriptIndex, type WordRange } from './transcript-index.js';

/** Share of a statement's content words that must stand together where no quotation holds. */
const LOCATED_SHARE = 0.6;
/** Counting up to here is a model's own ("three reasons") and proves nothing. */
const OWN_COUNTING = 10;
const QUOTE_WORDS = 12;

/** What came of checking an answer's points. */
export interface Verified {
  points: Point[];
  rejected: ProposedPoint[];
}

/**
 * Checks points against the part of the transcript they were made from, without a model. A point stands when its quotation is
 * there (or, where that fails, most of its content words stand together) and every number and proper name in it occurs in the
 * part. Its time becomes the time of those words, whatever second the model named.
 *
 * @param known words that need no evidence in the transcript: title, channel, chapter titles
 * @param language that the points are in; default: the transcript's. In another, only quotations and numbers can be checked.
 */
export function verifyPoints(
  proposed: readonly ProposedPoint[],
  index: TranscriptIndex,
  range: WordRange,
  known: ReadonlySet<string>,
  language = index.language,
): Verified {
  const result: Verified = { points: [], rejected: [] };
  const seen = new Set<string>();
  for (const point of proposed) {
    const key = words(point.claim).join(' ');
    if (seen.has(key)) continue;
    seen.add(key);
    const verified = verifyPoint(point, index, range, known, language);
    if (verified) result.points.push(verified);
    else result.rejected.push(point);
  }
  result.points.sort((a, b) => a.startMs - b.startMs);
  return result;
}

function verifyPoint(
  point: ProposedPoint,
  index: TranscriptIndex,
  range: WordRange,
  known: ReadonlySet<string>,
  language: Language | undefined,
): Point | undefined {
  if (!factsOccur(point.claim, index, range, known, language)) return undefined;
  const found = support(point, index, range);
  if (!found) return undefined;
  return {
    claim: point.claim,
    startMs: found.startMs,
    quote: index.textAt(found.at, QUOTE_WORDS, range),
  };
}

function support(point: ProposedPoint, index: TranscriptIndex, range: WordRange): Found | undefined {
  const nearMs = point.second === undefined ? undefined : point.second * 1000;
  if (point.quote && words(point.quote).length >= 3) {
    const quoted = index.findQuote(point.quote, range, nearMs);
    if (quoted) return quoted;
  }
  const located = index.locate(point.claim, range);
  return located && located.share >= LOCATED_SHARE ? located : undefined;
}

/**
 * True when every number and every proper name of a statement occurs in the range or is known otherwise. In another language than the
 * transcript's only the numbers: names are translated (`Germany`, `Alemania`).
 */
export function factsOccur(
  statement: string,
  index: TranscriptIndex,
  range: WordRange,
  known: ReadonlySet<string>,
  language = index.language,
): boolean {
  if (!numbersSupported(statement, index, range, known)) return false;
  if (language !== index.language) return true;
  return namesIn(statement, language).every(
    (name) => known.has(name.toLowerCase()) || index.hasWord(name, range),
  );
}

/** True when every number above ten in a statement occurs in the range, in digits or spoken, or is known otherwise. */
export function numbersSupported(
  statement: string,
  index: TranscriptIndex,
  range: WordRange,
  known: ReadonlySet<string>,
): boolean {
  return digitsIn(statement).every(
    (number) => Number(number) <= OWN_COUNTING || known.has(number) || index.hasNumber(number, range),
  );
}

/**
 * Proper names as capital letters show them: not at the start of a sentence. German writes every noun so; there only words with a
 * capital or a digit inside count.
 */
export function namesIn(statement: string, language: Language | undefined): string[] {
  const names: string[] = [];
  for (const match of statement.matchAll(/\p{Lu}[\p{L}\p{M}\p{N}]+/gu)) {
    const word = match[0];
    const before = statement.slice(Math.max(0, match.index - 3), match.index);
    if (/[\p{L}\p{N}'’-]$/u.test(before)) continue;
    const inside = /.[\p{Lu}\p{N}]/u.test(word);
    const opens = match.index === 0 || /[.!?:…]["'«“„(]?\s*$|^["'«“„(]+$/u.test(before);
    if (inside || (!opens && language !== 'de' && word.length > 2)) names.push(word);
  }
  return names;
}

import { isDerivedValue, isSameValue, isYear } from '../../../text/compare-values.js';
import { detectLanguage } from '../../../text/detect-language.js';
import { readValues, type Value } from '../../../text/read-values.js';
import { words } from '../../../text/tokens.js';
import { type Language } from '../../../text/languages.js';
import { namesIn, NameFinder } from './names.js';
import type { TranscriptIndex, WordRange } from './transcript-index.js';

/** Share of a statement's content words that must stand together where no quotation holds. */
const LOCATED_SHARE = 0.6;
/** The same where the model names a time, and the words stand near it. */
const NEARBY_SHARE = 0.4;
const NEARBY_MS = 90_000;
/** A quotation with at least this share of words that are said somewhere comes from the content, well or badly copied. */
const COPIED_SHARE = 0.7;

/** A statement with the words that it quotes. */
interface ProposedPoint {
  claim: string;
  second?: number;
  quote?: string;
}

/** A statement that the transcript bears out. */
export interface Point {
  claim: string;
  /** Time at which the words that bear it out are said, ms. */
  startMs: number;
  /** `frame` if it was seen in a picture and not said. */
  source?: 'frame';
  /** True for a sentence of the transcript in place of what the model could not read: it is not a key point as it is. */
  standIn?: boolean;
}

/** How the content supports a part of a statement. */
type Support =
  /** It is said, in digits or in words. */
  | 'said'
  /** A near one is, or a part of it: it may be rounded, converted or misheard. */
  | 'near'
  | 'absent';

/** Why a statement was left out. */
export type Flaw = 'words' | 'number' | 'name';

/** How the content supports the numbers and names of a statement; the worst of them counts. */
export interface Facts {
  support: Support;
  /** The missing part, if the support is `absent`. */
  flaw?: Flaw;
  /** How many numbers and names were looked for. */
  checked: number;
}

/** Checks statements against a transcript, without a model. One for each summary. */
export class FactChecker {
  private readonly names: NameFinder;

  /** @param known words that need no evidence in the transcript, in lower case: title, channel, chapter titles */
  constructor(
    readonly index: TranscriptIndex,
    readonly known: ReadonlySet<string>,
  ) {
    this.names = new NameFinder(index, known);
  }

  /**
   * Looks up every number, and in the transcript's language every proper name, of a statement. In another language names are translated
   * (`Germany`, `Alemania`), so that they say nothing.
   */
  facts(
    statement: string,
    range: WordRange = this.index.whole,
    language: Language | undefined = this.index.language,
  ): Facts {
    const facts: Facts = { support: 'said', checked: 0 };
    const judge = (support: Support, flaw: Flaw): void => {
      facts.checked++;
      if (support === 'absent' && facts.support !== 'absent') Object.assign(facts, { support, flaw });
      else if (support === 'near' && facts.support === 'said') facts.support = 'near';
    };
    const claims = readValues(statement, language ?? 'en').filter(
      ({ readings, start }) =>
        !readings.some((value) => this.known.has(String(value))) &&
        // "GPT-4"
        !/\p{L}[-–]$/u.test(statement.slice(Math.max(0, start - 2), start)),
    );
    // Numbers that are spoken in a language that is not known cannot be missed.
    for (const support of valueSupports(claims, this.index.valuesIn(range)))
      judge(support === 'absent' && !this.index.language ? 'near' : support, 'number');
    if (language === this.index.language)
      for (const name of namesIn(statement, language ?? 'en')) judge(this.names.support(name, range), 'name');
    return facts;
  }

  /**
   * Checks a point against the part of the transcript it was made from. It stands when its quotation is there (or, where that fails, most
   * of its content words stand together) and none of its numbers and names is missing. Its time becomes the time of those words, whatever
   * second the model named.
   *
   * @param language that the point is in; default: the transcript's
   * @param isTimeMark says whether a second was sent as a mark: in another language that is what a point without a quotation stands on
   * @returns the flaw of a point that does not stand
   */
  checkPoint(
    point: ProposedPoint,
    range: WordRange = this.index.whole,
    language: Language | undefined = this.index.language,
    isTimeMark: (second: number) => boolean = () => false,
  ): Point | Flaw {
    const { flaw } = this.facts(point.claim, range, language);
    if (flaw) return flaw;
    const startMs = this.timeOf(point, range, language, isTimeMark);
    return startMs === undefined ? 'words' : { claim: point.claim, startMs };
  }

  /** When the words that bear a point out are said, ms; undefined where they are not. */
  private timeOf(
    point: ProposedPoint,
    range: WordRange,
    language: Language | undefined,
    isTimeMark: (second: number) => boolean,
  ): number | undefined {
    const { claim, quote, second } = point;
    const nearMs = second === undefined ? undefined : second * 1000;
    if (quote && words(quote).length >= 3) {
      const quoted = this.index.findQuote(quote, range, nearMs);
      if (quoted) return this.index.sentenceTimeOf(quoted.at);
    }
    if (language !== this.index.language) {
      // The quotation may have been translated with the claim. One in the words of the content that is not there was made up.
      const isCopied = quote !== undefined && this.isOfContent(quote, language);
      return second !== undefined && isTimeMark(second) && !isCopied ? nearMs : undefined;
    }
    const located = this.index.locate(claim, range);
    if (located && located.share >= LOCATED_SHARE) return this.index.sentenceTimeOf(located.at);
    if (nearMs === undefined) return undefined;
    const near = this.index.rangeOfTimes(nearMs - NEARBY_MS, nearMs + NEARBY_MS);
    const around = this.index.locate(claim, {
      from: Math.max(range.from, near.from),
      to: Math.min(range.to, near.to),
    });
    return around && around.share >= NEARBY_SHARE ? this.index.sentenceTimeOf(around.at) : undefined;
  }

  private isOfContent(quote: string, language: Language | undefined): boolean {
    const own = detectLanguage(quote);
    if (own !== undefined && own === language) return false;
    const all = words(quote);
    return all.filter((word) => this.index.placesOf(word).length > 0).length >= all.length * COPIED_SHARE;
  }
}

/** The points that say something, each once. */
export function distinct<P extends { text: string }>(points: readonly P[]): P[] {
  const seen = new Set(['']);
  return points.filter(({ text }) => {
    const key = words(text).join(' ');
    return !seen.has(key) && seen.add(key);
  });
}

/** Counting up to here is a model's own ("three reasons") and proves nothing. */
const OWN_COUNTING = 12;
/** Relative difference up to which a number may be another one rounded; and the same by its last digit that counts. */
const ROUNDED = 0.02;
const MOST_ROUNDED = 0.1;
/** "Twenty five" may be short for 25 million, and 401k is no number of thousands. */
const SHORT_FOR = [1, 1e3, 1e6, 1e9];

/**
 * How the content supports each value of a statement.
 * @param said the values that the content may state, in every reading
 */
function valueSupports(claims: readonly Value[], said: readonly Value[]): Support[] {
  const supports = claims.map((claim) => valueSupport(claim, said));
  // A missing value may be derived from others: a sum, a share, the time between two years.
  const operands = [...claims.filter((_, i) => supports[i] === 'said'), ...said.filter(isYear)];
  return claims.map((claim, i) =>
    supports[i] === 'absent' && isDerivedValue(claim, operands) ? 'near' : supports[i]!,
  );
}

// A long transcript has a number near any other, so that "about" excuses nothing.
function valueSupport({ bound: _, ...claim }: Value, said: readonly Value[]): Support {
  const isNumber = claim.kind === 'number';
  if (isNumber && claim.readings.every((value) => value <= OWN_COUNTING)) return 'said';
  if (said.some((value) => isSameValue(claim, value) || isSameNumber(claim, value))) return 'said';
  // Words are read less surely than digits, and a month may have been "last month".
  const isInDigits = /\d/.test(claim.text);
  // Of a date in digits, day and year are looked up.
  if (isInDigits && claim.kind === 'month') return 'said';
  return !isInDigits || said.some((value) => isNear(claim, value)) ? 'near' : 'absent';
}

/** The same number, whatever it counts: captions have units that are not in any table. */
function isSameNumber(claim: Value, said: Value): boolean {
  return claim.kind === said.kind && claim.readings.some((value) => said.readings.includes(value));
}

function isNear(claim: Value, said: Value): boolean {
  if (said.kind !== 'number' && said.kind !== 'clock') return false;
  return claim.readings.some((a) =>
    said.readings.some((b) => {
      if (claim.kind === 'clock') return hourOf(a / 60) === hourOf(said.kind === 'clock' ? b / 60 : b);
      if (said.kind === 'clock') return false;
      // "Baujahr dreiundsiebzig", "in ninety two"
      if (isYear(claim)) return b > OWN_COUNTING && b === a % 100;
      const off = Math.min(claim.rounding, Math.abs(a) * MOST_ROUNDED);
      const isShort = SHORT_FOR.some((n) => Math.abs(a - b * n) <= off || Math.abs(a * n - b) <= off * n);
      return isShort || Math.abs(a - b) <= Math.abs(a) * ROUNDED;
    }),
  );
}

const hourOf = (hours: number): number => Math.floor(hours) % 12;

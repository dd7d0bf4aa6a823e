import { detectLanguage } from '../../../core/text/detect-language.js';
import { words } from '../../../core/text/tokens.js';
import { type Language } from '../../../core/text/languages.js';
import type { Point, ProposedPoint } from '../parse/point.js';
import type { NumberSupport } from './content-numbers.js';
import { statedNumbers } from './stated-numbers.js';
import { namesIn, NameFinder } from './names.js';
import type { Found, TranscriptIndex, WordRange } from './transcript-index.js';

/** Share of a statement's content words that must stand together where no quotation holds. */
const LOCATED_SHARE = 0.6;
/** The same where the model names a time, and the words stand near it. */
const NEARBY_SHARE = 0.4;
const NEARBY_MS = 90_000;
const QUOTE_WORDS = 12;
/** A quotation with at least this share of words that are said somewhere comes from the content, well or badly copied. */
const COPIED_SHARE = 0.7;

/** Why a statement was left out. */
export type Flaw = 'words' | 'number' | 'name';

/** Result of checking an answer's points. */
export interface Verified {
  points: Point[];
  rejected: (ProposedPoint & { flaw: Flaw })[];
}

/** How the content supports the numbers and names of a statement; the worst of them counts. */
export interface Facts {
  support: NumberSupport;
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
    const judge = (support: NumberSupport, flaw: Flaw): void => {
      facts.checked++;
      if (support === 'absent' && facts.support !== 'absent') Object.assign(facts, { support, flaw });
      else if (support === 'near' && facts.support === 'said') facts.support = 'near';
    };
    for (const number of statedNumbers(statement, language)) {
      if (number.values.some((value) => this.known.has(String(value)))) continue;
      const support = this.index.numbers.support(number, range.from, range.to);
      // Numbers in words are read less surely: they never speak against a statement.
      judge(support === 'absent' && !number.inDigits ? 'near' : support, 'number');
    }
    if (language === this.index.language)
      for (const name of namesIn(statement, language)) judge(this.names.support(name, range), 'name');
    return facts;
  }

  /**
   * Checks points against the part of the transcript they were made from. A point stands when its quotation is there (or, where that fails,
   * most of its content words stand together) and none of its numbers and names is missing. Its time becomes the time of those words,
   * whatever second the model named.
   *
   * @param language that the points are in; default: the transcript's
   * @param isTimeMark says whether a second was sent as a mark: in another language that is what a point without a quotation stands on
   */
  verifyPoints(
    proposed: readonly ProposedPoint[],
    range: WordRange = this.index.whole,
    language: Language | undefined = this.index.language,
    isTimeMark: (second: number) => boolean = () => false,
  ): Verified {
    const result: Verified = { points: [], rejected: [] };
    const seen = new Set<string>();
    for (const point of proposed) {
      const key = words(point.claim).join(' ');
      if (key === '' || seen.has(key)) continue;
      seen.add(key);
      const facts = this.facts(point.claim, range, language);
      const found = this.support(point, range, language, isTimeMark);
      if (facts.support === 'absent') result.rejected.push({ ...point, flaw: facts.flaw! });
      else if (!found) result.rejected.push({ ...point, flaw: 'words' });
      else result.points.push({ claim: point.claim, ...found });
    }
    result.points.sort((a, b) => a.startMs - b.startMs);
    return result;
  }

  private support(
    point: ProposedPoint,
    range: WordRange,
    language: Language | undefined,
    isTimeMark: (second: number) => boolean,
  ): Pick<Point, 'startMs' | 'quote'> | undefined {
    const { claim, quote, second } = point;
    const nearMs = second === undefined ? undefined : second * 1000;
    if (quote && words(quote).length >= 3) {
      const quoted = this.index.findQuote(quote, range, nearMs);
      if (quoted) return this.at(quoted, range);
    }
    if (language !== this.index.language) {
      // The quotation may have been translated with the claim; one that was copied and is not there was made up.
      const isCopied = quote !== undefined && this.isOfContent(quote, language);
      return nearMs !== undefined && isTimeMark(second!) && !isCopied
        ? { startMs: nearMs, quote: '' }
        : undefined;
    }
    const located = this.index.locate(claim, range);
    if (located && located.share >= LOCATED_SHARE) return this.at(located, range);
    if (nearMs === undefined) return undefined;
    const near = this.index.rangeOfTimes(nearMs - NEARBY_MS, nearMs + NEARBY_MS);
    const around = this.index.locate(claim, {
      from: Math.max(range.from, near.from),
      to: Math.min(range.to, near.to),
    });
    return around && around.share >= NEARBY_SHARE ? this.at(around, range) : undefined;
  }

  private at(found: Found, range: WordRange): Pick<Point, 'startMs' | 'quote'> {
    return {
      startMs: this.index.sentenceTimeOf(found.at),
      quote: this.index.textAt(found.at, QUOTE_WORDS, range),
    };
  }

  private isOfContent(quote: string, language: Language | undefined): boolean {
    const own = detectLanguage(quote);
    if (own !== undefined && own === language) return false;
    const all = words(quote);
    return all.filter((word) => this.index.placesOf(word).length > 0).length >= all.length * COPIED_SHARE;
  }
}

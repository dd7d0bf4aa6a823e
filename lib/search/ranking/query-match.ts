import { detectLanguage, eachWord, type Language } from '../../core/text/index.js';
import { Analyzer } from './analyzer.js';

/**
 * Scores a handful of texts against a query where there is no index: BM25 with document frequencies among these texts.
 * Terms are stems in the query's language, or in `fallback` where that cannot be told.
 */
export class QueryMatch {
  private readonly analyzer: Analyzer;
  private readonly terms: ReadonlySet<string>;
  private readonly frequencies = new Map<string, number>();
  private total = 0;
  private words = 0;

  constructor(query: string, fallback: Language = 'en') {
    this.analyzer = new Analyzer(detectLanguage(query) ?? fallback);
    const terms = new Set(this.analyzer.terms(query));
    // A query of nothing but function words ("who is who") is searched for as it stands.
    if (terms.size === 0) eachWord(query.toLowerCase(), (word) => terms.add(word));
    this.terms = terms;
  }

  /** Makes a text count for the document frequencies. */
  learn(text: string): void {
    const { counts, length } = this.count(text);
    this.total++;
    this.words += length;
    for (const term of counts.keys()) this.frequencies.set(term, (this.frequencies.get(term) ?? 0) + 1);
  }

  /** BM25 of a text, ≥ 0. */
  score(text: string): number {
    const { counts, length } = this.count(text);
    const average = this.words / Math.max(1, this.total) || 1;
    let score = 0;
    for (const [term, n] of counts) {
      const idf = Math.log(1 + (this.total + 1) / ((this.frequencies.get(term) ?? 0) + 0.5));
      score += (idf * n * 2.2) / (n + 1.2 * (0.4 + (0.6 * length) / average));
    }
    return score;
  }

  private count(text: string): { counts: Map<string, number>; length: number } {
    const counts = new Map<string, number>();
    let length = 0;
    eachWord(text.toLowerCase(), (word) => {
      length++;
      const term = this.analyzer.term(word) ?? word;
      if (this.terms.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
    });
    return { counts, length };
  }
}

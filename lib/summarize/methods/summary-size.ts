import { countWords } from '../../core/text/count-words.js';
import type { Chapter } from '../../content/content-source.js';
import type { SummaryLength } from '../summarizer.js';
import type { Piece } from './piece.js';

/** How much is asked of the writer. */
export interface SummarySize {
  /** Words of prose, about. */
  words: number;
  /** Key points at most. */
  points: number;
  /** Sections at most; 0: none are asked for. */
  sections: number;
  /** True: the sections are the chapters of the video. */
  byChapter: boolean;
  /** Tokens that the written answer may have: prose, key points and sections, in the wordiest of the six languages. */
  outputTokens: number;
}

const WORDS: Readonly<Record<SummaryLength, number>> = { short: 100, medium: 180, long: 320 };
const POINTS: Readonly<Record<SummaryLength, number>> = { short: 5, medium: 8, long: 12 };
const TOKENS: Readonly<Record<SummaryLength, number>> = { short: 1200, medium: 1600, long: 2400 };

/** A summary has at most a third of the words that are spoken, and a point or a section for so many of them. */
const SPOKEN_A_WORD = 3;
const SPOKEN_A_POINT = 40;
const SPOKEN_A_SECTION = 150;
const FEWEST_WORDS = 12;
const MOST_SECTIONS = 8;
const MOST_CHAPTERS = 20;
/** Tokens of a section beyond {@link MOST_SECTIONS}. */
const SECTION_TOKENS = 50;
/** Characters of a word in scripts without blanks, where words cannot be counted. */
const UNSPACED_WORD = 12;

/** The size to ask for. It depends on the requested length and on the amount of content. */
export function sizeOf(
  pieces: readonly Piece[],
  chapters: readonly Chapter[],
  length: SummaryLength,
): SummarySize {
  const spoken = pieces.reduce(
    (sum, { text }) => sum + Math.max(countWords(text), text.length / UNSPACED_WORD),
    0,
  );
  const byChapter = chapters.length > 1;
  const sections = byChapter
    ? Math.min(MOST_CHAPTERS, chapters.length)
    : Math.min(MOST_SECTIONS, Math.floor(spoken / SPOKEN_A_SECTION));
  return {
    words: Math.max(FEWEST_WORDS, Math.min(WORDS[length], Math.round(spoken / SPOKEN_A_WORD))),
    points: Math.max(1, Math.min(POINTS[length], Math.floor(spoken / SPOKEN_A_POINT))),
    // One section is the whole.
    sections: sections < 2 ? 0 : sections,
    byChapter,
    outputTokens: TOKENS[length] + Math.max(0, sections - MOST_SECTIONS) * SECTION_TOKENS,
  };
}

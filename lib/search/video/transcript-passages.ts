import type { Warning } from '../../core/warning.js';
import type { Content, TranscriptSegment } from '../../content/content-source.js';
import { clock, divide, textOf, type SegmentRange } from '../../content/transcript-formats.js';
import { lazy, yielder } from '../../core/async.js';
import type { ToolContext } from '../../core/context.js';
import { comparedWords } from '../../grounding/quotations.js';
import type { AnswerPassage } from '../answer-engine.js';
import { rerankPages, type GuardedReranker } from '../reranker.js';

/** The ranking of `documents()`. Loaded with the first question and not with the host. */
const loadRanking = lazy(async () => ({
  ...(await import('../ranking/document-index.js')),
  ...(await import('../select-passages.js')),
}));

/** Length of a passage, words: as of a page, see lib/search/ranking/passages.ts. */
const PASSAGE = { least: 100, most: 180 };
/** Length of what can be quoted, words. It ends at the end of a sentence, or at a pause. */
const PIECE = { least: 12, most: 45 };
/** Passages that are ranked anew by the words in each, or by the reranker; set by hand. */
const LOOKED_INTO = 30;

/** A transcript in passages that questions are answered from. */
export class TranscriptPassages {
  private readonly ranges: readonly SegmentRange[];
  private readonly texts: readonly string[];

  constructor(private readonly content: Content) {
    const { segments, chapters } = content;
    this.ranges = divide(segments, chapters, PASSAGE);
    this.texts = this.ranges.map((range) => inPieces(segments, range));
  }

  /**
   * The passages that bear on a question, best first, ranked as `documents()` ranks pages.
   * @param isFilled where few bear on it, passages from all over the transcript follow. A model answers from them what the video is about.
   */
  async rank(
    question: string,
    isFilled: boolean,
    reranker: GuardedReranker | undefined,
    context: ToolContext,
  ): Promise<{ passages: AnswerPassage[]; warning?: Warning }> {
    const { ANSWER_PASSAGES, DocumentIndex, rankPages, answerPassages } = await loadRanking();
    const pause = yielder(context.signal);
    const documents = this.texts.map((text, i) => ({ url: addressOf(i), title: this.titleOf(i), text }));
    const index = await DocumentIndex.build(documents, pause);
    const found = index.search(question, LOOKED_INTO);
    const isFound = new Set(found.map(({ url }) => url));
    const others = documents.filter(({ url }) => !isFound.has(url));
    const missing = isFilled ? ANSWER_PASSAGES - found.length : 0;
    const hits = [...found, ...evenly(others, missing)].map(({ url }) => {
      const { title, text } = documents[indexOf(url)]!;
      const relevance = found.find((hit) => hit.url === url)?.score ?? 0;
      return { url, title, snippet: '', passages: [text], provider: 'transcript', relevance };
    });
    const ranked = await rankPages(question, hits, new Map(), pause);
    const { pages, warning } = await rerankPages(question, ranked, reranker, context);
    const passages = answerPassages(pages).map((passage) => ({ ...passage, at: this.timeOf(passage.url) }));
    return { passages, warning };
  }

  /**
   * The moment of a quotation from a passage. The words of the passage without a quotation: its beginning.
   * @param url of the passage
   */
  momentOf(url: string, quote: string): Pick<TranscriptSegment, 'startMs' | 'endMs'> {
    const { segments } = this.content;
    const { from, to } = this.ranges[indexOf(url)]!;
    const wanted = comparedWords(quote);
    const said: string[] = [];
    const owners: number[] = [];
    for (let i = from; i < to; i++)
      for (const word of comparedWords(segments[i]!.text)) {
        said.push(word);
        owners.push(i);
      }
    const at = positionOf(wanted, said);
    const first = segments[owners[at] ?? from]!;
    const last = segments[owners[at + wanted.length - 1] ?? to - 1]!;
    return { startMs: first.startMs, endMs: last.endMs };
  }

  /** Chapter, or the title. */
  private titleOf(i: number): string {
    const { startMs } = this.content.segments[this.ranges[i]!.from]!;
    return (
      this.content.chapters.filter((chapter) => chapter.startMs <= startMs).at(-1)?.title ??
      this.content.title ??
      ''
    );
  }

  private timeOf(url: string): string {
    return clock(this.content.segments[this.ranges[indexOf(url)]!.from]!.startMs);
  }
}

/** Each passage has an address of its own, on a host that does not exist. Nobody sees it. */
const addressOf = (i: number): string => `https://passage.invalid/${i}`;
const indexOf = (address: string): number => Number(address.slice(address.lastIndexOf('/') + 1));

/** At most `count` of the values, at equal distances. */
function evenly<T>(values: readonly T[], count: number): T[] {
  const step = values.length / count;
  return count < 1 ? [] : values.filter((_, i) => Math.floor(i / step) > Math.floor((i - 1) / step));
}

/** A passage divided into paragraphs: captions often have no punctuation. */
function inPieces(segments: readonly TranscriptSegment[], { from, to }: SegmentRange): string {
  const part = segments.slice(from, to);
  return divide(part, [], PIECE)
    .map((range) => textOf(part, range))
    .join('\n\n');
}

function positionOf(wanted: readonly string[], words: readonly string[]): number {
  for (let at = 0; at + wanted.length <= words.length; at++)
    if (wanted.every((word, i) => words[at + i] === word)) return at;
  return -1;
}

import { oneLine } from '../text/plain-text.js';
import type { Chapter, Content, TranscriptSegment } from '../content/content-source.js';

/** A time mark stands before a paragraph of about this length; quotations give the exact second. One a minute costs about 1 % of the tokens. Set by hand. */
const PARAGRAPH_MS = 60_000;
/** A plain bound: titles on YouTube have at most 100 characters. */
const MAX_TITLE = 200;

/** Title and channel as a line of material, empty where unknown. */
export function headerOf(content: Content): string {
  const named = [content.title, content.channel].filter((text) => text).map((text) => titleLine(text!));
  return named.length > 0 ? `${named.join(' - ')}\n` : '';
}

/** Transcript as a model reads it: paragraphs with `[second]`, chapter titles as lines of their own. */
export function renderLines(pieces: readonly PromptLine[], chapters: readonly Chapter[]): string {
  const lines: string[] = [];
  let paragraph: string[] = [];
  let mark = -Infinity;
  const headingAt = chapterHeadings(chapters);
  const close = (): void => {
    if (paragraph.length > 0) lines.push(paragraph.join(' '));
    paragraph = [];
  };
  for (const piece of pieces) {
    const heading = headingAt(piece.startMs);
    if (heading !== undefined) {
      close();
      lines.push(heading);
    }
    if (paragraph.length === 0 || piece.startMs - mark >= PARAGRAPH_MS) {
      close();
      mark = piece.startMs;
      paragraph.push(`[${Math.floor(mark / 1000)}]`);
    }
    paragraph.push(piece.text);
  }
  close();
  return lines.join('\n');
}

/** Gives the line with a chapter's title for the first time that lies in the chapter. Times must ascend. */
export function chapterHeadings(chapters: readonly Chapter[]): (ms: number) => string | undefined {
  let current = -1;
  return (ms) => {
    const before = current;
    while (chapters[current + 1] && chapters[current + 1]!.startMs <= ms) current++;
    return current === before ? undefined : `# ${titleLine(chapters[current]!.title)}`;
  };
}

/** What a summary may say although nobody says it: title, channel and chapter titles. */
export function transcriptNames({ title, channel, chapters }: Content): string {
  return [title, channel, ...chapters.map((chapter) => chapter.title)].filter(Boolean).join('\n');
}

const titleLine = (title: string): string => oneLine(title.slice(0, MAX_TITLE));

/** Longest piece in words; a host's transcript may come as one segment of hours; a plain bound. */
const PIECE_WORDS = 60;

/**
 * A short stretch of speech with its time: a segment without non-speech, or a part of a long one with its time
 * interpolated over the words.
 */
export type PromptLine = Pick<TranscriptSegment, 'startMs' | 'endMs' | 'text'>;

/** The speech of a transcript in short pieces, in order of time. Linear. */
export function promptLines(segments: readonly TranscriptSegment[]): PromptLine[] {
  const pieces: PromptLine[] = [];
  for (const segment of segments) {
    if (segment.nonSpeech) continue;
    const tokens = segment.text.split(/\s+/).filter(Boolean);
    if (tokens.length === 0) continue;
    const msPerWord = (segment.endMs - segment.startMs) / tokens.length;
    for (let from = 0; from < tokens.length;) {
      const to = Math.min(tokens.length, from + PIECE_WORDS);
      pieces.push({
        startMs: Math.round(segment.startMs + from * msPerWord),
        endMs: Math.round(segment.startMs + to * msPerWord),
        text: tokens.slice(from, to).join(' '),
      });
      from = to;
    }
  }
  return pieces;
}

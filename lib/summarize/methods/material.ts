import type { Chapter, Content } from '../../content/content-source.js';
import { words } from '../../core/text/tokens.js';
import type { Piece } from './piece.js';

/** A time mark stands before a paragraph of about this length; quotations give the exact second. One a minute costs about 1 % of the tokens. */
const PARAGRAPH_MS = 60_000;
const MAX_TITLE = 200;

/** Title and channel as a line of material, empty where unknown. */
export function headerOf(content: Content): string {
  const named = [content.title, content.channel].filter((text) => text).map((text) => oneLine(text!));
  return named.length > 0 ? `${named.join(' - ')}\n` : '';
}

/** Transcript as a model reads it: paragraphs with `[second]`, chapter titles as lines of their own. */
export function renderPieces(pieces: readonly Piece[], chapters: readonly Chapter[]): string {
  const lines: string[] = [];
  let paragraph: string[] = [];
  let mark = -Infinity;
  let chapter = -1;
  const close = (): void => {
    if (paragraph.length > 0) lines.push(paragraph.join(' '));
    paragraph = [];
  };
  for (const piece of pieces) {
    let current = chapter;
    while (chapters[current + 1] && chapters[current + 1]!.startMs <= piece.startMs) current++;
    if (current !== chapter) {
      close();
      chapter = current;
      lines.push(`# ${oneLine(chapters[current]!.title)}`);
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

/** Words that a summary may use although nobody says them: from title, channel and chapter titles. */
export function knownWords(content: Content): Set<string> {
  const texts = [content.title, content.channel, ...content.chapters.map(({ title }) => title)];
  return new Set(texts.flatMap((text) => (text ? words(text) : [])));
}

function oneLine(text: string): string {
  return text
    .slice(0, MAX_TITLE)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
}

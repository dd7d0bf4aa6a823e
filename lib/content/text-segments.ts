import { countWords } from '../text/count-words.js';
import { detectLanguage, WHOLE_TEXT } from '../text/detect-language.js';
import { languageOf, type Language } from '../text/languages.js';
import { isWrapped, sentenceSpans } from '../text/sentences.js';
import type { CaptionsKind, TranscriptSegment } from './content-source.js';
import { cleanCaption, isNonSpeech } from './youtube/captions/clean-text.js';
import { cuesToSegments, mergeCues } from './youtube/captions/merge-cues.js';
import { readSubtitles } from './youtube/captions/read-subtitles.js';

/** Reading speed by which seconds are estimated where there are none. */
const WORDS_PER_MINUTE = 150;

/** A sentence longer than this is cut into several segments, so that an estimated time is never far from its words. */
const MAX_SEGMENT_WORDS = 60;

/**
 * The segments of a text: the cues of a caption file, or the sentences of other words with estimated times.
 * @param language of the words, where it is known
 */
export async function segmentsOfText(
  text: string,
  language: string | undefined,
  signal?: AbortSignal,
): Promise<TranscriptSegment[]> {
  const cues = readSubtitles(text);
  if (cues) return cuesToSegments(cues, signal);
  return estimateSegments(text, languageOf(language) ?? detectLanguage(text, WHOLE_TEXT));
}

/** What a source has returned, with segments: of its text, or its own. Captions that show words several times are merged. */
export async function withSegments<
  T extends { text?: string; segments?: TranscriptSegment[]; language: string; captions: CaptionsKind },
>({ text, segments = [], ...result }: T, signal: AbortSignal) {
  if (text !== undefined) return { ...result, segments: await segmentsOfText(text, result.language, signal) };
  // A recognizer hears words once.
  if (result.captions === 'recognized') return { ...result, segments };
  return { ...result, segments: await mergeCues(segments, (line) => line.trim(), signal) };
}

/** Marks a segment that is a sound and not speech. */
export const marked = (segment: TranscriptSegment): TranscriptSegment =>
  isNonSpeech(segment.text) ? { ...segment, nonSpeech: true } : segment;

/** One segment a sentence, timed at 150 words a minute; a long sentence is several segments. */
function estimateSegments(text: string, language: Language | undefined): TranscriptSegment[] {
  const segments: TranscriptSegment[] = [];
  const lineBreaks = !isWrapped(text);
  let [spoken, before] = [0, 0];
  for (const { start, end } of sentenceSpans(text, { language, lineBreaks })) {
    const words = cleanCaption(text.slice(start, end)).split(' ');
    let startsLine = lineBreaks && (before === 0 || text.slice(before, start).includes('\n'));
    for (let from = 0; from < words.length; from += MAX_SEGMENT_WORDS) {
      const piece = words.slice(from, from + MAX_SEGMENT_WORDS).join(' ');
      const startMs = toMs(spoken);
      spoken += countWords(piece);
      segments.push(
        marked({ startMs, endMs: toMs(spoken), text: piece, ...(startsLine ? { startsLine } : {}) }),
      );
      startsLine = false;
    }
    before = end;
  }
  return segments;
}

const toMs = (wordsSpoken: number): number => Math.round((wordsSpoken / WORDS_PER_MINUTE) * 60_000);

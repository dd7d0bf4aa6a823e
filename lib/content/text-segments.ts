import { type Pause, yielder } from '../core/async.js';
import { countWords } from '../text/count-words.js';
import { detectLanguage, WHOLE_TEXT } from '../text/detect-language.js';
import { languageOf, type Language } from '../text/languages.js';
import { isWrapped, spansOf } from '../text/sentences.js';
import { MAX_SEGMENTS } from './content.schema.js';
import type { CaptionsKind, TranscriptSegment } from './content-source.js';
import { cleanCaption, isNonSpeech } from './captions/clean-text.js';
import { cuesToSegments, mergeCues } from './captions/merge-cues.js';
import { readSubtitles } from './captions/read-subtitles.js';

/** Reading speed by which seconds are estimated where there are none; set by hand. */
const WORDS_PER_MINUTE = 150;

/** A sentence longer than this is cut into several segments, so that an estimated time is never far from its words; set by hand. */
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
  const cues = await readSubtitles(text, signal);
  if (cues) return cuesToSegments(cues, signal);
  return estimateSegments(text, languageOf(language) ?? detectLanguage(text, WHOLE_TEXT), yielder(signal));
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

const marked = (segment: TranscriptSegment): TranscriptSegment =>
  isNonSpeech(segment.text) ? { ...segment, nonSpeech: true } : segment;

/**
 * One segment a sentence, timed at 150 words a minute; a long sentence is several segments. Where there are more sentences than a transcript may have
 * segments, a segment has several.
 */
async function estimateSegments(
  text: string,
  language: Language | undefined,
  pause: Pause,
): Promise<TranscriptSegment[]> {
  const segments: TranscriptSegment[] = [];
  const lineBreaks = !isWrapped(text);
  const spans = await spansOf(text, { language, lineBreaks }, pause);
  const least = spans.length > MAX_SEGMENTS / 2 ? (2 * text.length) / MAX_SEGMENTS : 0;
  let [spoken, before, opened] = [0, 0, 0];
  for (const [k, { end }] of spans.entries()) {
    await pause();
    if (end - spans[opened]!.start < least && k + 1 < spans.length) continue;
    const from = spans[opened]!.start;
    opened = k + 1;
    const words = cleanCaption(text.slice(from, end)).split(' ');
    let startsLine = lineBreaks && (before === 0 || text.slice(before, from).includes('\n'));
    for (let at = 0; at < words.length; at += MAX_SEGMENT_WORDS) {
      const piece = words.slice(at, at + MAX_SEGMENT_WORDS).join(' ');
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

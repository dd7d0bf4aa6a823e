import type { Warning } from '../../core/warning.js';
import { type Chapter, type Content } from '../../content/content-source.js';
import { TranscriptUnavailableError } from '../../core/errors.js';
import { yielder } from '../../core/async.js';
import { languageOf } from '../../text/languages.js';
import { type ToolContext } from '../../core/context.js';
import {
  SUMMARY_WORDS,
  type ConcreteMethod,
  type KeyPoint,
  type Summary,
  type SummaryLength,
  type SummaryRequest,
  type SummarySection,
} from '../../summarize/summarizer.js';
import {
  bestOf,
  choosePassages,
  cover,
  type Coverage,
  type Evidence,
  evenParts,
  focusOf,
  type Stretch,
  wordsIn,
} from './passages.js';
import { beginningOf, languageIn, readTranscript, type Reading, write } from './reading.js';

const KEY_POINTS: Record<SummaryLength, number> = { short: 3, medium: 5, long: 8 };
/** Words of a transcript up to which `auto` reads it in one go; set by hand. */
const SIMPLE_WORDS = 12_000;
/** Parts that share the words of a summary, where there are no chapters; set by hand. */
const PARTS = 4;
/** Words of a section's own summary; set by hand. */
const SECTION_WORDS = 45;
/** Fewest words of a text for each of its points: a short clip has few claims; set by hand. */
const WORDS_PER_POINT = 50;
/** A point is one sentence; of captions, some cues. */
const POINT = { least: 8, most: 40, mostSentences: 1, anywhere: true };
const POINT_OF_CAPTIONS = { ...POINT, least: 16, most: 30 };

/** A chapter with its sentences. */
type Section = Chapter & Stretch;

export async function summarizeContent(
  content: Content,
  request: SummaryRequest,
  context: ToolContext,
): Promise<Summary> {
  const pause = yielder(context.signal);
  const lines = content.segments.filter((s) => !s.nonSpeech);
  await pause();
  const language = languageIn(lines, content.language);
  context.progress({ stage: 'read' });
  const reading = await readTranscript(lines, language, pause, content.title);
  const { sentences } = reading.evidence;
  if (sentences.length === 0)
    throw new TranscriptUnavailableError(
      'The transcript of this content has no words, so there is nothing to summarize.',
    );
  const whole = { from: 0, to: sentences.length };
  const { method, reason } = decide(request, wordsIn(reading.evidence, whole));
  context.progress({ stage: 'write' });
  const focus =
    request.focus === undefined ? undefined : await focusOf(sentences, reading.stemsIn(request.focus), pause);
  const evidence = { ...reading.evidence, focus };
  const sections = sectionsOf(evidence, content.chapters);
  const parts = method === 'simple' || sections.length === 0 ? evenParts(evidence, whole, PARTS) : sections;
  const maxWords = SUMMARY_WORDS[request.length];
  const passages = await choosePassages(evidence, maxWords, parts);
  const points = await keyPointsOf(evidence, KEY_POINTS[request.length]);
  return {
    method,
    ...(reason ? { methodReason: reason } : {}),
    text: passages.map((passage) => write(reading, passage)).join('\n\n') || beginningOf(reading, maxWords),
    language,
    keyPoints: points
      .map((point): KeyPoint => ({
        text: write(reading, point),
        startMs: sentences[point.from]!.startMs,
        source: 'speech',
      }))
      // A song says some lines more than once.
      .filter(({ text }, k, all) => all.findIndex((other) => other.text === text) === k),
    sections: await summarizeSections(reading, sections),
    engine: 'extractive',
    warnings: [
      ...(request.focus !== undefined && !focus ? [FOCUS_NOT_FOUND] : []),
      ...warningsOf(language, reading),
      ...(method === 'multi_modal' ? [NO_VISION] : []),
    ],
  };
}

const FOCUS_NOT_FOUND: Warning = {
  code: 'focus_not_found',
  message: 'No word of `focus` is said in the video. The summary is of the whole.',
};

const NO_VISION: Warning = {
  code: 'no_vision_model',
  message:
    'The summary rests on the words; the pictures were not read. Configure a model that reads images (option `model`).',
};

const number = (n: number): string => n.toLocaleString('en-US');

function decide(request: SummaryRequest, words: number): { method: ConcreteMethod; reason?: string } {
  if (request.method !== 'auto') return { method: request.method as ConcreteMethod };
  const isShort = words <= SIMPLE_WORDS;
  const end = isShort ? '.' : ', so each part has its share of the summary.';
  const reason = `The transcript has ${number(words)} words, ${isShort ? 'no more' : 'more'} than the ${number(SIMPLE_WORDS)} that are read in one go${end}`;
  return { method: isShort ? 'simple' : 'recursive', reason };
}

function warningsOf(language: string, { evidence, named, several }: Reading): Warning[] {
  const warnings: Warning[] = [];
  if (!languageOf(language))
    warnings.push({
      code: 'language_not_supported',
      message: `${language === 'und' ? 'The language of the transcript is not known' : `The transcript is in "${language}"`}. The embedded summarizer has no word lists for it and chose passages by the frequency of their words alone.`,
    });
  if (several && !named)
    warnings.push({
      code: 'several_speakers',
      message:
        'Several people seem to speak, and the transcript does not say who says what. The summary mixes their statements. Configure a model (option `model`) for summaries of conversations.',
    });
  if (evidence.unpunctuated)
    warnings.push({
      code: 'captions_without_punctuation',
      message:
        'The captions have no punctuation. The summary quotes stretches of them; "…" stands where a sentence may be cut. Nothing shows who speaks.',
    });
  return warnings;
}

/** The chapters in which something is said. */
function sectionsOf({ sentences }: Evidence, chapters: readonly Chapter[]): Section[] {
  const sections: Section[] = [];
  let from = 0;
  for (const [k, chapter] of chapters.entries()) {
    const next = chapters[k + 1]?.startMs ?? Infinity;
    // Speech before the first chapter is in no chapter.
    while (from < sentences.length && sentences[from]!.startMs < chapter.startMs) from++;
    let to = from;
    while (to < sentences.length && sentences[to]!.startMs < next) to++;
    if (to > from) sections.push({ ...chapter, from, to });
    from = to;
  }
  return chapters.length > 1 ? sections : [];
}

async function summarizeSections(reading: Reading, sections: readonly Section[]): Promise<SummarySection[]> {
  const out: SummarySection[] = [];
  for (const section of sections) {
    const bounds = { least: 8, most: SECTION_WORDS, mostSentences: 2 };
    const best = await bestOf(reading.evidence, section, bounds, new Map(), { factor: () => 1 });
    const { title, startMs, endMs } = section;
    if (best) out.push({ title, startMs, endMs, summary: write(reading, best) });
  }
  return out;
}

/**
 * The claims that are worth a link: from each of the equal parts of a text the sentence that says most and is understood alone.
 *
 * @param most number of points at most
 * @returns in order of the text
 */
async function keyPointsOf(evidence: Evidence, most: number): Promise<Stretch[]> {
  const { sentences, unpunctuated, focus } = evidence;
  const whole = { from: 0, to: sentences.length };
  const words = wordsIn(evidence, whole);
  const count = Math.max(1, Math.min(most, Math.round(words / WORDS_PER_POINT)));
  const covered: Coverage = new Map();
  const points: Stretch[] = [];
  for (const part of evenParts(evidence, whole, count)) {
    const bounds =
      words < WORDS_PER_POINT ? { ...POINT, least: 1 } : unpunctuated ? POINT_OF_CAPTIONS : POINT;
    const factor = ({ from, to }: Stretch): number => {
      if (sentences[from]!.isQuestion) return 0;
      return focus ? Math.max(...focus.slice(from, to)) : 1;
    };
    const best = await bestOf({ ...evidence, focus: undefined }, part, bounds, covered, { factor });
    if (!best) continue;
    points.push(best);
    cover(evidence, best, covered);
  }
  return points;
}

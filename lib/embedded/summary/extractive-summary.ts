import type { Warning } from '../../core/warning.js';
import { type Chapter, type Content } from '../../content/content-source.js';
import { clock } from '../../content/transcript-formats.js';
import { TranscriptUnavailableError } from '../../core/errors.js';
import { yielder } from '../../core/async.js';
import { languageOf } from '../../text/languages.js';
import { type ToolContext } from '../../core/context.js';
import {
  type ConcreteMethod,
  type KeyPoint,
  type Summary,
  type SummaryLength,
  type SummaryRequest,
  type SummarySection,
} from '../../summarize/summarizer.js';
import { keyPointsOf } from './key-points.js';
import { languageIn, readTranscript, type Reading } from './read-transcript.js';
import { paragraphs, SummaryWriter } from './rendering.js';
import { choose, chooseSummary, favouring, type Evidence, type Stretch } from './selection.js';
import { findTopics } from './topics.js';
import { timeOf, type Pause } from './token-table.js';

/** Words of the written summary. */
const WORDS: Record<SummaryLength, number> = { short: 100, medium: 180, long: 320 };
const KEY_POINTS: Record<SummaryLength, number> = { short: 3, medium: 5, long: 8 };
/** Words of a transcript up to which `auto` reads it in one go. */
const SIMPLE_WORDS = 12_000;
/** Words of a section's own summary: one or two sentences. */
const SECTION_WORDS = 45;

/** A part of the content with its units; `title` where it is a chapter. */
type Section = Omit<Chapter, 'title'> & Partial<Chapter> & Stretch;

export async function summarizeContent(
  content: Content,
  request: SummaryRequest,
  context: ToolContext,
): Promise<Summary> {
  const pause = yielder(10, context.signal);
  const lines = content.segments.filter((s) => !s.nonSpeech);
  await pause();
  const language = languageIn(lines, content.language);
  context.progress({ stage: 'read' });
  const reading = await readTranscript(lines, language, pause, content.title);
  const { evidence } = reading;
  if (evidence.units.length === 0)
    throw new TranscriptUnavailableError(
      'The transcript of this content has no words, so there is nothing to summarize.',
    );
  const writer = new SummaryWriter(evidence.table, evidence.units, reading.named);
  const { method, reason } = decide(request, evidence.table.tokens.length);
  context.progress({ stage: 'write' });
  const sections = await sectionsOf(evidence, content.chapters, pause);
  const maxWords = WORDS[request.length];
  const parts = method === 'simple' ? [] : sections;
  const favoured = (others: number): Evidence | undefined =>
    request.focus === undefined ? evidence : favouring(evidence, request.focus, others);
  const isFocusSaid = favoured(1) !== undefined;
  const order = await chooseSummary(favoured(1) ?? evidence, { maxWords, parts }, pause);
  const points = await keyPointsOf(favoured(0) ?? evidence, order, KEY_POINTS[request.length], pause);
  return {
    method,
    ...(reason ? { methodReason: reason } : {}),
    text:
      order.length > 0
        ? paragraphs(order, evidence.unpunctuated)
            .map((group) => writer.write(group))
            .join('\n\n')
        : writer.beginning(maxWords),
    language,
    keyPoints: points
      .map((run): KeyPoint => ({
        text: writer.write(run),
        startMs: timeOf(evidence.table, evidence.units[run[0]!]!.from),
        source: 'speech',
      }))
      // A song says some lines more than once.
      .filter(({ text }, k, all) => all.findIndex((other) => other.text === text) === k),
    sections: await summarizeSections(evidence, sections, writer, pause),
    engine: 'extractive',
    warnings: [
      ...(isFocusSaid ? [] : [FOCUS_NOT_FOUND]),
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
  return words <= SIMPLE_WORDS
    ? {
        method: 'simple',
        reason: `The transcript has ${number(words)} words, no more than the ${number(SIMPLE_WORDS)} that are read in one go.`,
      }
    : {
        method: 'recursive',
        reason: `The transcript has ${number(words)} words, more than the ${number(SIMPLE_WORDS)} that are read in one go, so each section has its share of the summary.`,
      };
}

function warningsOf(language: string, { evidence, named, verse, voices }: Reading): Warning[] {
  const warnings: Warning[] = [];
  if (!languageOf(language))
    warnings.push({
      code: 'language_not_supported',
      message: `${language === 'und' ? 'The language of the transcript is not known' : `The transcript is in "${language}"`}. The embedded summarizer has no word lists for it and chose sentences by the frequency of their words alone.`,
    });
  if (verse)
    warnings.push({
      code: 'no_sentences',
      message:
        'The transcript reads like a song: its lines repeat and do not form sentences. The summary quotes lines of it.',
    });
  else if (voices && !named)
    warnings.push({
      code: 'several_speakers',
      message:
        'Several people seem to speak, and the transcript does not say who says what. The summary mixes their statements. Configure a model (option `model`) for summaries of conversations.',
    });
  if (evidence.unpunctuated)
    warnings.push({
      code: 'captions_without_punctuation',
      message:
        'The captions have no punctuation. The summary quotes stretches of words that probably are whole clauses, and may be shorter than asked for. Nothing shows who speaks.',
    });
  return warnings;
}

/** The parts of the content: its chapters where it has any, else the stretches between changes of subject. */
async function sectionsOf(
  evidence: Evidence,
  chapters: readonly Chapter[],
  pause: Pause,
): Promise<Section[]> {
  const { table, units } = evidence;
  const sections: Section[] = [];
  if (chapters.length > 1) {
    let from = 0;
    for (const [k, chapter] of chapters.entries()) {
      const next = chapters[k + 1]?.startMs ?? Infinity;
      let to = from;
      while (to < units.length && timeOf(table, units[to]!.from) < next) to++;
      if (to > from) sections.push({ ...chapter, from, to });
      from = to;
      await pause();
    }
    return sections;
  }
  const topics = await findTopics(evidence, pause);
  if (topics.length < 2) return [];
  const endMs = Math.floor(table.lines.reduce((last, line) => Math.max(last, line.endMs || 0), 0));
  for (const topic of topics) {
    // A greeting that was left out is a part of the first section too.
    const startMs = timeOf(table, topic.from === 0 ? 0 : units[topic.from]!.from);
    const before = sections.at(-1);
    if (before) before.endMs = startMs;
    sections.push({ ...topic, startMs, endMs });
  }
  return sections;
}

async function summarizeSections(
  evidence: Evidence,
  sections: readonly Section[],
  writer: SummaryWriter,
  pause: Pause,
): Promise<SummarySection[]> {
  const out: SummarySection[] = [];
  for (const { from, to, title, startMs, endMs } of sections) {
    const order = await choose(evidence, { from, to, maxWords: SECTION_WORDS, maxUnits: 2 }, pause);
    if (order.length === 0) continue;
    // A phrase of the section says less of it than its time, more often than not.
    const named = title ?? `${clock(startMs)}–${clock(endMs)}`;
    out.push({ title: named, startMs, endMs, summary: writer.write(order) });
  }
  return out;
}

import type { Chapter, Content } from '../../content/content-source.js';
import { TranscriptUnavailableError } from '../../core/errors.js';
import { yielder } from '../../core/async.js';
import { detectLanguage, languageOf, WHOLE_TEXT } from '../../core/text/index.js';
import type { ToolContext } from '../../core/context.js';
import type {
  ConcreteMethod,
  KeyPoint,
  Method,
  Summary,
  SummaryLength,
  SummaryRequest,
  SummarySection,
  Warning,
} from '../summarizer.js';
import { contentScenes, scenesAsChapters } from '../multi-modal/content-scenes.js';
import type { FrameSource } from '../multi-modal/frame-source.js';
import { isKept } from './cleaning.js';
import { paragraphs } from './paragraphs.js';
import { properNames } from './proper-names.js';
import { renderUnit, renderToken } from './rendering.js';
import { choose, coverageOf, type Choice, type Evidence } from './selection.js';
import { read } from './summarize-extractive.js';
import { timeOf } from './timing.js';
import { titleOf } from './titles.js';
import { findTopics, type Topic } from './topics.js';
import type { Pause } from './token-table.js';

/** Words of the written summary. */
const WORDS: Record<SummaryLength, number> = { short: 100, medium: 180, long: 320 };
/** Most key points. */
const KEY_POINTS: Record<SummaryLength, number> = { short: 3, medium: 5, long: 8 };
/** Words of a transcript up to which `auto` reads it in one go. */
const SIMPLE_WORDS = 12_000;
/** Words of a section's own summary: one or two sentences. */
const SECTION_WORDS = 45;
/** Fewest words that a section gets in a recursive summary; where the budget has no room, neighbours share. */
const SECTION_SHARE = 28;

/** A named stretch of units. */
interface Section extends Topic {
  title: string;
  startMs: number;
  endMs: number;
}

/** See `ExtractiveSummarizer.summarize`. */
export async function summarizeContent(
  content: Content,
  request: SummaryRequest,
  context: ToolContext,
  frames: FrameSource,
): Promise<Summary> {
  const chapters = await chaptersOf(content, request.method, context, frames);
  const pause = yielder(10, context.signal);
  const lines = content.segments.filter((s) => !s.nonSpeech);
  const language = languageOf(content.language) ?? detectLanguage(sample(lines), WHOLE_TEXT);
  context.progress({ stage: 'read', done: 0, total: lines.length });
  const evidence = await read(lines, language, pause);
  const { table, units } = evidence;
  if (units.count === 0)
    throw new TranscriptUnavailableError(
      'The transcript of this content holds no words: nothing is said in it.',
    );
  const names = properNames([
    content.title,
    content.description,
    content.channel,
    ...content.chapters.map((c) => c.title),
  ]);
  const { method, reason } = decide(request, table.count);
  const write = (u: number): string => renderUnit(table, units, u, names);
  context.progress({ stage: 'write' });
  const sections = await sectionsOf(evidence, chapters, names, pause);
  const maxWords = WORDS[request.length];
  const choices =
    method === 'simple'
      ? await choose(evidence, { from: 0, to: units.count, maxWords }, coverageOf(evidence), pause)
      : await chooseBySection(evidence, sections, maxWords, pause);
  const order = choices.map((c) => c.unit).sort((a, b) => a - b);
  return {
    method,
    ...(reason ? { methodReason: reason } : {}),
    text: paragraphs(evidence, order)
      .map((group) => group.map(write).join(' '))
      .join('\n\n'),
    language: language ?? content.language.toLowerCase().split(/[-_]/, 1)[0] ?? content.language,
    keyPoints: keyPointsOf(evidence, choices, KEY_POINTS[request.length], write),
    sections: await summarizeSections(evidence, sections, write, pause),
    engine: 'extractive',
    coverage: 1,
    grounding: 1,
    warnings: [
      ...warningsOf(language === undefined, content),
      ...(method === 'multi_modal' ? [NO_VISION] : []),
    ],
  };
}

async function chaptersOf(
  content: Content,
  method: Method,
  context: ToolContext,
  frames: FrameSource,
): Promise<readonly Chapter[]> {
  if (method !== 'multi_modal') return content.chapters;
  const { scenes } = await contentScenes(content, frames, context);
  return content.chapters.length > 1 ? content.chapters : scenesAsChapters(scenes);
}

const NO_VISION: Warning = {
  code: 'no_vision_model',
  message:
    'The picture gave the sections and their weights only; what it shows was not read. Configure a model that reads images (option `model`).',
};

/** Enough of the words to tell their language. */
function sample(lines: readonly { text: string }[]): string {
  let text = '';
  for (const line of lines) {
    if (text.length > 20_000) break;
    text += `${line.text.slice(0, 20_000)}\n`;
  }
  return text;
}

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
        reason: `The transcript has ${number(words)} words, more than the ${number(SIMPLE_WORDS)} that are read in one go, so each section was summarized by itself.`,
      };
}

function warningsOf(unknownLanguage: boolean, content: Content): Warning[] {
  if (!unknownLanguage) return [];
  return [
    {
      code: 'language_not_supported',
      message: `The transcript is in "${content.language}", for which the embedded summarizer has no word lists; its sentences were chosen by the frequency of their words alone.`,
    },
  ];
}

/** The parts of the content: its chapters where it has any, else the stretches between changes of subject. */
async function sectionsOf(
  evidence: Evidence,
  chapters: readonly Chapter[],
  names: ReadonlyMap<string, string>,
  pause: Pause,
): Promise<Section[]> {
  const { table, units } = evidence;
  const endOfSpeech = lastMs(table.lineEndMs);
  if (chapters.length > 1) {
    const sections: Section[] = [];
    let from = 0;
    for (const [k, chapter] of chapters.entries()) {
      const next = chapters[k + 1]?.startMs ?? Infinity;
      let to = from;
      while (to < units.count && timeOf(table, units.from[to]!) < next) to++;
      if (to > from) sections.push({ ...chapter, from, to });
      from = to;
      await pause();
    }
    return sections;
  }
  const topics = await findTopics(evidence, pause);
  if (topics.length < 2) return [];
  const sections: Section[] = [];
  const write = (token: number): string => renderToken(table, token, names);
  for (const topic of topics) {
    const startMs = timeOf(table, units.from[topic.from]!);
    const before = sections.at(-1);
    if (before) before.endMs = startMs;
    sections.push({ ...topic, title: titleOf(evidence, topic, write), startMs, endMs: endOfSpeech });
    await pause();
  }
  return sections;
}

function lastMs(ends: Float64Array): number {
  let last = 0;
  for (const ms of ends) if (ms > last) last = ms;
  return Math.floor(last);
}

/** Words that were said in a stretch, as the units keep them. */
function wordsIn(evidence: Evidence, stretch: Topic): number {
  let words = 0;
  for (let u = stretch.from; u < stretch.to; u++) words += evidence.units.words[u]!;
  return words;
}

/**
 * Gives each section its share of the budget, in proportion to the root of its length, and lets it choose for itself;
 * what one section has said, the next need not say again.
 */
async function chooseBySection(
  evidence: Evidence,
  sections: readonly Section[],
  maxWords: number,
  pause: Pause,
): Promise<Choice[]> {
  const parts = mergeSections(evidence, sections, Math.max(1, Math.floor(maxWords / SECTION_SHARE)));
  const shares = parts.map((part) => Math.sqrt(wordsIn(evidence, part)));
  const total = shares.reduce((a, b) => a + b, 0) || 1;
  const covered = coverageOf(evidence);
  const choices: Choice[] = [];
  let spare = 0;
  for (const [k, part] of parts.entries()) {
    const share = (maxWords * shares[k]!) / total + spare;
    const chosen = await choose(evidence, { ...part, maxWords: Math.floor(share) }, covered, pause);
    choices.push(...chosen);
    // What a section leaves goes to the next.
    spare = share - chosen.reduce((n, c) => n + evidence.units.words[c.unit]!, 0);
  }
  return choices;
}

/** Joins neighbours until there are at most `most` parts, the smallest pair first. */
function mergeSections(evidence: Evidence, sections: readonly Topic[], most: number): Topic[] {
  const parts: Topic[] =
    sections.length > 0
      ? sections.map(({ from, to }) => ({ from, to }))
      : [{ from: 0, to: evidence.units.count }];
  const words = parts.map((part) => wordsIn(evidence, part));
  while (parts.length > most) {
    let best = 0;
    for (let k = 1; k + 1 < parts.length; k++)
      if (words[k]! + words[k + 1]! < words[best]! + words[best + 1]!) best = k;
    parts.splice(best, 2, { from: parts[best]!.from, to: parts[best + 1]!.to });
    words.splice(best, 2, words[best]! + words[best + 1]!);
  }
  return parts;
}

/** The strongest sentence of each part of the summary with the time it is said at, in order of time. */
function keyPointsOf(
  evidence: Evidence,
  choices: readonly Choice[],
  most: number,
  write: (u: number) => string,
): KeyPoint[] {
  const order = [...choices].sort((a, b) => a.unit - b.unit);
  const count = Math.min(most, order.length);
  const points: KeyPoint[] = [];
  for (let k = 0; k < count; k++) {
    const part = order.slice(
      Math.floor((k * order.length) / count),
      Math.floor(((k + 1) * order.length) / count),
    );
    const { unit } = part.reduce((a, b) => (b.gain > a.gain ? b : a));
    points.push({
      text: write(unit),
      startMs: timeOf(evidence.table, evidence.units.from[unit]!),
      source: 'speech',
    });
  }
  return points;
}

async function summarizeSections(
  evidence: Evidence,
  sections: readonly Section[],
  write: (u: number) => string,
  pause: Pause,
): Promise<SummarySection[]> {
  const out: SummarySection[] = [];
  for (const { from, to, title, startMs, endMs } of sections) {
    const stretch = { from, to, maxWords: SECTION_WORDS, maxUnits: 2 };
    const chosen = await choose(evidence, stretch, coverageOf(evidence), pause);
    const order = chosen.map((c) => c.unit).sort((a, b) => a - b);
    if (order.length === 0) continue;
    out.push({
      title: title || firstWords(evidence, from),
      startMs,
      endMs,
      summary: order.map(write).join(' '),
    });
  }
  return out;
}

/** A title for a section that has no word of its own: how it begins. */
function firstWords({ table, units }: Evidence, u: number): string {
  const words: string[] = [];
  for (let i = units.from[u]!; i < units.to[u]! && words.length < 6; i++)
    if (isKept(table, i)) words.push(table.source.slice(table.start[i], table.end[i]));
  return `${words.join(' ')} …`;
}

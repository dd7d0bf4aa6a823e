import type { Content, LoadedContent, TranscriptSegment } from '../../content/content-source.js';
import { clock, divide, evenly, textOf, type SegmentRange } from '../../content/transcript-formats.js';
import { yielder } from '../../core/async.js';
import type { ToolContext } from '../../core/context.js';
import { failureOf } from '../../core/failures.js';
import type { Warning } from '../../core/warning.js';
import { comparedWords } from '../../grounding/quotations.js';
import type { OutputSchema } from '../../data/output-schema.js';
import type { ModelClient } from '../../model/client.js';
import { UsageMeter } from '../../model/usage-meter.js';
import { toldLanguage } from '../../text/detect-language.js';
import { languageOf, type Language } from '../../text/languages.js';
import { oneLine } from '../../text/plain-text.js';
import { answerFields, type Answer, type AnswerPassage } from '../answer-engine.js';
import { writeAnswer, type AnswerEngines } from '../answer/answer-with-fallback.js';
import { DocumentIndex } from '../ranking/document-index.js';
import { rerankPages, type GuardedReranker } from '../reranker.js';
import { ANSWER_PASSAGES, answerPassages, rankPages } from '../select-passages.js';
import { resolveQuestion, type EarlierQuestion, type ResolvedQuestion } from './stand-alone-question.js';

export interface VideoAnswerParts extends AnswerEngines {
  /** Makes follow-up questions stand alone, and translates for the search; absent without a model. */
  resolver?: ModelClient;
  reranker?: GuardedReranker;
}

/** A checked question. */
export interface VideoQuestion {
  question: string;
  /** Of the answer. Default: that of the question. */
  outputLanguage?: Language;
  before?: readonly EarlierQuestion[];
  schema?: OutputSchema;
}

/** Question → passages → answer → seconds. @throws what the answer engine throws */
export async function answerFromVideo(
  parts: VideoAnswerParts,
  { content, urlAt }: LoadedContent,
  question: VideoQuestion,
  context: ToolContext,
) {
  const { resolved, warnings } = await standAlone(parts, content, question, context);
  const transcript = new TranscriptPassages(content);
  const isFilled = parts.answers.engine !== 'extractive';
  const ranked = await transcript.rank(resolved.search, isFilled, parts.reranker, context);
  const written = await writeAnswer(parts, resolved.question, ranked.passages, context, question.schema);
  // Quotations only: the borders of pieces are ours.
  const isQuoted = written.engine === 'extractive';
  const answer = isQuoted ? { ...written, text: oneLine(written.text) } : written;
  const citations = spoken(answer, transcript, urlAt);
  const wanted = question.outputLanguage;
  const isForeign = wanted && !parts.resolver && languageOf(content.language) !== wanted;
  return {
    ...answerFields(answer),
    citations,
    ...spokenData(answer, citations),
    warnings: [
      ...warnings,
      ...(ranked.warning ? [ranked.warning] : []),
      ...answer.warnings,
      ...(isForeign ? [notTranslated(wanted, content.language)] : []),
    ],
  };
}

/** The question as it stands alone, where it has to be made so. */
async function standAlone(
  { resolver }: VideoAnswerParts,
  content: Content,
  { question, outputLanguage, before = [] }: VideoQuestion,
  context: ToolContext,
): Promise<{ resolved: ResolvedQuestion; warnings: Warning[] }> {
  const asItIs = { question, search: question };
  const questionLanguage = toldLanguage(question);
  const isForeign =
    questionLanguage !== undefined && questionLanguage !== (languageOf(content.language) ?? content.language);
  const isTranslated = outputLanguage !== undefined && outputLanguage !== questionLanguage;
  if (!resolver) return { resolved: asItIs, warnings: before.length > 0 ? [CONTEXT_IGNORED] : [] };
  if (before.length === 0 && !isForeign && !isTranslated) return { resolved: asItIs, warnings: [] };
  const asked = { question, before, language: outputLanguage, spoken: content.language };
  try {
    const resolved = await resolveQuestion(resolver, asked, context, new UsageMeter());
    if (resolved) return { resolved, warnings: [] };
  } catch (error) {
    context.signal.throwIfAborted();
    const failure = failureOf(resolver.id, error);
    context.fellBack?.({ part: resolver.id, error: failure, by: 'the question as it is' });
  }
  return { resolved: asItIs, warnings: [NOT_RESOLVED] };
}

const CONTEXT_IGNORED: Warning = {
  code: 'context_ignored',
  message: '`context` was not used: follow-up questions need a model (option `model`), and no `budget`.',
};
const NOT_RESOLVED: Warning = {
  code: 'question_not_resolved',
  message: 'The model did not read the question with its context. It was asked as it is.',
  transient: true,
};

function notTranslated(wanted: Language, spokenIn: string): Warning {
  const message = `The answer quotes the video in "${spokenIn}". Configure a model (option \`model\`) for answers in "${wanted}".`;
  return { code: 'output_language_not_honoured', message };
}

function spoken({ citations }: Answer, transcript: TranscriptPassages, urlAt: LoadedContent['urlAt']) {
  return citations.map(({ index, url, quote }) => {
    const { startMs, endMs } = transcript.momentOf(url, quote);
    const seconds = { startSeconds: startMs / 1000, endSeconds: endMs / 1000 };
    return { index, ...seconds, url: urlAt(startMs), quote: oneLine(quote) };
  });
}

/** The data of an answer, with seconds in place of citations. */
function spokenData({ data }: Answer, citations: ReturnType<typeof spoken>) {
  if (!data) return {};
  const { output, outputComplete } = data;
  const grounding = data.grounding.map(({ field, probability, citations: [number] }) => {
    const { startSeconds, url, quote } = citations.find(({ index }) => index === number)!;
    return { field, startSeconds, url, quote, probability };
  });
  return { output, outputComplete, grounding };
}

/** Length of a passage, words: as of a page, see lib/search/ranking/passages.ts. */
const PASSAGE = { least: 100, most: 180 };
/** Length of what can be quoted, words. It ends at the end of a sentence, or at a pause. */
const PIECE = { least: 12, most: 45 };
/** Passages that are ranked anew by the words in each, or by the reranker; set by hand. */
const LOOKED_INTO = 30;

/** A transcript in passages that questions are answered from. */
class TranscriptPassages {
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

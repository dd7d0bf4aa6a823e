import type { Chapter, Content } from '../content/content-source.js';
import { nextTurn } from '../core/async.js';
import { Evidence } from '../grounding/evidence.js';
import type { Verifier } from '../grounding/verifier.js';
import type { ToolContext } from '../core/context.js';
import { countWords } from '../text/count-words.js';
import { UNSPACED, wordKind } from '../text/each-word.js';
import { languageOf, type Language } from '../text/languages.js';
import { type Budget } from '../model/options.js';
import { UsageMeter } from '../model/usage-meter.js';
import { roughTokens } from '../model/model-profile.js';
import type { ModelClient } from '../model/client.js';
import { createDelimiter, type PromptDelimiter } from '../model/call.js';
import { SUMMARY_WORDS, type SummaryLength, type SummaryRequest } from './summarizer.js';
import { sanitizeProse } from './sanitize-prose.js';
import { headerOf, transcriptNames, promptLines, type PromptLine } from './prompt-transcript.js';

/** The models of a summarizer; the cheaper one for the parts, one that sees for the frames. */
export interface SummaryModels {
  write: ModelClient;
  map: ModelClient;
  vision: ModelClient;
  /** Takes a second look at the text: `write`, or a verifier. */
  verifier?: 'model' | Verifier | undefined;
}

/** The name of the models that read the words and write the text. */
export function engineOf({ write, map }: SummaryModels): string {
  return [...new Set([write.id, map.id])].join('+');
}

/** What the steps of one request share. No step changes it: what a step finds out is in its result. */
export interface SummaryRun {
  readonly content: Content;
  readonly request: SummaryRequest;
  readonly context: ToolContext;
  readonly models: SummaryModels;
  readonly engine: string;
  readonly meter: UsageMeter;
  readonly delimiter: PromptDelimiter;
  /** Language of the transcript where it is one of the six. */
  readonly language: Language | undefined;
  /** True for scripts without blanks between words. */
  readonly isUnspaced: boolean;
  readonly pieces: readonly PromptLine[];
  /** The words of the pieces, for checks. */
  readonly transcript: Evidence;
  readonly size: SummarySize;
  /** Estimated tokens of each piece. */
  readonly tokensOf: readonly number[];
  /** Estimated tokens of all pieces. */
  readonly tokens: number;
  readonly header: string;
  /** A text of the model as it may be shown. */
  clean(text: string): string;
}

/** Prepares what every method needs of a content. */
export async function startRun(
  content: Content,
  request: SummaryRequest,
  context: ToolContext,
  models: SummaryModels,
  budget: Budget,
): Promise<SummaryRun> {
  const pieces = promptLines(content.segments);
  const language = languageOf(content.language);
  const header = headerOf(content);
  const tokensOf = pieces.map(({ text }) => Math.ceil(roughTokens(text)));
  await nextTurn(context.signal);
  const transcript = await Evidence.ofTranscript(pieces, transcriptNames(content), language, context.signal);
  await nextTurn(context.signal);
  const words = [header, ...content.chapters.map(({ title }) => title), ...pieces.map(({ text }) => text)];
  let source: string | undefined;
  const sourceText = (): string =>
    (source ??= [content.title, content.channel, content.description, ...pieces.map(({ text }) => text)]
      .join('\n')
      .toLowerCase());
  const hasAddress = (address: string, explicit: boolean): boolean => {
    if (sourceText().includes(address)) return true;
    if (explicit) return false;
    // A bare name such as `Socket.io` or `Node.js/Express` may be the model's spelling of words that were said.
    const labels = address.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
    const said = address.includes('/') ? labels : labels.slice(0, 1);
    return said.every((label) => sourceText().includes(label));
  };
  return {
    content,
    request,
    context,
    models,
    engine: engineOf(models),
    meter: new UsageMeter(budget, context.paid),
    delimiter: createDelimiter(words),
    language,
    isUnspaced: [...(pieces[0]?.text ?? '')].some((c) => wordKind(c.charCodeAt(0)) === UNSPACED),
    pieces,
    transcript,
    size: sizeOf(pieces, content.chapters, request.length),
    tokensOf,
    tokens: tokensOf.reduce((sum, tokens) => sum + tokens, 0),
    header,
    clean: (text) => sanitizeProse(text, { hasAddress }),
  };
}

/** How much is asked of the writer. */
export type SummarySize = ReturnType<typeof sizeOf>;

/** Key points; tokens of the summary with them and sections, in the wordiest of the six languages. */
const POINTS: Readonly<Record<SummaryLength, number>> = { short: 5, medium: 8, long: 12 };
const TOKENS: Readonly<Record<SummaryLength, number>> = { short: 1200, medium: 1600, long: 2400 };

/** Spoken words for each word, key point and section of a summary, at least: plain bounds for short clips. */
const SPOKEN_A_WORD = 3;
const SPOKEN_A_POINT = 40;
const SPOKEN_A_SECTION = 150;
/** Plain bounds of what is asked for. */
const FEWEST_WORDS = 12;
const MOST_SECTIONS = 8;
const MOST_CHAPTERS = 20;
/** Tokens of a section beyond {@link MOST_SECTIONS}; set by hand. */
const SECTION_TOKENS = 50;

/** The size to ask for. It depends on the requested length and on the amount of content. */
function sizeOf(pieces: readonly PromptLine[], chapters: readonly Chapter[], length: SummaryLength) {
  const spoken = pieces.reduce((sum, { text }) => sum + countWords(text), 0);
  const byChapter = chapters.length > 1;
  const sections = byChapter
    ? Math.min(MOST_CHAPTERS, chapters.length)
    : Math.min(MOST_SECTIONS, Math.floor(spoken / SPOKEN_A_SECTION));
  return {
    /** Words of prose, about. */
    words: Math.max(FEWEST_WORDS, Math.min(SUMMARY_WORDS[length], Math.round(spoken / SPOKEN_A_WORD))),
    /** Key points at most. */
    points: Math.max(1, Math.min(POINTS[length], Math.floor(spoken / SPOKEN_A_POINT))),
    /** Sections at most. One would be the whole; 0: none are asked for. */
    sections: sections < 2 ? 0 : sections,
    /** True: the sections are the chapters of the video. */
    byChapter,
    /** Tokens of the written answer at most, in the wordiest of the six languages. */
    outputTokens: TOKENS[length] + Math.max(0, sections - MOST_SECTIONS) * SECTION_TOKENS,
  };
}

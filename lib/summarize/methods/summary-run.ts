import { hash } from 'node:crypto';
import type { Content } from '../../content/content-source.js';
import { languageOf, type Language } from '../../core/text/languages.js';
import type { ToolContext } from '../../core/context.js';
import { UsageMeter, type Budget } from '../../model/options.js';
import type { ModelClient } from '../../model/client.js';
import type { EvidenceRanker } from '../evidence-ranker.js';
import { createDelimiter, type PromptDelimiter } from '../../model/call.js';
import type { SummaryRequest, Warning } from '../summarizer.js';
import { headerOf, knownWords } from './material.js';
import { piecesOf, type Piece } from './piece.js';
import { sizeOf, type SummarySize } from './summary-size.js';
import { TranscriptIndex } from './verify/transcript-index.js';
import { FactChecker, type Flaw } from './verify/verify-points.js';

/** The models of a summarizer; the cheaper one for the parts, one that sees for the frames. */
export interface SummaryModels {
  write: ModelClient;
  map: ModelClient;
  vision: ModelClient;
}

/** Everything the steps of one request share. */
export interface SummaryRun {
  readonly content: Content;
  readonly request: SummaryRequest;
  readonly context: ToolContext;
  readonly models: SummaryModels;
  readonly evidence: EvidenceRanker;
  readonly meter: UsageMeter;
  readonly fence: PromptDelimiter;
  /** Language of the transcript where it is one of the six. */
  readonly language: Language | undefined;
  readonly pieces: readonly Piece[];
  readonly index: TranscriptIndex;
  readonly facts: FactChecker;
  /** How much is asked for. */
  readonly size: SummarySize;
  /** Estimated tokens of each piece, and of all. */
  readonly tokensOf: readonly number[];
  readonly tokens: number;
  readonly header: string;
  /** Says whether the content names an address; see `KnownOutput`. */
  hasAddress(address: string, explicit: boolean): boolean;
  /** Statements of the model that were left out. */
  readonly dropped: Record<Flaw, number>;
  readonly warnings: Warning[];
  /** The decision made when the work first began; without a journal, the decision made now. */
  decide<T>(name: string, decision: () => T): Promise<T>;
}

/** Prepares what every method needs of a content. */
export async function startRun(
  content: Content,
  request: SummaryRequest,
  context: ToolContext,
  models: SummaryModels,
  evidence: EvidenceRanker,
  budget: Budget,
): Promise<SummaryRun> {
  const pieces = piecesOf(content.segments);
  const language = languageOf(content.language);
  const header = headerOf(content);
  const tokensOf = pieces.map(({ text }) => models.map.estimate(text));
  let source: string | undefined;
  const sourceText = (): string =>
    (source ??= [content.title, content.channel, content.description, ...pieces.map(({ text }) => text)]
      .join('\n')
      .toLowerCase());
  const index = await TranscriptIndex.build(pieces, language, context.signal);
  const words = [header, ...content.chapters.map(({ title }) => title), ...pieces.map(({ text }) => text)];
  const { journal } = context;
  // A transcript that has changed in the meantime is decided on anew.
  const digest = journal && hash('sha256', words.join('\n'), 'base64url');
  const decide = async <T>(name: string, decision: () => T): Promise<T> =>
    journal ? journal.once(`${name}:${digest}`, decision) : decision();
  return {
    content,
    request,
    context,
    models,
    evidence,
    meter: new UsageMeter(budget),
    fence: createDelimiter(words),
    language,
    pieces,
    index,
    facts: new FactChecker(index, knownWords(content)),
    size: sizeOf(pieces, content.chapters, request.length),
    tokensOf,
    tokens: tokensOf.reduce((sum, tokens) => sum + tokens, 0),
    header,
    hasAddress: (address, explicit) => {
      if (sourceText().includes(address)) return true;
      if (explicit) return false;
      // A bare name such as `Socket.io` or `Node.js/Express` may be the model's spelling of words that were said.
      const labels = address.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
      const said = address.includes('/') ? labels : labels.slice(0, 1);
      return said.every((label) => sourceText().includes(label));
    },
    dropped: { words: 0, number: 0, name: 0 },
    warnings: [],
    decide,
  };
}

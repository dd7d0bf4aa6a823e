import { yielder } from '../../core/event-loop.js';
import { detectLanguage, type Language } from '../../core/text/index.js';
import type { ToolContext } from '../../core/tool-context.js';
import type { AnswerPassage } from '../answer-engine.js';
import { shareOf, standingOf, type Standing } from './agreement.js';
import { gatherEvidence, type EvidenceList } from './evidence.js';
import { evidenceIn } from './extractive-answer.js';
import type { ModelSigns } from './model-probability.js';
import { findQuote, type FoundQuote } from './model-quotes.js';
import type { ModelReply } from './model-reply.js';
import { addressKey, writtenSentences } from './model-sentences.js';
import { SupportCheck } from './model-support.js';
import { analyseQuestion } from './question.js';

/** A sentence that stood the checks, and what it rests on. */
export interface KeptSentence {
  text: string;
  quotes: FoundQuote[];
}

/** What is left of a reply, and what speaks for it. */
export interface Judgement {
  /** Of the question. */
  language: Language;
  kept: KeptSentence[];
  /** All quotations that stand in their source. */
  quotes: FoundQuote[];
  signs: ModelSigns;
  /** What other sources say to what the sentences rest on; of several the one that is most contradicted. */
  standing: Standing;
  /** True when a sentence rests on sources of another language alone, where words cannot be compared. */
  isForeign: boolean;
}

/** Where words cannot be compared the evidence is neither here nor there. */
const UNKNOWN = 0.5;

/** Checks a model's reply sentence by sentence against the sources, in slices that let other requests run. */
export async function judgeReply(
  query: string,
  sources: readonly AnswerPassage[],
  reply: ModelReply,
  context: ToolContext,
): Promise<Judgement> {
  const pause = yielder(undefined, context.signal);
  const sample = sources.map((s) => s.text.slice(0, 300)).join(' ');
  const question = analyseQuestion(query, detectLanguage(sample));
  const { language } = question;
  const check = new SupportCheck(sources, language);
  const quotes = reply.quotes.flatMap(({ n, text }) => findQuote(text, n - 1, sources) ?? []);
  const known = [
    ...sources.map((s) => `${s.text} ${s.title}`.toLowerCase()),
    ...sources.map((s) => addressKey(s.url)),
  ];
  const written = writtenSentences(reply.answer, (address) => known.some((text) => text.includes(address)));
  const kept: KeptSentence[] = [];
  for (const { text, cited } of written) {
    const own = quotes.filter((q) => cited.includes(q.passage + 1));
    const each: FoundQuote[] = [];
    for (const quote of own) {
      if (check.isSupported(text, [quote])) each.push(quote);
      await pause();
    }
    if (each.length > 0) kept.push({ text, quotes: each });
    else if (own.length > 1 && check.isSupported(text, own)) kept.push({ text, quotes: own });
    await pause();
  }
  const passages = [...new Set(kept.flatMap((k) => k.quotes.map((q) => q.passage)))];
  const isForeign = passages.length > 0 && check.isForeign(passages);
  const quoted = kept.flatMap((k) =>
    k.quotes.map((q) => ({ ...sources[q.passage]!, text: check.contextOf(q) })),
  );
  const isPartlyForeign = kept.some((k) => check.isForeign(k.quotes.map((q) => q.passage)));
  const contexts = kept.flatMap((k) =>
    k.quotes.map((q) => ({ passage: q.passage, text: check.contextOf(q) })),
  );
  const standing = mostContradicted(gatherEvidence(question, sources), contexts, sources);
  const signs: ModelSigns = {
    evidence: isForeign ? UNKNOWN : evidenceIn(question, sources),
    quoted: isForeign ? UNKNOWN : evidenceIn(question, quoted),
    supported: written.length === 0 ? 0 : kept.length / written.length,
    verdict: reply.answerable,
    agreement: kept.some((k) => pagesSaying(k, sources, check) > 1),
    share: shareOf(standing),
    missing: kept.length === 0 ? 1 : check.missingIn(question.tokens, passages),
  };
  return { language, kept, quotes, signs, standing, isForeign: isPartlyForeign };
}

/** Quoted sentences may be the ones that answer, or stand beside them: only what can be compared with other sources counts. */
function mostContradicted(
  list: EvidenceList,
  quoted: readonly { passage: number; text: string }[],
  sources: readonly AnswerPassage[],
): Standing {
  let most: Standing = { agreeing: 0, contradictions: [] };
  for (const evidence of list.evidence) {
    if (!quoted.some(({ passage, text }) => passage === evidence.passage && text.includes(evidence.text)))
      continue;
    const standing = standingOf(list, evidence, sources);
    if (shareOf(standing) < shareOf(most)) most = standing;
  }
  return most;
}

/** Pages that are cited for a sentence, and others that say the same. */
function pagesSaying(kept: KeptSentence, sources: readonly AnswerPassage[], check: SupportCheck): number {
  const cited = new Set(kept.quotes.map((q) => q.passage));
  const saying = sources.filter((_, p) => cited.has(p) || check.agrees(kept.text, p));
  return new Set(saying.map((s) => s.url)).size;
}

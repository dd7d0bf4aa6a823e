import type { Answer, Citation } from '../search/answer-engine.js';
import type { MergedHit } from '../search/merge-hits.js';
import { canonicalUrl } from '../search/ranking/canonical-url.js';
import {
  describeNeed,
  isSettled,
  type FoundSentence,
  type Need,
  type OPEN_REASONS,
  type RESEARCH_OUTCOMES,
  type ResearchState,
  type Stop,
} from './needs.js';
import { LEAST_SECTIONS } from './report-form.js';

/**
 * A report and what code knows of the needs and pages.
 * @param answer undefined: the findings are the report, as no model wrote one
 */
export function composeResult(
  state: ResearchState,
  stopped: Stop,
  answer: Answer | undefined,
  hitOf: (url: string) => MergedHit | undefined,
  threshold: number,
) {
  const { needs, passages, pages, rounds, searches } = state;
  const citations: Citation[] = [...(answer?.citations ?? [])];
  const numberOf = ({ passage, quote }: FoundSentence['quotes'][number]): number => {
    const { url, title } = passages[passage]!;
    const isSame = (citation: Citation): boolean =>
      citation.url === url && (citation.quote.includes(quote) || quote.includes(citation.quote));
    const known = citations.find(isSame);
    return known?.index ?? citations.push({ index: citations.length + 1, url, title, quote });
  };
  const marked = ({ text, quotes }: FoundSentence): string =>
    `${text} ${[...new Set(quotes.map(numberOf))].map((n) => `[${n}]`).join('')}`;
  const sections = needs.map((need) => ({
    need: describeNeed(need, needs),
    state: need.state,
    // One that was answered at once has no findings.
    text: needs.length === 1 && answer ? answer.text : need.findings.map(marked).join(' '),
  }));
  const found = sections.filter(({ text }) => text !== '');
  const findings = found.map(({ need, text }) =>
    found.length < LEAST_SECTIONS ? text : `## ${need}\n\n${text}`,
  );
  const points = needs.map((need) => (isSettled(need) ? 1 : need.findings.length > 0 ? 0.5 : 0));
  const share = points.reduce<number>((sum, point) => sum + point, 0) / needs.length;
  const probability = Math.round(1000 * (answer?.answerableProbability ?? threshold) * share) / 1000;
  const isAnswered = share === 1 && answer?.outcome === 'answered' && probability >= threshold;
  const isCited = new Set(citations.map(({ url }) => canonicalUrl(url)));
  const shown = new Map(passages.map(({ url, title }) => [canonicalUrl(url), { url, title }]));
  const { output, outputComplete, grounding } = answer?.data ?? {};
  const unanswered = found.length > 0 ? 'partly' : 'not_found';
  const outcome: (typeof RESEARCH_OUTCOMES)[number] = isAnswered ? 'answered' : unanswered;
  return {
    report: answer?.text ?? findings.join('\n\n'),
    outcome,
    answerableProbability: isAnswered ? probability : Math.min(probability, 0.9 * threshold),
    sections,
    citations: citations.map((citation) => {
      const { license, attribution, publishedAt } = hitOf(citation.url) ?? {};
      return { ...citation, publishedAt, license, attribution };
    }),
    openQuestions: needs.flatMap((need, i) =>
      isSettled(need) ? [] : [{ need: sections[i]!.need, queries: need.tried, reason: reasonOf(need) }],
    ),
    disagreements: sections.flatMap(({ need, state: known, text }) =>
      known === 'disputed' ? [{ need, text }] : [],
    ),
    ...(answer?.unsupported ? { unsupported: answer.unsupported } : {}),
    sources: [...shown].map(([key, page]) => ({
      ...page,
      read: pages.includes(key),
      cited: isCited.has(key),
    })),
    research: { rounds, searches, pagesRead: pages.length, stopped },
    ...(answer?.data ? { output, outputComplete, grounding } : {}),
    warnings: answer?.warnings ?? [],
  };
}

function reasonOf({ state, tried, findings }: Need): (typeof OPEN_REASONS)[number] {
  if (findings.length > 0) return 'partly_found';
  if (state === 'failed') return 'search_failed';
  if (state === 'not_read') return 'not_read';
  return tried.length > 0 ? 'not_found' : 'not_searched';
}

import { KEY_POINTS_HEADING, PICTURE_HEADING, SECTIONS_HEADING } from '../../prompts/write.prompt.js';
import { splitQuote, toSecond } from './points.js';
import type { ProposedPoint } from './point.js';

/** A section as a model proposes it. */
export interface ProposedSection {
  second: number;
  title: string;
  summary: string;
}

/** A written answer taken apart. */
export interface WrittenSummary {
  text: string;
  keyPoints: ProposedPoint[];
  sections: ProposedSection[];
  /** What was seen and not said. */
  seen: ProposedPoint[];
}

const HEADING = new RegExp(
  `^[\\s#*_-]*(${KEY_POINTS_HEADING}|${SECTIONS_HEADING}|${PICTURE_HEADING})[\\s:*_]*$`,
  'i',
);
const PARTS: Record<string, 'points' | 'sections' | 'picture'> = {
  [KEY_POINTS_HEADING]: 'points',
  [SECTIONS_HEADING]: 'sections',
  [PICTURE_HEADING]: 'picture',
};
const ENTRY = /^\s*(?:[-*•]|\d{1,2}[.)])?\s*[[(](\d{1,6}|\d{1,3}:\d{2}(?::\d{2})?)s?[\])]\s*[:–-]?\s*(\S.*)$/;

/** True when a line ends the summary: a heading, or an entry of a list that came without one. */
export function endsSummary(line: string): boolean {
  return HEADING.test(line) || /^\s*[-*•]\s*[[(]\d/.test(line);
}

/** Takes an answer to the write prompt apart; whatever the model left out is empty. Linear, never throws. */
export function parseWritten(answer: string): WrittenSummary {
  const text: string[] = [];
  const keyPoints: ProposedPoint[] = [];
  const sections: ProposedSection[] = [];
  const seen: ProposedPoint[] = [];
  let part: 'text' | 'points' | 'sections' | 'picture' = 'text';
  for (const line of answer.split('\n')) {
    const heading = HEADING.exec(line)?.[1]?.toUpperCase();
    if (heading) {
      part = PARTS[heading] ?? part;
      continue;
    }
    if (part === 'text' && endsSummary(line)) part = 'points';
    if (part === 'text') {
      text.push(line);
      continue;
    }
    const entry = ENTRY.exec(line.slice(0, 2000));
    const second = toSecond(entry?.[1]);
    if (!entry || second === undefined) continue;
    if (part === 'points') {
      const { rest, quote } = splitQuote(entry[2]!);
      keyPoints.push({ claim: plain(rest), second, ...(quote ? { quote } : {}) });
    } else if (part === 'picture') {
      seen.push({ claim: plain(entry[2]!), second });
    } else {
      const colon = entry[2]!.indexOf(': ');
      const title = colon > 0 ? entry[2]!.slice(0, colon) : entry[2]!;
      sections.push({
        second,
        title: plain(title),
        summary: colon > 0 ? plain(entry[2]!.slice(colon + 2)) : '',
      });
    }
  }
  return { text: text.join('\n').trim(), keyPoints, sections, seen };
}

/** Without the marks of Markdown that models add unasked. */
function plain(text: string): string {
  return text.replace(/\*\*|__|`/g, '').trim();
}

import { isRecord } from '../core/schema.js';
import { roughTokens } from '../model/context-window.js';
import { shorten, type AgentForm } from '../tools/agent-forms.js';

/** Result of a tool call for an agent. */
export interface AgentResult {
  /** Markdown that stands alone. */
  text: string;
  /** The same as an object, which fits the tool's `outputSchema`. */
  structured: Record<string, unknown>;
  isError: boolean;
}

/** Addresses, digits and JSON need more tokens a character than running text does. */
const SAFETY = 1.3;

/** Tokens of a text, estimated on the safe side. */
const tokensOf = (text: string): number => Math.ceil(roughTokens(text) * SAFETY);

/**
 * The fullest size of a result whose text and whose JSON both have at most `maxTokens`. The text says what was cut. The last size is
 * shortened by force where it is still too long.
 *
 * @param data of a successful answer
 */
export function fitted(
  { render, advice }: Pick<AgentForm, 'render' | 'advice'>,
  data: Record<string, unknown>,
  maxTokens: number,
): Omit<AgentResult, 'isError'> {
  let last: Omit<AgentResult, 'isError'> = { text: '', structured: {} };
  for (const { structured, cut } of sizesOf(data)) {
    const notice = cut && [cut, advice].filter(Boolean).join(' ');
    const noted = { ...structured, ...(notice ? { notice } : {}) };
    last = { text: [render(structured), notice].filter(Boolean).join('\n\n'), structured: noted };
    if (tokensOf(last.text) <= maxTokens && tokensOf(JSON.stringify(noted)) <= maxTokens) return last;
  }
  return { ...last, text: shorten(last.text, Math.floor((3 * maxTokens) / SAFETY)) };
}

/** Members that programs need and models do not. */
const HIDDEN = new Set(['provider', 'usage']);
/** Members whose text may be shortened. */
const TEXTS = new Set(['answer', 'content', 'quote', 'summary', 'text']);
/** Lists that may lose entries from the end. Citations may not: the answer has their numbers. */
const LISTS = new Set(['results', 'passages', 'key_points', 'sections', 'segments']);
/** Lengths of the texts in lists, characters. */
const LIST_TEXTS = [3000, 2000, 1200, 800, 500, 300];
/** Lengths of all texts, characters, once the lists are as short as they get. */
const ALL_TEXTS = [20_000, 14_000, 10_000, 7000, 5000, 3500, 2000, 1000, 500];

interface Limits {
  /** Entries of each list. */
  entries: number;
  /** Characters of a text in a list. */
  inLists: number;
  /** Characters of any other text. */
  others: number;
}

/** The sizes of a result, the fullest first: first the texts in lists get shorter, then the lists, then all texts. */
export function* sizesOf(
  data: Record<string, unknown>,
): Generator<{ structured: Record<string, unknown>; cut?: string }> {
  const limits: Limits = { entries: Infinity, inLists: Infinity, others: Infinity };
  yield { structured: smaller(data, limits) };
  for (limits.inLists of LIST_TEXTS)
    yield { structured: marked(smaller(data, limits)), cut: 'Texts were shortened to fit.' };
  const longest = Math.max(
    1,
    ...Object.values(data).map((value) => (Array.isArray(value) ? value.length : 0)),
  );
  for (limits.entries = longest >> 1; limits.entries > 0; limits.entries >>= 1) {
    const cut = `Lists were cut after ${limits.entries} of up to ${longest} entries, and texts were shortened, to fit.`;
    yield { structured: marked(smaller(data, limits)), cut };
  }
  limits.entries = 1;
  for (limits.others of ALL_TEXTS)
    yield {
      structured: marked(smaller(data, limits)),
      cut: 'Lists were cut and texts were shortened to fit.',
    };
}

function smaller(data: Record<string, unknown>, limits: Limits, isInList = false): Record<string, unknown> {
  const { entries, others } = limits;
  const length = isInList ? Math.min(limits.inLists, others) : others;
  const members = Object.entries(data).filter(([name]) => !HIDDEN.has(name));
  return Object.fromEntries(
    members.map(([name, value]) => {
      // The caller has chosen the form of its data.
      if (name === 'output') return [name, value];
      if (typeof value === 'string') return [name, TEXTS.has(name) ? shorten(value, length) : value];
      if (isRecord(value)) return [name, smaller(value, limits, isInList)];
      if (!Array.isArray(value)) return [name, value];
      const list: unknown[] = LISTS.has(name) ? value.slice(0, entries) : value;
      return [name, list.map((one) => (isRecord(one) ? smaller(one, limits, true) : one))];
    }),
  );
}

/** A part of a page or a transcript that was cut again: the cursor would skip what was cut. */
function marked({ next_cursor: _cursor, ...structured }: Record<string, unknown>): Record<string, unknown> {
  return 'truncated' in structured ? { ...structured, truncated: true } : structured;
}

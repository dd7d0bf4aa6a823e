import { roughTokens } from '../model/context-window.js';
import { shorten, type ResultSize } from '../tools/agent-forms.js';

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
 */
export function fitted(
  sizes: Iterable<ResultSize>,
  render: (structured: object) => string,
  maxTokens: number,
): Omit<AgentResult, 'isError'> {
  let last: Omit<AgentResult, 'isError'> = { text: '', structured: {} };
  for (const { structured, cut } of sizes) {
    const noted = { ...structured, ...(cut === undefined ? {} : { notice: cut }) };
    last = { text: [render(structured), cut].filter(Boolean).join('\n\n'), structured: noted };
    if (tokensOf(last.text) <= maxTokens && tokensOf(JSON.stringify(noted)) <= maxTokens) return last;
  }
  return { ...last, text: shorten(last.text, Math.floor((3 * maxTokens) / SAFETY)) };
}

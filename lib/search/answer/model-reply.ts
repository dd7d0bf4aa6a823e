/** What a model said, as far as it could be read. */
export interface ModelReply {
  /** Its own verdict; undefined when it gave none. */
  answerable?: boolean;
  /** Its sentences with `[n]`; may be empty when it says that the sources do not answer. */
  answer: string;
  quotes: { n: number; text: string }[];
}

const MAX_REPLY = 50_000;
const MAX_ANSWER = 4000;
const MAX_QUOTES = 40;
const MAX_QUOTE = 1000;

/**
 * Reads the reply of a model: JSON, also in a code fence, after some thinking aloud, or with line ends inside of its strings.
 * Undefined for anything else: prose without the form has no quotations, so nothing in it could be checked. Never throws.
 */
export function readReply(reply: string): ModelReply | undefined {
  const text = reply.slice(0, MAX_REPLY);
  const objects = [...topLevelObjects(text), text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)];
  // A model that thinks aloud gives its answer last.
  const found = objects.flatMap((json) => toReply(parsed(json)));
  return found.at(-1);
}

/** Texts of the objects that are inside no other, in order. Linear. */
function topLevelObjects(text: string): string[] {
  const objects: string[] = [];
  let start = 0;
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (inString) {
      if (c === '\\') i++;
      else if (c === '"') inString = false;
    } else if (c === '"') inString = depth > 0;
    else if (c === '{' && depth++ === 0) start = i;
    else if (c === '}' && depth > 0 && --depth === 0) objects.push(text.slice(start, i + 1));
  }
  return objects;
}

function parsed(json: string): unknown {
  for (const attempt of [json, json.replace(/[\n\r\t]+/g, ' ').replace(/,\s?([}\]])/g, '$1')]) {
    try {
      return JSON.parse(attempt);
    } catch {
      // The next form may do.
    }
  }
  return undefined;
}

function toReply(value: unknown): ModelReply[] {
  if (!isRecord(value)) return [];
  const answerable = verdictOf(value['answerable']);
  const answer = typeof value['answer'] === 'string' ? value['answer'].slice(0, MAX_ANSWER).trim() : '';
  // No answer and no word that there is none: nothing was said.
  if (answer === '' && answerable !== false) return [];
  const quotes = Array.isArray(value['quotes']) ? value['quotes'].slice(0, MAX_QUOTES).flatMap(toQuote) : [];
  return [{ ...(answerable === undefined ? {} : { answerable }), answer, quotes }];
}

function toQuote(value: unknown): { n: number; text: string }[] {
  if (!isRecord(value)) return [];
  const n = Number(String(value['n'] ?? value['source'] ?? value['index']).replace(/[[\]\s]/g, ''));
  const text = value['text'] ?? value['quote'];
  if (!Number.isInteger(n) || typeof text !== 'string') return [];
  return [{ n, text: text.slice(0, MAX_QUOTE) }];
}

function verdictOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return undefined;
  return /^\s*(?:true|yes)\s*$/i.test(value) ? true : /^\s*(?:false|no)\s*$/i.test(value) ? false : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

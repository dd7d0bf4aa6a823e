/** A model's reply, as far as it could be read. */
export interface ModelReply {
  /** Its own verdict; undefined when it gave none. */
  answerable?: boolean;
  /** Its sentences with `[n]`; may be empty when it says that the sources do not answer. */
  answer: string;
  quotes: ReplyQuote[];
}

/** Words that a model says are copied from a source. */
export interface ReplyQuote {
  /** The number of the source, from 1; undefined when the model gave none. */
  n?: number;
  text: string;
}

const MAX_REPLY = 50_000;
const MAX_ANSWER = 6000;
const MAX_QUOTES = 40;
const MAX_QUOTE = 1500;
/** An answer to a search is short; a longer text without the form is something else. */
const MAX_PROSE = 3000;
const SOURCE_MARK = /\[\^?\d{1,3}\]|【\d{1,3}/;

/**
 * Reads the reply of a model. Accepted are, in this order:
 *
 * 1. JSON, also in a code fence, after thinking aloud, with text around it, with line ends inside strings or a comma too many
 * 2. JSON that is cut off, or has unescaped quotation marks inside its strings
 * 3. prose with source numbers (`[1]`), which has no quotations
 *
 * Never throws.
 * @returns undefined for anything else, such as a refusal
 */
export function readReply(reply: string): ModelReply | undefined {
  const start = reply.slice(0, MAX_REPLY);
  const thinking = /<\/think(?:ing)?>/gi;
  let text = start;
  for (let end = thinking.exec(start); end; end = thinking.exec(start))
    text = start.slice(thinking.lastIndex);
  const whole = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  // A model that thinks aloud gives its answer last.
  const parsed = [...topLevelObjects(text), whole].flatMap((json) => fromJson(parseJson(json)));
  return parsed.at(-1) ?? fromBrokenJson(text) ?? fromProse(text);
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

function parseJson(json: string): unknown {
  const repaired = json
    .replace(/\r?\n/g, '\\n')
    .replace(/\t/g, ' ')
    .replace(/,(\s|\\n)*([}\]])/g, '$2');
  for (const attempt of [json, repaired, json.replace(/[\n\r\t]+/g, ' ').replace(/,\s*([}\]])/g, '$1')]) {
    try {
      return JSON.parse(attempt);
    } catch {
      // The next form may do.
    }
  }
  return undefined;
}

function fromJson(value: unknown): ModelReply[] {
  if (!isRecord(value)) return [];
  const answerable = verdictOf(value['answerable']);
  const given = value['answer'];
  const lines = Array.isArray(given) ? given.filter((line) => typeof line === 'string').join('\n') : given;
  const answer = typeof lines === 'string' ? lines.slice(0, MAX_ANSWER).trim() : '';
  // No answer and no word that there is none: nothing was said.
  if (answer === '' && answerable !== false) return [];
  return [{ ...(answerable === undefined ? {} : { answerable }), answer, quotes: quotesOf(value['quotes']) }];
}

/** A list of objects or strings, one of either, or an object with the numbers as keys. */
function quotesOf(value: unknown): ReplyQuote[] {
  if (typeof value === 'string') return toQuote(value);
  if (Array.isArray(value)) return value.slice(0, MAX_QUOTES).flatMap(toQuote);
  if (!isRecord(value)) return [];
  if (value['text'] !== undefined || value['quote'] !== undefined) return toQuote(value);
  return Object.entries(value)
    .slice(0, MAX_QUOTES)
    .flatMap(([n, text]) => [text].flat().flatMap((t) => toQuote({ n, text: t })));
}

function toQuote(value: unknown): ReplyQuote[] {
  if (typeof value === 'string') {
    const [, n, text] = /^\s*(?:\[(\d{1,3})\][\s:]*)?([\s\S]*)$/.exec(value)!;
    return text ? [{ ...(n ? { n: Number(n) } : {}), text: text.slice(0, MAX_QUOTE) }] : [];
  }
  if (!isRecord(value)) return [];
  const n = Number(
    String(value['n'] ?? value['source'] ?? value['index'] ?? '').replace(/[[\]\s]/g, '') || NaN,
  );
  const text = value['text'] ?? value['quote'];
  if (typeof text !== 'string' || text.trim() === '') return [];
  return [{ ...(Number.isInteger(n) ? { n } : {}), text: text.slice(0, MAX_QUOTE) }];
}

function verdictOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return undefined;
  return /^\s*(?:true|yes)\s*$/i.test(value) ? true : /^\s*(?:false|no)\s*$/i.test(value) ? false : undefined;
}

/**
 * Field by field, where the whole does not parse. A string ends at the quotation mark behind which the object goes on, so that the marks
 * inside it need not be escaped; a string that is cut off ends with the text.
 */
function fromBrokenJson(text: string): ModelReply | undefined {
  const answerAt = /"answer"\s*:\s*"/.exec(text);
  if (!answerAt) return undefined;
  const start = answerAt.index + answerAt[0].length;
  const rest = text.slice(start);
  const end = rest.search(/"\s*(?:,\s*"(?:quotes|answerable)"\s*:|\}\s*(?:```|$))/);
  const isCut = end < 0;
  const answer = unescape(isCut ? rest : rest.slice(0, end));
  const verdict = /"answerable"\s*:\s*"?(true|false|yes|no)\b/i.exec(
    text.slice(0, answerAt.index) + (isCut ? '' : rest.slice(end)),
  );
  const answerable = verdictOf(verdict?.[1]);
  const quotesAt = isCut ? -1 : rest.indexOf('"quotes"', end);
  const quotes = quotesAt < 0 ? [] : brokenQuotes(rest.slice(quotesAt));
  const said = (isCut ? wholeSentences(answer) : answer).slice(0, MAX_ANSWER).trim();
  if (said === '' && answerable !== false) return undefined;
  return { ...(answerable === undefined ? {} : { answerable }), answer: said, quotes };
}

function brokenQuotes(text: string): ReplyQuote[] {
  // Each entry begins where its brace opens; what is between two of them belongs to the first.
  return text
    .split('{')
    .slice(1, MAX_QUOTES + 1)
    .flatMap((entry) => {
      const n = /"(?:n|source|index)"\s*:\s*"?\[?(\d{1,3})/.exec(entry)?.[1];
      const at = /"(?:text|quote)"\s*:\s*"/.exec(entry);
      if (!at) return [];
      const rest = entry.slice(at.index + at[0].length);
      const end = rest.search(/"\s*(?:\}|,\s*"(?:n|source|index)"\s*:)/);
      // A quotation that is cut off is found as far as it goes.
      return toQuote({ n, text: unescape(end < 0 ? rest : rest.slice(0, end)) });
    });
}

/** Prose with source numbers: the answer itself. */
function fromProse(text: string): ModelReply | undefined {
  const answer = text.replace(/```\w*/g, '').trim();
  const isAnswer = SOURCE_MARK.test(answer) && answer.length <= MAX_PROSE && !answer.startsWith('{');
  return isAnswer ? { answer, quotes: [] } : undefined;
}

/** Without the last sentence where that does not end. */
function wholeSentences(text: string): string {
  const end = Math.max(...['.', '!', '?', ']', '。'].map((mark) => text.lastIndexOf(mark)));
  return text.slice(0, end + 1);
}

function unescape(text: string): string {
  return text.replace(/\\(u[0-9a-fA-F]{4}|.)/g, (_, escape: string) =>
    escape.length === 5
      ? String.fromCharCode(parseInt(escape.slice(1), 16))
      : escape === 'n' || escape === 't' || escape === 'r'
        ? '\n'
        : escape,
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import type { AnswerPassage } from '../answer-engine.js';
import { sentenceSpans } from '../ranking/sentences.js';

/** A quotation that stands in its source. */
export interface FoundQuote {
  /** Index of the passage. */
  passage: number;
  /** The words as the passage has them, whatever case, quotation marks or blanks the model used. */
  text: string;
  /** Indices of the sentences of the passage that the words are part of: a quotation may leave out a "not" before it. */
  sentences: number[];
}

/** Fewer words than this stand in any text. */
const MIN_WORDS = 3;
const ALIKE: Record<string, string> = {
  '‘': "'",
  '’': "'",
  '‚': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '‐': '-',
  '‑': '-',
  '–': '-',
  '—': '-',
};
const EDGES = /^(?:["'\s]|\.\.\.|…)+|(?:["'\s]|\.\.\.|…)+$/g;

/** The quotation in its passage, or undefined: invented, altered, shortened in the middle or too short to show anything. */
export function findQuote(
  quote: string,
  passage: number,
  passages: readonly AnswerPassage[],
): FoundQuote | undefined {
  const source = passages[passage]?.text;
  if (source === undefined) return undefined;
  const wanted = folded(quote).text.replace(EDGES, '');
  if ((wanted.match(/[\p{L}\p{N}]+/gu) ?? []).length < MIN_WORDS) return undefined;
  const { text, at } = folded(source);
  for (let from = text.indexOf(wanted); from >= 0; from = text.indexOf(wanted, from + 1)) {
    const to = from + wanted.length;
    if (isInsideWord(text, from) || isInsideWord(text, to)) continue;
    const start = at[from]!;
    const end = at[to - 1]! + 1;
    const sentences = sentenceSpans(source).flatMap((s, i) => (s.start < end && s.end > start ? [i] : []));
    return { passage, text: source.slice(start, end), sentences };
  }
  return undefined;
}

/** Lower case, straight quotation marks, single blanks, nothing invisible; and for each unit where it stood. */
function folded(raw: string): { text: string; at: number[] } {
  const at: number[] = [];
  let text = '';
  for (let i = 0; i < raw.length; i++) {
    const c = raw[i]!;
    if (/\s/.test(c)) {
      if (text === '' || text.endsWith(' ')) continue;
      text += ' ';
      at.push(i);
      continue;
    }
    if (/[\p{Cc}\p{Cf}]/u.test(c)) continue;
    const same = ALIKE[c] ?? c.toLowerCase();
    text += same;
    for (let n = 0; n < same.length; n++) at.push(i);
  }
  return { text, at };
}

function isInsideWord(text: string, border: number): boolean {
  return /[\p{L}\p{N}]/u.test(text[border - 1] ?? '') && /[\p{L}\p{N}]/u.test(text[border] ?? '');
}

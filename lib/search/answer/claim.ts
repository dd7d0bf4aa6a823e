import { numberAt, type Language } from '../../core/text/index.js';
import { CLAIM_WORDS } from './claim-words.js';
import { tokensOf, type Token } from './tokens.js';

/** A word or number that says something, and how it hangs on what stands before it. */
export interface ClaimWord extends Token {
  /** Function words since the word before, lower case. */
  lead: readonly string[];
  /** A comma, a bracket or a word that opens a clause stands before it; true of the first. */
  border: boolean;
  /** Nothing but a blank or hyphen stands before it. */
  adjacent: boolean;
  /** Where it ends in the text. */
  end: number;
}

/** A sentence with units spelled out, and its words; their places are those in `text`. */
export interface Claim {
  text: string;
  words: ClaimWord[];
}

const MULTIPLIERS: Record<Language, ReadonlyMap<string, number>> = {
  en: new Map([
    ['hundred', 100],
    ['thousand', 1e3],
    ['million', 1e6],
    ['billion', 1e9],
  ]),
  pt: new Map([
    ['mil', 1e3],
    ['milhão', 1e6],
    ['milhões', 1e6],
  ]),
  es: new Map([
    ['mil', 1e3],
    ['millón', 1e6],
    ['millones', 1e6],
  ]),
  it: new Map([
    ['mila', 1e3],
    ['milione', 1e6],
    ['milioni', 1e6],
    ['miliardi', 1e9],
  ]),
  de: new Map([
    ['tausend', 1e3],
    ['million', 1e6],
    ['millionen', 1e6],
    ['milliarden', 1e9],
  ]),
  fr: new Map([
    ['mille', 1e3],
    ['million', 1e6],
    ['millions', 1e6],
    ['milliards', 1e9],
  ]),
};
/** Signs and short forms of units as words, so that `30 m` and `30 metres`, `5 %` and `5 per cent` are the same. */
const UNITS: readonly [RegExp, string][] = [
  [/\$\s?(\d+(?:[.,]\d+)*(?:\s(?:million|billion|thousand)\b)?)/g, '$1 dollars'],
  [/€\s?(\d+(?:[.,]\d+)*(?:\s(?:million|billion|thousand)\b)?)/g, '$1 euros'],
  [/£\s?(\d+(?:[.,]\d+)*(?:\s(?:million|billion|thousand)\b)?)/g, '$1 pounds'],
  [/(?<=\d)\s?€/g, ' euros'],
  [/(?<=\d)\s?(?:%|per cent\b|percent\b)/g, ' percent'],
  [/(?<=\d)\s?°\s?F(?!\p{L})/gu, ' degrees Fahrenheit '],
  [/(?<=\d)\s?°\s?[CF]?(?!\p{L})/gu, ' degrees '],
  [/(?<=\d\s?)km\/h\b/g, ' kilometres per hour'],
  [/(?<=\d\s?)m\/s\b/g, ' metres per second'],
  [/(?<=\d\s?)mph\b/g, ' miles per hour'],
  [/(?<=\d\s?)km\b/g, ' kilometres'],
  [/(?<=\d\s?)cm\b/g, ' centimetres'],
  [/(?<=\d\s?)mm\b/g, ' millimetres'],
  [/(?<=\d\s?)kg\b/g, ' kilograms'],
  [/(?<=\d\s?)m\b/g, ' metres'],
  [/(?<=\d\s?)t\b/g, ' tonnes'],
  [/(?<!\p{L})(\p{L}*met)er(s?)(?!\p{L})/gu, '$1re$2'],
];
const BREAK = /[,;:()[\]–—"“”«»]/;

/** The content words of a sentence, with numbers in one form whether written in digits or in words. */
export function claimOf(sentence: string, language: Language): Claim {
  const text = UNITS.reduce((spelled, [pattern, word]) => spelled.replace(pattern, word), sentence);
  const tokens = withNumbers(tokensOf(text, language), language);
  const { joints } = CLAIM_WORDS[language];
  const words: ClaimWord[] = [];
  let lead: string[] = [];
  let broken = true;
  let before = 0;
  for (const token of tokens) {
    broken ||= BREAK.test(text.slice(before, token.at));
    before = token.end;
    if (token.functional && !isMay(token, words, language)) {
      lead.push(token.lower);
      broken ||= joints.has(token.lower);
      continue;
    }
    words.push({ ...token, lead, border: broken, adjacent: lead.length === 0 && !broken });
    lead = [];
    broken = false;
  }
  return { text, words };
}

/** The month: a capital inside of the sentence. */
function isMay(token: Token, before: readonly ClaimWord[], language: Language): boolean {
  return language === 'en' && token.text === 'May' && (before.length > 0 || token.at > 0);
}

function withNumbers(tokens: readonly Token[], language: Language): (Token & { end: number })[] {
  const words = tokens.map((t) => t.lower);
  const merged: (Token & { end: number })[] = [];
  const endOf = (t: Token): number => t.at + t.text.length;
  for (let i = 0; i < tokens.length;) {
    const token = tokens[i]!;
    const spoken = /^\p{N}/u.test(token.text) ? undefined : numberAt(words, i, language);
    let length = spoken?.length ?? 1;
    let value = spoken?.value ?? (token.number ? Number(token.term) : undefined);
    // "One of the loudest" counts nothing.
    if (language === 'en' && token.lower === 'one' && tokens[i + 1] && !tokens[i + 1]!.functional)
      value ??= 1;
    const times = MULTIPLIERS[language].get(tokens[i + length]?.lower ?? '');
    if (value !== undefined && !spoken && times) {
      value *= times;
      length++;
    }
    if (value !== undefined && Number.isFinite(value)) {
      const last = tokens[i + length - 1]!;
      const number = { term: String(value), number: true, functional: false, name: false };
      merged.push({ ...token, ...number, end: endOf(last) });
    } else merged.push(...tokens.slice(i, i + length).map((t) => ({ ...t, end: endOf(t) })));
    i += length;
  }
  return merged;
}

/** `passive` by a form of "be" before a participle; `unknown` where that form may stand further back. */
export function voiceOf(
  words: readonly ClaimWord[],
  at: number,
  language: Language,
): 'active' | 'passive' | 'unknown' | 'none' {
  const { be, participle } = CLAIM_WORDS[language];
  const word = words[at]!;
  if (word.number || word.name || !participle.test(word.lower)) return 'none';
  const before = [...word.lead, ...(word.adjacent ? (words[at - 1]?.lead ?? []) : [])];
  if (before.some((w) => be.has(w))) return 'passive';
  return words.slice(0, at).some((w) => w.lead.some((l) => be.has(l))) ? 'unknown' : 'active';
}

/**
 * A passive sentence in the order of an active one: who acts, the verb, what it is done to, the rest. Undefined where there is no
 * passive. `agent` tells whether somebody is named who acts.
 */
export function activeOrder(
  words: readonly ClaimWord[],
  language: Language,
): { words: ClaimWord[]; agent: boolean; verb: number } | undefined {
  const { by } = CLAIM_WORDS[language];
  const verb = words.findIndex((_, at) => voiceOf(words, at, language) === 'passive');
  if (verb < 1) return undefined;
  let from = verb;
  while (from > 0 && !words[from]!.border) from--;
  const start = from === verb ? 0 : from;
  const patient = words.slice(start, verb);
  let by0 = words.findIndex((w, at) => at > verb && w.lead.some((l) => by.has(l)));
  if (by0 > 0 && words[by0]!.number) by0 = -1;
  let by1 = by0;
  if (by0 > 0) for (by1 = by0 + 1; words[by1]?.adjacent;) by1++;
  const agent = by0 > 0 ? words.slice(by0, by1) : [];
  const rest = by0 > 0 ? [...words.slice(verb + 1, by0), ...words.slice(by1)] : words.slice(verb + 1);
  const active = { ...words[verb]!, lead: [], adjacent: false };
  const opened = (group: readonly ClaimWord[]): ClaimWord[] =>
    group.map((w, i) => (i === 0 ? { ...w, lead: [], border: false, adjacent: false } : w));
  const order = [...words.slice(0, start), ...opened(agent), active, ...opened(patient), ...rest];
  if (order[0]) order[0] = { ...order[0], border: true };
  return { words: order, agent: agent.length > 0, verb: start + agent.length };
}

import { eachWord } from '../../core/text/index.js';

const SHINGLE = 4;
const LOOKED_AT = 600;
const SAME = 0.8;

/** Overlapping runs of four words of a text's beginning. */
export function shinglesOf(text: string): Set<string> {
  const words: string[] = [];
  eachWord(text.slice(0, LOOKED_AT).toLowerCase(), (word) => words.push(word));
  const shingles = new Set<string>();
  for (let i = 0; i + SHINGLE <= words.length; i++) shingles.add(words.slice(i, i + SHINGLE).join(' '));
  if (shingles.size === 0 && words.length > 0) shingles.add(words.join(' '));
  return shingles;
}

/** True when four fifths of all shingles are shared (Jaccard, Broder 1997): a mirror or a syndicated copy. */
export function nearlySame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  if (a.size === 0 || b.size === 0) return false;
  let shared = 0;
  for (const shingle of a) if (b.has(shingle)) shared++;
  return shared / (a.size + b.size - shared) >= SAME;
}

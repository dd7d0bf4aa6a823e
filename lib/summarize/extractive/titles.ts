import { isKept } from './cleaning.js';
import { WORD } from './lexicon.js';
import { capitalise } from './rendering.js';
import { type Evidence } from './selection.js';
import { TOKEN } from './token-table.js';
import { type Topic } from './topics.js';

/** Longest phrase of a title, in words. */
const LONGEST = 4;

interface Phrase {
  text: string;
  stems: number[];
  worth: number;
  count: number;
}

/**
 * A short title for a part of a text: the two phrases or words that it says more often than the rest of the text.
 *
 * @param write how a token is shown
 * @returns empty when the part has no word of its own
 */
export function titleOf(evidence: Evidence, topic: Topic, write: (token: number) => string): string {
  const { table, units, weights } = evidence;
  const { stems, bits } = table.lexicon;
  const own = new Map<number, number>();
  for (let i = units.from[topic.from]!; i < units.to[topic.to - 1]!; i++) {
    const stem = isKept(table, i) ? stems[table.form[i]!]! : -1;
    if (stem >= 0) own.set(stem, (own.get(stem) ?? 0) + 1);
  }
  // How much more often here than an even spread would have it; weights grow with the count in the whole text.
  const worth = (stem: number): number => {
    const n = own.get(stem) ?? 0;
    return n < 2 ? 0 : (n * n) / (weights[stem]! + 3);
  };
  const phrases = new Map<string, Phrase>();
  for (let u = topic.from; u < topic.to; u++)
    for (let i = units.from[u]!; i < units.to[u]!; i++) {
      if (!isKept(table, i) || stems[table.form[i]!]! < 0 || worth(stems[table.form[i]!]!) === 0) continue;
      const inside: number[] = [];
      for (let k = i; k < Math.min(units.to[u]!, i + LONGEST); k++) {
        if (!isKept(table, k) || !table.form[k]) break;
        const stem = stems[table.form[k]!]!;
        if (stem >= 0) {
          // A word that occurs once here makes no phrase.
          if (worth(stem) === 0) break;
          inside.push(stem);
          notePhrase(phrases, inside, i, k, worth, write);
        } else if (k === i || !(bits[table.form[k]!]! & WORD.loose)) break;
        if (table.mark[k]! & (TOKEN.comma | TOKEN.stop)) break;
      }
    }
  const ranked = [...phrases.values()]

    .filter((p) => p.stems.length === 1 || p.count > 1)
    .sort((a, b) => b.worth * value(b) - a.worth * value(a) || (a.text < b.text ? -1 : 1));
  const first = ranked[0];
  if (!first) return '';
  const second = ranked.find((p) => p.stems.every((s) => !first.stems.includes(s)));
  const title =
    second && first.text.length + second.text.length < 48 ? `${first.text}, ${second.text}` : first.text;
  return capitalise(title);
}

/** A phrase that keeps coming back says more than its words. */
const value = (p: Phrase): number => (p.stems.length === 1 ? 1 : Math.min(2, 0.8 + p.count / 5));

function notePhrase(
  phrases: Map<string, Phrase>,
  stems: readonly number[],
  from: number,
  to: number,
  worth: (stem: number) => number,
  write: (token: number) => string,
): void {
  const key = stems.join(' ');
  const known = phrases.get(key);
  if (known) {
    known.count++;
    return;
  }
  const words: string[] = [];
  for (let k = from; k <= to; k++) words.push(write(k));
  const total = stems.reduce((sum, s) => sum + worth(s), 0);
  phrases.set(key, {
    text: words.join(' '),
    stems: [...new Set(stems)],
    worth: total / Math.sqrt(stems.length),
    count: 1,
  });
}

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’.-]*/gu;

/**
 * Words that the title, the chapters and the description write with a capital letter, to give them back to captions
 * that have none. A line in Title Case proves nothing, nor does a sentence's first word, unless it has capitals inside.
 *
 * @returns the word as it is written, by its lower-case form
 */
export function properNames(lines: readonly (string | undefined)[]): Map<string, string> {
  const names = new Map<string, string>();
  const plain = new Set<string>();
  for (const line of lines.flatMap((l) => (l ?? '').slice(0, 5000).split('\n'))) {
    const found = [...line.matchAll(WORD)];
    const words = found.map((match) => match[0]);
    const long = words.filter((w) => w.length > 3);
    const small = long.filter((w) => w === w.toLowerCase());
    const reliable = small.length >= 2 && small.length >= long.length / 3;
    words.forEach((raw, k) => {
      const word = raw.replace(/[.'’-]+$/u, '').replace(/['’]s$/u, '');
      const lower = word.toLowerCase();
      if (word === lower) plain.add(lower);
      else if (word.length < 2) return;
      else if (word.slice(1) !== word.slice(1).toLowerCase()) {
        // Capitals inside ("NestJS", "NASA"), but not a line that shouts.
        if (small.length > 0) names.set(lower, word);
      } else if (reliable && k > 0 && !opensSentence(line, found[k]?.index ?? 0)) names.set(lower, word);
    });
  }
  for (const word of plain) names.delete(word);
  return names;
}

/** Letters of an abbreviation or an initial, at most. */
const ABBREVIATION = 2;

/** True when a full stop, and not an abbreviation's, comes before a place in a line. */
function opensSentence(line: string, at: number): boolean {
  const before = line.slice(Math.max(0, at - 8), at).trimEnd();
  if (/[!?…]["'»”)]?$/u.test(before)) return true;
  const word = /(\p{L}*)\.["'»”)]?$/u.exec(before);
  return word !== null && (word[1] ?? '').length > ABBREVIATION;
}

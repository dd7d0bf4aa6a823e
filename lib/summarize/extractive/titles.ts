import { isKept } from './cleaning.js';
import { WORD } from './lexicon.js';
import { type Evidence } from './selection.js';
import { type Topic } from './topics.js';
import { UNIT } from './units.js';

/** Most characters of a title. */
const LONGEST_TITLE = 60;
/** Fewest words with content of a sentence that names a section. */
const FEWEST_CONTENT = 3;
/**
 * A whole sentence of a part that is short enough for a title: the one that says most of what the part is about.
 *
 * @param write how a unit is shown
 */
export function titleSentenceOf(
  evidence: Evidence,
  topic: Topic,
  write: (unit: number) => string,
  taken: ReadonlySet<string>,
): string | undefined {
  const { units, needs, table, weights } = evidence;
  const own = ownStems(evidence, topic);
  const unfit =
    UNIT.housekeeping | UNIT.announcement | UNIT.question | UNIT.verbless | UNIT.cutStart | UNIT.cutEnd;
  let best: string | undefined;
  let top = 0;
  for (let u = topic.from; u < topic.to; u++) {
    if (units.flags[u]! & unfit || needs[u] !== u || opensClause(evidence, u)) continue;
    if (units.content[u]! < FEWEST_CONTENT || units.words[u]! > LONGEST_TITLE / 4) continue;
    let worth = 0;
    const stems = new Set<number>();
    for (let i = units.from[u]!; i < units.to[u]!; i++) {
      const stem = isKept(table, i) ? table.lexicon.stems[table.form[i]!]! : -1;
      if (stem < 0 || stems.has(stem)) continue;
      stems.add(stem);
      const n = own.get(stem) ?? 0;
      worth += (n * n) / (weights[stem]! + 3);
    }
    worth *= Math.exp(-2 * units.casual[u]!) * units.wholeness[u]!;
    if (worth <= top) continue;
    const text = write(u).replace(/\.$/, '');
    if (text.length <= LONGEST_TITLE && !taken.has(text.toLowerCase())) [best, top] = [text, worth];
  }
  return best;
}

/** True for a sentence that begins with a condition or the like ("If you …"), which names nothing. */
export function opensClause({ table, units }: Evidence, u: number): boolean {
  return (table.lexicon.bits[table.form[units.from[u]!]!]! & WORD.dependent) > 0;
}

/** How often each stem occurs in a part. */
function ownStems({ table, units }: Evidence, topic: Topic): Map<number, number> {
  const own = new Map<number, number>();
  for (let i = units.from[topic.from]!; i < units.to[topic.to - 1]!; i++) {
    const stem = isKept(table, i) ? table.lexicon.stems[table.form[i]!]! : -1;
    if (stem >= 0) own.set(stem, (own.get(stem) ?? 0) + 1);
  }
  return own;
}

/** The beginning of a sentence as a title: whole where it is short, else up to a word that can end it. */
export function shortened(sentence: string, isLoose: (word: string) => boolean): string {
  const bare = sentence.replace(/[.…]+$/, '').replace(/^…/, '');
  const clause = bare.split(/[,;:] /, 1)[0]!;
  if (clause !== bare && clause.length <= LONGEST_TITLE && clause.split(' ').length >= 4)
    return `${clause} …`;
  if (bare.length <= LONGEST_TITLE) return bare;
  const words = bare.slice(0, LONGEST_TITLE).split(' ').slice(0, -1);
  while (
    words.length > 2 &&
    isLoose(
      words
        .at(-1)!
        .toLowerCase()
        .replace(/[^\p{L}']/gu, ''),
    )
  )
    words.pop();
  return `${words.join(' ').replace(/[,;:–—-]+$/, '')} …`;
}

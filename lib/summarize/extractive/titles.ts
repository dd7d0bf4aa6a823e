import { isKept } from './cleaning.js';
import { WORD } from './lexicon.js';
import { capitalise } from './rendering.js';
import { type Evidence } from './selection.js';
import { endsPhrase, isNoun } from './nouns.js';
import { TOKEN, type TokenTable } from './token-table.js';
import { type Topic } from './topics.js';
import { UNIT } from './units.js';

/** Most words of a noun phrase, and most characters of a title. */
const LONGEST_PHRASE = 4;
const LONGEST_TITLE = 60;
/** How often a phrase must come in a section to name it. */
const FEWEST = 2;
/** A phrase is taken where it is worth this share of the best single word. */
const PHRASE = 0.35;
/** Fewest words with content of a sentence that names a section. */
const FEWEST_CONTENT = 3;
interface Phrase {
  text: string;
  key: string;
  worth: number;
  words: number;
  count: number;
}

/**
 * A title for a part of a text: the noun phrase that it says more often than the rest of the text.
 *
 * @param write how a token is shown
 * @param taken titles of other parts, lower case
 * @returns undefined where nothing is good enough
 */
export function nounPhraseOf(
  evidence: Evidence,
  topic: Topic,
  write: (token: number) => string,
  taken: ReadonlySet<string>,
): string | undefined {
  const { table, units } = evidence;
  const { nouns } = units;
  const own = ownStems(evidence, topic);
  const found = new Map<string, Phrase>();
  for (let u = topic.from; u < topic.to; u++) {
    if (units.flags[u]! & UNIT.housekeeping) continue;
    const to = units.to[u]!;
    for (let i = units.from[u]!; i < to; i++) {
      if (!isNoun(table, nouns, i)) continue;
      for (let k = i; k < Math.min(to, i + LONGEST_PHRASE); k++) {
        if (!isNoun(table, nouns, k)) {
          if (!isLink(table, k)) break;
        } else if (endsPhrase(table, nouns, k)) note(found, table, own, evidence, i, k, write);
        if (table.mark[k]! & (TOKEN.comma | TOKEN.stop)) break;
      }
    }
  }
  const isBetter = (a: Phrase, b: Phrase | undefined): boolean =>
    !b || a.worth > b.worth || (a.worth === b.worth && a.key < b.key);
  let phrase: Phrase | undefined;
  let word = 0;
  for (const one of found.values()) {
    if (one.count < FEWEST) continue;
    if (one.words === 1) word = Math.max(word, one.worth);
    else if (one.text.length <= LONGEST_TITLE && !taken.has(one.text.toLowerCase()) && isBetter(one, phrase))
      phrase = one;
  }
  return phrase && phrase.worth >= word * PHRASE ? capitalise(phrase.text) : undefined;
}

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

/** Words inside a phrase: `of`, `de la`. */
const LINKS = new Set('of de du des del della dei di do da dos das von der des'.split(' '));

const isLink = ({ lexicon, form, mark }: TokenTable, i: number): boolean =>
  LINKS.has(lexicon.forms[form[i]!]!) && !(mark[i]! & (TOKEN.dropped | TOKEN.mute));

function note(
  phrases: Map<string, Phrase>,
  table: TokenTable,
  own: ReadonlyMap<number, number>,
  { weights }: Evidence,
  from: number,
  to: number,
  write: (token: number) => string,
): void {
  const { stems } = table.lexicon;
  let key = '';
  let words = 0;
  let worth = 0;
  for (let k = from; k <= to; k++) {
    const stem = stems[table.form[k]!]!;
    key += `${stem < 0 ? table.form[k]! : stem} `;
    if (stem < 0) continue;
    words++;
    const n = own.get(stem) ?? 0;
    // More often here than an even spread would have it.
    worth += (n * n) / (weights[stem]! + 3);
  }
  const known = phrases.get(key);
  if (known) {
    known.count++;
    known.worth = (known.worth / known.count) * (known.count + 1);
    return;
  }
  const text = Array.from({ length: to - from + 1 }, (_, k) => write(from + k)).join(' ');
  phrases.set(key, {
    text,
    key,
    words,
    count: 1,
    worth: worth / Math.sqrt(words),
  });
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

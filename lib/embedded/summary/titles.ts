import { isKept } from './cleaning.js';
import { borderClass, WORD } from './lexicon.js';
import { capitalise, type SummaryWriter } from './rendering.js';
import { type Evidence, type Stretch } from './selection.js';
import { type Pause, TOKEN, type TokenTable } from './token-table.js';
import { contentOf, stemsOf, UNIT, type Units } from './units.js';

/** Most characters of a title. */
const LONGEST_TITLE = 72;
/** Fewest words with content of a sentence that names a section. */
const FEWEST_CONTENT = 3;

const DETERMINER = borderClass('determiners');

/** Words in a row that occur: where they do first, how often, and whether they stand behind an article once. */
interface Phrase {
  from: number;
  to: number;
  times: number;
  isNoun: boolean;
}

/** Fewest and most words of a noun phrase, and how often it occurs in its part at least. */
const PHRASE = { shortest: 2, longest: 3, times: 3 };

/**
 * The noun phrase that a part says more often than the rest of the text: two or three words with content in a row, none of them a verb,
 * behind an article or the like at least once.
 */
export async function titlePhraseOf(
  { table, units, weights }: Evidence,
  { from, to }: Stretch,
  writer: SummaryWriter,
  taken: ReadonlySet<string>,
  pause: Pause,
): Promise<string | undefined> {
  const { form, lexicon } = table;
  // Without word lists there are no articles to tell a noun by.
  if (!lexicon.language) return undefined;
  const found = new Map<string, Phrase>();
  for (let u = from; u < to; u++) {
    if ((u & 15) === 0) await pause();
    if (units.flags[u]! & UNIT.housekeeping) continue;
    for (let start = units.from[u]!; start < units.to[u]!; start++) {
      const isNoun = start > units.from[u]! && lexicon.classes[form[start - 1]!] === DETERMINER;
      for (let end = start; end < units.to[u]! && end < start + PHRASE.longest && isNominal(table, end);) {
        const stops = (table.mark[end++]! & (TOKEN.comma | TOKEN.stop)) > 0;
        if (end - start >= PHRASE.shortest) {
          const key = form.subarray(start, end).join(' ');
          const phrase = found.get(key) ?? { from: start, to: end, times: 0, isNoun: false };
          phrase.times++;
          phrase.isNoun ||= isNoun && (end >= units.to[u]! || stops || !isNominal(table, end));
          found.set(key, phrase);
        }
        if (stops) break;
      }
    }
  }
  let best: string | undefined;
  let top = 0;
  for (const phrase of found.values()) {
    if (phrase.times < PHRASE.times || !phrase.isNoun) continue;
    let all = 0;
    for (let i = phrase.from; i < phrase.to; i++) all = Math.max(all, weights[lexicon.stems[form[i]!]!]!);
    const worth = (phrase.times * phrase.times * (phrase.to - phrase.from)) / (all + 3);
    if (worth <= top) continue;
    const text = writer.phrase(phrase.from, phrase.to);
    if (!taken.has(text.toLowerCase())) [best, top] = [text, worth];
  }
  return best;
}

/** Whether a word may be a part of a noun phrase. */
function isNominal(table: TokenTable, i: number): boolean {
  const { lexicon, form } = table;
  const bits = lexicon.bits[form[i]!]!;
  return isKept(table, i) && lexicon.stems[form[i]!]! >= 0 && !(bits & (WORD.verb | WORD.number | WORD.cue));
}
/**
 * A whole sentence of a part that is short enough for a title: the one that says most of what the part is about.
 *
 * @param taken titles in lower case that other parts have
 */
export async function titleSentenceOf(
  evidence: Evidence,
  topic: Stretch,
  writer: SummaryWriter,
  taken: ReadonlySet<string>,
  pause: Pause,
): Promise<string | undefined> {
  const { units, needs, weights } = evidence;
  const own = ownStems(units, topic);
  const unfit =
    UNIT.housekeeping | UNIT.announcement | UNIT.question | UNIT.verbless | UNIT.cutStart | UNIT.cutEnd;
  let best: string | undefined;
  let top = 0;
  for (let u = topic.from; u < topic.to; u++) {
    if ((u & 15) === 0) await pause();
    if (units.flags[u]! & unfit || needs[u] !== u || opensClause(evidence, u)) continue;
    if (contentOf(units, u) < FEWEST_CONTENT || units.words[u]! > LONGEST_TITLE / 4) continue;
    let worth = 0;
    for (const stem of new Set(stemsOf(units, u))) {
      const n = own.get(stem) ?? 0;
      worth += (n * n) / (weights[stem]! + 3);
    }
    worth *= evidence.priors[u]!;
    if (worth <= top) continue;
    const text = writer.write([u]).replace(/\.$/, '');
    if (text.length <= LONGEST_TITLE && !taken.has(text.toLowerCase())) [best, top] = [text, worth];
  }
  return best;
}

/** True for a sentence that begins with a condition or the like ("If you …"), which names nothing. */
export function opensClause({ table, units }: Evidence, u: number): boolean {
  return (table.lexicon.bits[table.form[units.from[u]!]!]! & WORD.dependent) > 0;
}

/** How often each stem occurs in a part. */
function ownStems(units: Units, { from, to }: Stretch): Map<number, number> {
  const own = new Map<number, number>();
  for (let u = from; u < to; u++)
    for (const stem of stemsOf(units, u)) own.set(stem, (own.get(stem) ?? 0) + 1);
  return own;
}

/** The beginning of a sentence as a title: whole where it is short, else up to a word that can end it. */
export function shortened(sentence: string, isLoose: (word: string) => boolean): string {
  const bare = capitalise(sentence.replace(/[.…]+$/, '').replace(/^…/, ''));
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

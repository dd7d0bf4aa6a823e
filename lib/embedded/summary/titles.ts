import { isKept } from './cleaning.js';
import { borderClass, WORD } from './lexicon.js';
import { type SummaryWriter } from './rendering.js';
import { type Evidence, type Stretch } from './selection.js';
import { type Pause, TOKEN, type TokenTable } from './token-table.js';
import { UNIT } from './units.js';

/** Classes of the words that stand before a noun phrase, and may stand inside it: `de`, `della`. */
const LINKS = new Set([borderClass('prepositions'), borderClass('determiners')]);

/** Words in a row that occur in a part: where they do first, how often, and whether they stand behind an article or a preposition once. */
interface Phrase {
  from: number;
  to: number;
  times: number;
  isNoun: boolean;
}

const QUOTE = /["„“”«»]/;

/** Most words of a noun phrase, and how often it occurs in its part at least. */
const PHRASE = { longest: 3, times: 2 };

/**
 * The noun phrase that a part says more often than the rest of the text: two or three words of which the first and
 * the last have content (`token bucket`, `fondo de emergencia`), none of them a verb, behind an article or a preposition at least once, and not the
 * first words of what is shown of the part.
 *
 * @param shown what is shown of the part
 * @param taken titles in lower case that other parts have
 */
export async function titlePhraseOf(
  { table, units, weights }: Evidence,
  { from, to }: Stretch,
  shown: string,
  writer: SummaryWriter,
  taken: ReadonlySet<string>,
  pause: Pause,
): Promise<string | undefined> {
  const { form, lexicon } = table;
  // Without word lists there is nothing to tell a noun by.
  if (!lexicon.language) return undefined;
  const found = new Map<string, Phrase>();
  for (let u = from; u < to; u++) {
    if ((u & 15) === 0) await pause();
    if (units.flags[u]! & UNIT.housekeeping) continue;
    for (let start = units.from[u]!; start < units.to[u]!; start++) {
      const isNoun = start > units.from[u]! && LINKS.has(lexicon.classes[form[start - 1]!]!);
      if (!isNominal(table, start)) continue;
      for (let end = start + 1; end < units.to[u]! && end - start < PHRASE.longest; end++) {
        if (table.mark[end - 1]! & (TOKEN.comma | TOKEN.stop)) break;
        if (!isNominal(table, end)) {
          if (!LINKS.has(lexicon.classes[form[end]!]!)) break;
          continue;
        }
        const to = end + 1;
        const stops = to === units.to[u] || (table.mark[end]! & (TOKEN.comma | TOKEN.stop)) > 0;
        const key = form.subarray(start, to).join(' ');
        const phrase = found.get(key) ?? { from: start, to, times: 0, isNoun: false };
        phrase.times++;
        // German writes nouns with a capital letter.
        const endsInNoun = lexicon.language !== 'de' || (table.mark[end]! & TOKEN.capital) > 0;
        phrase.isNoun ||= isNoun && endsInNoun && (stops || !isNominal(table, to));
        found.set(key, phrase);
      }
    }
  }
  let [best, top]: [string | undefined, number] = [undefined, 0];
  for (const phrase of found.values()) {
    if (!phrase.isNoun || phrase.times < PHRASE.times) continue;
    let all = 0;
    for (let i = phrase.from; i < phrase.to; i++) all = Math.max(all, weights[lexicon.stems[form[i]!]!] ?? 0);
    const worth = (phrase.times * phrase.times) / (all + 3);
    if (worth <= top) continue;
    const text = writer.phrase(phrase.from, phrase.to);
    const lower = text.toLowerCase();
    if (!taken.has(lower) && !QUOTE.test(text) && !shown.toLowerCase().startsWith(lower))
      [best, top] = [text, worth];
  }
  return best;
}

/** Whether a word may be a part of a noun phrase. */
function isNominal(table: TokenTable, i: number): boolean {
  const { lexicon, form } = table;
  const bits = lexicon.bits[form[i]!]!;
  return isKept(table, i) && lexicon.stems[form[i]!]! >= 0 && !(bits & (WORD.verb | WORD.numeral | WORD.cue));
}

/** The time of a part as its title: `12:45–18:20`. */
export const timeTitle = (startMs: number, endMs: number): string => `${clock(startMs)}–${clock(endMs)}`;

function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const tail = `${String(seconds % 60).padStart(2, '0')}`;
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
}

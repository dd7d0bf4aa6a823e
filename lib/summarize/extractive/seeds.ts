import { isKept } from './cleaning.js';
import { choose, coverageOf, type Evidence } from './selection.js';
import { type Pause } from './token-table.js';
import { UNIT } from './units.js';

/** Where a text says what it is about, and where it concludes: shares of its units, and the fewest units that are looked at. */
const BEGINNING = { share: 0.12, least: 8 };
const END = { share: 0.2, least: 6 };
/** Share of the budget that a seed may take. */
const MOST = 0.35;
/** What an announcement counts against naming one word of the title; what an opening must reach. */
const ANNOUNCEMENT = 1.5;
const LEAST = 1.5;

/** Chooses from the whole text, around the sentences that say what it is about and what it concludes. */
export function chooseFromAll(evidence: Evidence, maxWords: number, pause: Pause): Promise<number[]> {
  const stretch = { from: 0, to: evidence.units.count, maxWords, ...seedsOf(evidence, maxWords) };
  return choose(evidence, stretch, coverageOf(evidence), pause);
}

/** The sentences that a summary is built around. Either may be missing. */
interface Seeds {
  /** Says what the text is about; nothing that was said before it is chosen. */
  opening?: number;
  /** Of the last sentences, the one that draws a conclusion and says most. */
  conclusion?: number;
}

/**
 * Finds the sentences that a summary is built around: the one that says what the text is about, by the words of the title and by set phrases, and
 * of the last sentences the one that draws a conclusion.
 */
export function seedsOf(evidence: Evidence, maxWords: number): Seeds {
  const { units } = evidence;
  const begin = Math.min(
    Math.ceil(units.count / 3),
    Math.max(BEGINNING.least, Math.ceil(units.count * BEGINNING.share)),
  );
  let opening = -1;
  let top = 0;
  for (let u = 0; u < begin; u++) {
    // The first sentence has nothing before it to point back to.
    if (!isFit(evidence, u, maxWords) || evidence.needs[u] !== u) continue;
    const named = namedTopics(evidence, u);
    // In a conversation, "we're going to" is said of anything.
    const announces = units.flags[u]! & UNIT.announcement && !evidence.voices;
    const worth = named + (announces && (named > 0 || evidence.topic.size === 0) ? ANNOUNCEMENT : 0);
    const score = worth * units.wholeness[u]! ** 0.5 * (1 - (0.5 * u) / begin);
    if (worth >= LEAST && score > top) [opening, top] = [u, score];
  }
  const seeds: Seeds = opening < 0 ? {} : { opening };
  if (evidence.voices) return seeds;
  const end = Math.max(
    begin,
    Math.min(Math.floor(units.count * (1 - END.share)), units.count - END.least),
    opening + 1,
  );
  let conclusion = -1;
  for (let u = end; u < units.count; u++) {
    if (
      !(units.flags[u]! & UNIT.conclusion) ||
      units.flags[u]! & UNIT.question ||
      !isFit(evidence, u, maxWords)
    )
      continue;
    if (conclusion < 0 || units.content[u]! >= units.content[conclusion]!) conclusion = u;
  }
  return conclusion < 0 ? seeds : { ...seeds, conclusion };
}

function isFit({ units, needs }: Evidence, u: number, maxWords: number): boolean {
  const flags = units.flags[u]!;
  if (flags & (UNIT.housekeeping | UNIT.verbless) || needs[u]! < 0) return false;
  let words = 0;
  for (let k = needs[u]!; k <= u; k++) words += units.words[k]!;
  return words <= maxWords * MOST && units.words[u]! >= 6;
}

/** Different words of the title that a unit has. */
function namedTopics({ table, units, topic }: Evidence, u: number): number {
  const named = new Set<number>();
  for (let i = units.from[u]!; i < units.to[u]!; i++) {
    const stem = isKept(table, i) ? table.lexicon.stems[table.form[i]!]! : -1;
    if (topic.has(stem)) named.add(stem);
  }
  return named.size;
}

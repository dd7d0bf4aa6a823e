import type { Language } from '../../../core/text/index.js';
import { PLACE_PREPOSITIONS, TIME_WORDS } from '../answer-type.js';
import { CLAIM_WORDS } from '../claim-words.js';
import { voiceOf, type Claim, type ClaimWord } from '../claim.js';
import { areParaphrases } from '../paraphrases.js';
import type { Question } from '../question.js';
import { rolesOf } from '../word-order.js';
import type { Stated, StatedNames } from './stated.js';

/** Stand in small letters within a name: "Leonardo da Vinci". */
const PARTICLES = new Set('da de del della den der di du la le van von bin ibn'.split(' '));

interface NameRun {
  first: number;
  last: number;
}

/** Runs of names that are not in the question, nor months and days. */
function nameRuns(words: readonly ClaimWord[], asked: ReadonlySet<string>): NameRun[] {
  const isName = (w: ClaimWord | undefined): boolean =>
    !!w && !w.number && /^\p{Lu}/u.test(w.text) && !TIME_WORDS.has(w.lower);
  const runs: NameRun[] = [];
  for (let at = 0; at < words.length; at++) {
    if (!isName(words[at])) continue;
    const first = at;
    for (;;) {
      const isParticle = PARTICLES.has(words[at + 1]?.lower ?? '') && words[at + 1]!.adjacent;
      const next = isParticle ? at + 2 : at + 1;
      if (!words[next]?.adjacent || !isName(words[next])) break;
      at = next;
    }
    if (words.slice(first, at + 1).some((w) => asked.has(w.term))) continue;
    // A capital at the start of a sentence is a name only beside another one.
    if (first === 0 && at === 0 && !words[0]!.name) continue;
    runs.push({ first, last: at });
  }
  return runs;
}

/** Every name or place that is not in the question, whatever part it plays. */
export function namedIn(question: Question, { text, words }: Claim): Stated[] {
  const asked = new Set(question.tokens.map((t) => t.term));
  return nameRuns(words, asked).map((run) => namesOf(text, words, [run]));
}

/** Who did it, or to whom it was done: the names on the asked side of the asked verb. */
export function namesIn(question: Question, { text, words }: Claim, asked: ReadonlySet<string>): Stated[] {
  const { language } = question;
  const roles = language === 'en' ? rolesOf(question.tokens) : undefined;
  if (!roles) return [];
  const { verb } = roles;
  const verbAt = words.findIndex(
    (w) => w.term === verb.term || (!w.name && areParaphrases(w.term, verb.term, language)),
  );
  if (verbAt < 0) return [];
  const voice = voiceOf(words, verbAt, language);
  const { by } = CLAIM_WORDS[language];
  const wantsActor = !roles.subject;
  const runs = nameRuns(words, asked);
  const isActor = ({ first, last }: NameRun): boolean =>
    voice === 'passive'
      ? first > verbAt && words[first]!.lead.some((l) => by.has(l))
      : last < verbAt &&
        !words.slice(first + 1, verbAt + 1).some((w) => w.border) &&
        !isAdjunct(words[first]!, language);
  const isUndergoer = ({ first, last }: NameRun): boolean =>
    voice === 'passive' ? last < verbAt : first === verbAt + 1;
  const start = runs.findIndex(wantsActor ? isActor : isUndergoer);
  if (start < 0) return [];
  // "Neil Armstrong and Buzz Aldrin": members of a list are named together.
  const members = [runs[start]!];
  const goesOn = (a: NameRun, b: NameRun): boolean =>
    b.first === a.last + 1 && words[b.first]!.lead.every((l) => l === 'and' || by.has(l));
  for (let i = start; i > 0 && goesOn(runs[i - 1]!, runs[i]!); i--) members.unshift(runs[i - 1]!);
  for (let i = start; i + 1 < runs.length && goesOn(runs[i]!, runs[i + 1]!); i++) members.push(runs[i + 1]!);
  return [namesOf(text, words, members)];
}

function isAdjunct({ lead }: ClaimWord, language: Language): boolean {
  return lead.some((l) => CLAIM_WORDS[language].prepositions.has(l));
}

function namesOf(text: string, words: readonly ClaimWord[], runs: readonly NameRun[]): Stated & StatedNames {
  const named = runs.flatMap(({ first, last }) => words.slice(first, last + 1).map((w) => w.lower));
  return {
    kind: 'names',
    words: new Set(named),
    last: named.at(-1)!,
    text: text.slice(words[runs[0]!.first]!.at, words[runs.at(-1)!.last]!.end),
    at: runs[0]!.first,
  };
}

const COUNTRY_NAMES = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
let countries: ReadonlySet<string> | undefined;

function countryNames(): ReadonlySet<string> {
  if (!countries) {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const names = letters.flatMap((a) => letters.map((b) => COUNTRY_NAMES.of(a + b)?.toLowerCase() ?? ''));
    countries = new Set(names);
  }
  return countries;
}

/** Places that a preposition leads to; what follows behind a comma lies around it. */
export function placesIn({ text, words }: Claim, asked: ReadonlySet<string>): Stated[] {
  const runs = nameRuns(words, asked);
  const found: Stated[] = [];
  runs.forEach((run, i) => {
    if (!words[run.first]!.lead.some((l) => PLACE_PREPOSITIONS.has(l))) return;
    const next = runs[i + 1];
    const around = next && next.first === run.last + 1 && words[next.first]!.lead.length === 0 ? [next] : [];
    const named = namesOf(text, words, [run, ...around]);
    const own = words
      .slice(run.first, run.last + 1)
      .map((w) => w.lower)
      .join(' ');
    found.push({ ...named, places: countryNames().has(own) ? 'countries' : 'others' });
  });
  return found;
}

import { editDistance } from '../../../core/edit-distance.js';
import { readNames } from '../../../text/names.js';
import { type Language } from '../../../text/languages.js';
import { hasPlaceIn, type TranscriptIndex, type WordRange } from './transcript-index.js';

/** How the content supports a name. */
type NameSupport =
  /** It is said, also spelled letter by letter, by its initials, or in pieces. */
  | 'said'
  /** Something near is, or it is an acronym: captions write those in ways that cannot be foreseen. */
  | 'near'
  | 'absent';

/** Short names of states and their people, which speakers use in place of each other. */
const SAME: readonly (readonly string[])[] = [
  ['us', 'usa', 'america', 'american', 'americans', 'states'],
  ['uk', 'britain', 'british', 'england', 'kingdom'],
  ['eu', 'europe', 'european', 'europeans'],
];
const LONGEST_ACRONYM = 6;
/** A word in at most this many places may be a piece of a name that speech recognition did not know. */
const RARE = 30;
const MOST_FIRST_SOUNDS = 20_000;
/** The centuries and rulers of `siglo XIX` and `Luis XIV` are said as numbers. */
const ROMAN = /^[IVX]{2,}$/;
/** Words between the parts of a name: `Bank of England`. */
const INSIDE_NAME =
  /^(?:of|the|and|for|de|del|della|di|da|do|das|dos|des|du|der|und|y|e|et|la|le|les|los|las|&)$/i;

/**
 * The proper names of a statement, words that stand together as one. German writes every noun with a capital; there only words with a capital
 * or a digit inside count.
 */
export function namesIn(statement: string, language: Language): string[][] {
  const names: string[][] = [];
  let last = -1;
  for (const { text, start, end } of readNames(statement, language)) {
    if (ROMAN.test(text) || text.includes(' ')) continue;
    // "EU-weit" says nothing more than "EU".
    const word = text.replace(/-\p{Ll}.*$/u, '');
    const between = statement.slice(last, start).trim();
    if (last >= 0 && (between === '' || INSIDE_NAME.test(between))) names.at(-1)!.push(word);
    else names.push([word]);
    last = end;
  }
  return names;
}

/** Looks names up in a transcript. Results are cached, because the same names come again and again. */
export class NameFinder {
  private readonly places = new Map<string, { said: number[]; near: number[] }>();

  constructor(
    private readonly index: TranscriptIndex,
    /** Words that need no evidence: title, channel, chapter titles; in lower case. */
    private readonly known: ReadonlySet<string>,
  ) {}

  /** How a range supports the words of one name; the worst of them counts. */
  support(name: readonly string[], range: WordRange): NameSupport {
    const initials = name.map((word) => word[0]!.toLowerCase());
    if (name.length > 1 && this.isSaid(initials.join(''), range)) return 'said';
    let worst: NameSupport = 'said';
    for (const word of name) {
      const support = this.wordSupport(word, range);
      if (support === 'absent') return 'absent';
      if (support === 'near') worst = 'near';
    }
    return worst;
  }

  /** True when an acronym in lower case is said, as a word or letter by letter. */
  private isSaid(acronym: string, range: WordRange): boolean {
    return (
      this.index.hasWord(acronym, range) ||
      this.spelled(acronym).some((at) => at >= range.from && at < range.to)
    );
  }

  private wordSupport(word: string, range: WordRange): NameSupport {
    const lower = word.toLowerCase().replace(/['’]s$/, '');
    if (this.known.has(lower) || this.index.hasWord(lower, range)) return 'said';
    const { said, near } = this.lookUp(word.replace(/['’]s$/, ''));
    if (hasPlaceIn(said, range)) return 'said';
    if (hasPlaceIn(near, range) || isAcronym(word)) return 'near';
    return 'absent';
  }

  private lookUp(word: string): { said: number[]; near: number[] } {
    let found = this.places.get(word);
    if (!found) this.places.set(word, (found = this.search(word)));
    return found;
  }

  private search(word: string): { said: number[]; near: number[] } {
    const said: number[] = [];
    const near: number[] = [];
    const lower = word.toLowerCase();
    for (const same of SAME) {
      if (same.includes(lower)) near.push(...same.flatMap((other) => this.index.placesOf(other)));
    }
    if (isAcronym(word)) {
      const letters = word.replace(/[^\p{L}\p{N}]|(?<=\p{Lu})s$/gu, '').toLowerCase();
      said.push(...this.spelled(letters));
    }
    const parts = word
      .split(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|[-/.&]/u)
      .filter(Boolean);
    if (parts.length > 1) said.push(...this.inParts(parts));
    near.push(...this.alike(lower));
    return { said: said.sort((a, b) => a - b), near: near.sort((a, b) => a - b) };
  }

  /** Places of letters in a row: `n a s a`. */
  private spelled(letters: string): number[] {
    const { tokens } = this.index;
    if (letters.length < 2 || letters.length > LONGEST_ACRONYM) return [];
    return this.index
      .placesOf(letters[0]!)
      .filter((at) => [...letters].every((letter, i) => tokens[at + i] === letter));
  }

  /** Places of the first part of a joined name whose parts are said in a row: `open a i` for `OpenAI`. A number after it may be left out. */
  private inParts(parts: readonly string[]): number[] {
    const { tokens } = this.index;
    const spoken = parts.filter((part) => !/^\p{N}+$/u.test(part)).map((part) => part.toLowerCase());
    const [first] = spoken;
    if (first === undefined) return [];
    const starts = isAcronym(parts[0]!)
      ? [...this.index.placesOf(first), ...this.spelled(first)]
      : this.index.placesOf(first);
    return starts.filter((at) => {
      const said = tokens.slice(at, at + 12).join('');
      return said.startsWith(spoken.join(''));
    });
  }

  /** Places of words that sound alike, also in two pieces: `kuber netes`, `kiroga`. */
  private alike(word: string): number[] {
    const wanted = sound(word);
    const reach = wanted.length >= 8 ? 2 : wanted.length >= 5 ? 1 : 0;
    if (reach === 0) return [];
    const { tokens } = this.index;
    const begins = firstSound(word);
    const places: number[] = [];
    for (const candidate of this.index.vocabulary()) {
      if (Math.abs(candidate.length - word.length) > 3 || firstSound(candidate) !== begins) continue;
      if (editDistance(wanted, sound(candidate), reach) <= reach)
        places.push(...this.index.placesOf(candidate));
    }
    // Pieces of an unknown name are rare words themselves.
    for (let at = 0; at + 1 < tokens.length; at++) {
      const [one, two] = [tokens[at]!, tokens[at + 1]!];
      if (one.length < 2 || Math.abs(one.length + two.length - word.length) > 3 || firstSound(one) !== begins)
        continue;
      if (Math.min(this.index.placesOf(one).length, this.index.placesOf(two).length) > RARE) continue;
      if (editDistance(wanted, sound(one + two), reach) <= reach) places.push(at);
    }
    return places;
  }
}

/** Capitals only, up to six, a plural `s` and digits allowed. */
export function isAcronym(word: string): boolean {
  const letters = word.replace(/[^\p{L}]|(?<=\p{Lu})s$/gu, '');
  return letters.length >= 2 && letters.length <= LONGEST_ACRONYM && letters === letters.toUpperCase();
}

/** A word as speech recognition may have heard it: letters that sound alike are one. Accents and doubled letters are dropped. */
function sound(word: string): string {
  return word
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/ph/g, 'f')
    .replace(/[cs]h/g, 's')
    .replace(/ck|qu?|c|g(?=h)/g, 'k')
    .replace(/x/g, 'ks')
    .replace(/z/g, 's')
    .replace(/[yj]/g, 'i')
    .replace(/w/g, 'v')
    .replace(/h/g, '')
    .replace(/(.)\1+/g, '$1');
}

const firstSounds = new Map<string, string>();

/** The sound that a word begins with. */
function firstSound(word: string): string {
  const letters = word.slice(0, 3);
  let first = firstSounds.get(letters);
  if (first === undefined) {
    first = sound(letters)[0] ?? '';
    if (firstSounds.size < MOST_FIRST_SOUNDS) firstSounds.set(letters, first);
  }
  return first;
}

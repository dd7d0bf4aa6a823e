import { sentencesOf } from '../../../text/sentences.js';
import type { Language } from '../../../text/languages.js';
import {
  parseEntry,
  parseItem,
  splitTitle,
  tidy,
  toSecond,
  withoutMarks,
  withPlainMarks,
  type Entry,
} from './entries.js';
import { isMarkedHeading, isOrnament, isTitleLike, partNamed, type ListPart, type Part } from './headings.js';
import { entryOf, isEntryField, kindOf, readJsonEntries } from './json-entries.js';

/** A statement as a model proposes it, not checked yet. */
export interface ProposedPoint {
  claim: string;
  /** Second that the model names. */
  second?: number;
  /** Words that the model says are in the transcript. */
  quote?: string;
}

/** A section as a model proposes it. */
export interface ProposedSection {
  /** Undefined where the model named no time that could be read. */
  second?: number;
  title: string;
  summary: string;
}

/** A written answer taken apart. */
interface WrittenSummary {
  /** The prose; paragraphs are separated by an empty line. */
  text: string;
  keyPoints: ProposedPoint[];
  sections: ProposedSection[];
  /** Statements that were seen and not said. */
  seen: ProposedPoint[];
}

/** More than this in one list is no selection. */
const MOST_ENTRIES = 40;
const LONGEST_ANSWER = 200_000;
/** Words of a sentence that is taken for a point. */
const FEWEST_WORDS = 4;
/** In this order lists come that have no name that is known. */
const ORDER: readonly Part[] = ['text', 'points', 'sections', 'picture'];

/**
 * Takes an answer to the write prompt apart; whatever the model left out is empty. It expects prose and then lists, and accepts what
 * models make of it: headings in any language, none at all, tables, code fences, a JSON object. Linear, never throws.
 */
export function parseWritten(answer: string): WrittenSummary {
  const json = jsonOf(answer);
  if (json !== undefined) {
    const reader = new WrittenReader();
    readJsonEntries(json, reader);
    if (!reader.isBlank) return reader.end();
  }
  const reader = new WrittenReader();
  for (const line of answer.split('\n')) reader.line(line);
  return reader.end();
}

/** The readable parts of an answer to the map prompt. */
interface ParsedPoints {
  points: ProposedPoint[];
  /** `prose` when the model ignored the form: each of its sentences is a proposal without second and quotation. */
  form: 'json' | 'lines' | 'prose';
}

/**
 * Reads the points of a part: JSON however it departs from the form that was asked for, lines with a time or a quotation, or plain sentences.
 * Linear, never throws.
 *
 * @param language of the answer, where it is known
 */
export function parsePoints(answer: string, language?: Language): ParsedPoints {
  const text = answer.slice(0, LONGEST_ANSWER);
  const reader = new WrittenReader();
  readJsonEntries(text, reader, 'points');
  const { keyPoints } = reader.end();
  if (keyPoints.length > 0) return { points: keyPoints, form: 'json' };
  const lineReader = new WrittenReader('points');
  for (const line of text.split('\n')) lineReader.line(line);
  const lines = lineReader.end().keyPoints.filter(({ second, quote }) => (second ?? quote) !== undefined);
  if (lines.length > 0) return { points: lines, form: 'lines' };
  const sentences = sentencesOf(text, language && { language })
    .map((sentence) => pointOf(parseItem(sentence)).claim)
    .filter((claim) => claim.split(/\s+/).length >= FEWEST_WORDS);
  return { points: sentences.slice(0, MOST_ENTRIES).map((claim) => ({ claim })), form: 'prose' };
}

/** The part of an answer that is JSON as a whole, but for a code fence or a line of talk before it; undefined for others. */
function jsonOf(answer: string): string | undefined {
  const text = answer.trimStart();
  if (/^"\s{0,20}\{/.test(text)) {
    // An object inside of a string.
    try {
      return JSON.parse(text) as string;
    } catch {
      return undefined;
    }
  }
  return /^(?:(?:[^\n]{0,300}\n+)?(?:`{3,}[\w-]*\s*)?\{|(?:`{3,}[\w-]*\s*)?\[)/.test(text.slice(0, 400))
    ? text
    : undefined;
}

function pointOf({ text, title, quote, second }: Entry): ProposedPoint {
  const claim = text.replace(/\s\|\s/g, ' ') || title || quote || '';
  return { claim, second, quote };
}

function sectionOf({ text, title = '', second }: Entry): ProposedSection {
  return { second, title, summary: text };
}

/**
 * Tags that models set around the parts of an answer and their entries, without a name where they are what a talk is about: "`<q>` quotes",
 * "the tag <p> begins a paragraph".
 */
const TAGS =
  /`[^`\n]*`|(?<=[^\s>] )<\/?(?:p|ul|ol|li|h[1-6]|div)>(?= [^\s<])|<(\/?)(answer|output|response|result|summary|overview|key_?-?points?|points?|sections?|chapters?|picture|items?|title|quote|q|time|text|claim|p|ul|ol|li|h[1-6]|div)((?:\s[^<>\n]{0,200})?)>/gi;
const ELEMENT = /<([a-z_]{1,20})>([^<>]*)<\/\1>/gi;

/**
 * The lines that a line with tags stands for: a tag that names a part is its heading, one that names a time begins an entry. Elements are
 * fields where the line holds nothing else.
 */
function withoutTags(line: string): string[] {
  const holdsFields = !/[^\s<>]/.test(line.replace(ELEMENT, '').replace(TAGS, ''));
  const lines = (
    holdsFields
      ? line.replace(ELEMENT, (element, name: string, value: string) =>
          isEntryField(name.toLowerCase(), value) ? `\n${name.toLowerCase()}: ${value}\n` : element,
        )
      : line
  )
    .replace(TAGS, (tag, closes: string, name: string | undefined, attributes: string) => {
      if (name === undefined) return tag;
      const lower = name.toLowerCase();
      if (lower === 'title') return closes ? ' | ' : '';
      if (lower === 'quote' || lower === 'q') return '"';
      if (lower === 'li') return closes ? '' : '\n- ';
      if (/^(?:p|ul|ol|h\d)$/.test(lower)) return '\n';
      if (closes) return '';
      const time = /=\s?["']?(\d{1,6}(?::\d{2}){0,2})/.exec(attributes)?.[1];
      if (time !== undefined) return `\n- [${time}] `;
      return partNamed(name) && lower !== 'text' ? `\n${name}\n` : '';
    })
    .split('\n')
    .map((one) => one.trimEnd());
  return lines.some(Boolean) ? lines.filter((one) => one !== '') : [];
}

/** Reads a written answer line by line. What belongs to the prose is told at once, so that it can be streamed. */
export class WrittenReader {
  /** The part that the next line belongs to, as far as can be told. */
  part: Part;
  private readonly prose: string[] = [];
  private readonly lists: Record<ListPart, Entry[]> = { points: [], sections: [], picture: [] };
  /** A line that is a heading if a list or a paragraph follows, and prose otherwise. */
  private undecided: string | undefined;
  /** The entry that the next line may go on with. */
  private last: Entry | undefined;
  /** Its fields that stood on lines of their own. */
  private fields: Record<string, string> = {};
  private numbered = 0;
  /** A heading of a name that is not known stood before: of the next list, or of a group inside of this one. */
  private divided = false;

  /** @param only the part that the answer consists of, whatever its headings say */
  constructor(private readonly only?: ListPart) {
    this.part = only ?? 'text';
  }

  /** @returns the prose that is certain with this line, with the line breaks before it; empty for a line of a list */
  line(raw: string): string {
    const before = this.prose.length;
    this.read(raw);
    return this.prose.slice(before).join('\n');
  }

  /** The line that waited for what follows, where prose is certain to follow; undefined when none waited. */
  settled(): string | undefined {
    const before = this.prose.length;
    this.settle();
    return this.prose.length > before ? this.prose.slice(before).join('\n') : undefined;
  }

  /** True for a line that is certain to be prose although its end has not come yet. */
  isProse(begin: string): boolean {
    return (
      this.part === 'text' &&
      /^\s*["'«“„¿¡]?\p{Lu}[\p{L}\p{M}'’]*[\s,]/u.test(begin) &&
      !/:/.test(begin.slice(0, 60)) &&
      !(this.isEmpty && isPreamble(begin)) &&
      begin.trim().split(/\s+/).length > 3
    );
  }

  /** The answer is complete. */
  end(): WrittenSummary {
    this.endProse();
    const text = this.prose
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
    const most = (list: readonly Entry[]): Entry[] => list.slice(0, MOST_ENTRIES);
    const { points, sections, picture } = this.lists;
    const says = ({ claim }: ProposedPoint): boolean => claim !== '';
    return {
      text,
      keyPoints: most(points).map(pointOf).filter(says),
      sections: most(sections).map(sectionOf),
      seen: most(picture).map(pointOf).filter(says),
    };
  }

  /** True while nothing was read. */
  get isBlank(): boolean {
    return this.isEmpty && ORDER.every((part) => part === 'text' || this.lists[part].length === 0);
  }

  /** Reads the text of a field, which may hold lists of its own. */
  addProse(text: string): void {
    this.part = 'text';
    this.prose.push('');
    for (const line of text.split('\n')) this.line(line);
    this.endProse();
  }

  addEntry(part: ListPart, entry: Entry): void {
    const titled = part === 'sections' && entry.title === undefined;
    const { title, summary } = titled ? splitTitle(entry) : { title: entry.title, summary: entry.text };
    this.lists[part].push((this.last = { ...entry, title, text: summary }));
    this.fields = {};
  }

  /** A last line without the end of a sentence is a word count, a note or a heading without its list. */
  private endProse(): void {
    if (this.undecided !== undefined && this.isEmpty) this.prose.push(this.undecided);
    this.undecided = undefined;
  }

  private read(raw: string): void {
    const line = withPlainMarks(raw);
    for (const one of line.includes('<') ? withoutTags(line) : [line]) this.readLine(one);
  }

  private readLine(raw: string): void {
    const line = raw.trimEnd();
    if (line.trim() === '') {
      if (this.part === 'text' && this.undecided === undefined) this.prose.push('');
      if (!this.awaitsText) this.last = undefined;
      return;
    }
    if (isOrnament(line)) return;
    const entry = parseEntry(line);
    const named = this.headingOf(line, entry);
    if (named) {
      this.undecided = undefined;
      this.last = undefined;
      this.divided = named === 'unknown' && !this.only;
      if (named !== 'unknown') this.part = this.only ?? named;
      return;
    }
    if (this.part === 'text') this.proseLine(line, entry);
    else this.listLine(line, entry);
  }

  /** The part that a line begins where it is a heading. */
  private headingOf(line: string, entry: Entry | undefined): Part | 'unknown' | undefined {
    const isEntry = entry?.second !== undefined || entry?.quote !== undefined;
    // `timestamp: 8` names a part too.
    if (isEntry || (this.part !== 'text' && fieldOf(line))) return undefined;
    const name = line.replace(/^\s*[-*•]\s+/, '');
    const part = partNamed(name);
    if (part && isTitleLike(name)) return part;
    return this.part !== 'text' && isMarkedHeading(line) && !entry?.listed ? 'unknown' : undefined;
  }

  private proseLine(line: string, entry: Entry | undefined): void {
    if (entry && this.beginsList(line, entry)) {
      this.undecided = undefined;
      this.part = 'points';
      this.add(entry);
      return;
    }
    const label = /^\s*(?:[*_]{0,3})([\p{L};/ ]{3,40})(?:[*_]{0,3}):(?:[*_]{0,3})\s+(\S.*)$/u.exec(
      line.slice(0, 2000),
    );
    if (label && partNamed(label[1]!) === 'text') {
      return this.sentenceLine(line.slice(line.indexOf(label[2]!)));
    }
    const wrapped = this.undecided;
    if (wrapped !== undefined && /^\s*\p{Ll}/u.test(line) && !isMarkedHeading(wrapped)) {
      this.undecided = undefined;
      return this.sentenceLine(`${wrapped} ${line.trim()}`);
    }
    this.settle();
    if (isMarkedHeading(line) || isTitleLike(line) || (this.isEmpty && isPreamble(line)))
      this.undecided = line;
    else this.sentenceLine(line);
  }

  /** Prose follows: a line that stands alone before it is a title or a heading at the beginning, and where it is marked as one. */
  private settle(): void {
    if (this.undecided !== undefined && !this.isEmpty && !isMarkedHeading(this.undecided))
      this.prose.push(this.undecided);
    this.undecided = undefined;
  }

  private sentenceLine(line: string): void {
    const number = /^\s*(\d{1,2})[.)]\s+/.exec(line);
    // "12. May" opens a sentence; a list of sentences counts from one.
    const counts = number !== null && Number(number[1]) === this.numbered + 1;
    if (counts) this.numbered++;
    const text = line.replace(counts ? /^\s*\d{1,2}[.)]\s+/ : /^\s*(?:[-*•–·▪►‣>+◦]\s+|#{1,6}\s+)/, '');
    const before = this.prose.at(-1);
    // A line that was wrapped goes on in the next.
    if (before && /^\s*\p{Ll}/u.test(text) && !/[.!?:…]$/.test(before))
      this.prose[this.prose.length - 1] = `${before} ${text.trim()}`;
    else this.prose.push(text);
  }

  /** A time or a quotation at a bullet, or a time in brackets at the beginning of a line. */
  private beginsList(line: string, { second, quote, listed }: Entry): boolean {
    if (second !== undefined) return listed === true || /^\s*[*_]{0,3}[[(【]/.test(line);
    return listed === true && quote !== undefined;
  }

  private listLine(line: string, entry: Entry | undefined): void {
    const field = fieldOf(line);
    if (field && this.fieldLine(field)) return;
    const isWhole = this.last?.quote !== undefined && entry?.quote !== undefined && entry.text !== '';
    const goesOn = !isWhole && (this.awaitsText || /^\s{2,}/.test(line) || /^["“„«]/.test(line));
    if (this.last && goesOn && entry?.second === undefined) this.goOn(this.last, line, entry);
    else if (entry) {
      this.add(entry);
      if (field) this.fields = { [field.name]: field.value };
    }
  }

  /**
   * A field of an entry on a line of its own, as in YAML: `- time: 8`, then `  point: …`.
   * @returns false for a line that may as well be an entry with a colon in it, such as `- Summary: The rain stops.`
   */
  private fieldLine({ name, value, plain, begins }: Field): boolean {
    const kind = kindOf(name);
    const kinds = Object.keys(this.fields).map(kindOf);
    const isNamed = [kind, ...kinds].some((one) => one === 'second' || one === 'quote');
    // Prose has no time and no quotation before a colon, and an entry has one text.
    const goesOn = !begins || (kinds.length > 0 && (plain || (isNamed && !kinds.includes(kind))));
    if (!this.last || !goesOn || Object.hasOwn(this.fields, name)) {
      if (!plain && toSecond(value) === undefined) return false;
      this.open({ text: '' });
    }
    this.fields[name] = value;
    const { text, second, quote, title } = entryOf(this.fields, this.part as ListPart) ?? { text: '' };
    const last = this.last!;
    last.text = text || last.text;
    last.second = second ?? last.second;
    last.quote = quote ?? last.quote;
    last.title = title ?? last.title;
    return true;
  }

  /** A second line of the entry before: its quotation, or what it says after its title. */
  private goOn(last: Entry, line: string, entry: Entry | undefined): void {
    const { text, quote } = entry ?? parseItem(line.trim());
    last.quote ??= quote;
    if (this.part === 'sections' && last.title === '' && last.text === '') last.title = text;
    else if (this.part === 'sections' || !/[.!?…]$/.test(last.text)) last.text = tidy(`${last.text} ${text}`);
  }

  private add(entry: Entry): void {
    // A time alone is that of a title whose words come on the next line.
    if (entry.text || entry.quote || entry.second !== undefined) this.open(entry);
  }

  private open(entry: Entry): void {
    if (this.divided && !belongsTo(this.part, entry)) this.part = next(this.part);
    this.divided = false;
    if (this.part !== 'text') this.addEntry(this.part, entry);
  }

  /** True below a title that stands on a line as a heading does, without a bullet. */
  private get awaitsText(): boolean {
    return this.part === 'sections' && this.last?.text === '' && !this.last.listed && !!this.last.title;
  }

  private get isEmpty(): boolean {
    return this.prose.every((line) => line === '');
  }
}

interface Field {
  name: string;
  value: string;
  /** The name is written as in data, without capitals. */
  plain: boolean;
  /** The line may begin an entry: it has a bullet or a capital, and is not indented. */
  begins: boolean;
}

function fieldOf(line: string): Field | undefined {
  const match = /^(\s*(?:(?:[-*•]|\d{1,2}[.)])\s+)?)["']?([a-z][a-z_ ]{0,15})["']?:\s+(\S.*)$/i.exec(
    withoutMarks(line.slice(0, 2000)),
  );
  if (!match) return undefined;
  const [, before, written] = match as unknown as [string, string, string];
  const name = written.toLowerCase().replace(/ /g, '_');
  const value = match[3]!.replace(/^[*_]?["'“„«](.*)["'”“»][*_]?$/, '$1');
  if (!isEntryField(name, value)) return undefined;
  const plain = name === written;
  const begins = !/^\s/.test(before) && (before !== '' || !plain);
  // "- Source: The river feeds the wheel." is a statement of its own.
  if (before !== '' && begins && !plain && kindOf(name) === 'quote' && value === match[3]) return undefined;
  return { name, value, plain, begins };
}

function next(part: Part): Part {
  return ORDER[Math.min(ORDER.indexOf(part) + 1, ORDER.length - 1)]!;
}

/** True for an entry of the form that was asked for in a list. */
function belongsTo(part: Part, { quote, text }: Entry): boolean {
  return part === 'points' ? quote !== undefined : part === 'sections' && text.includes('|');
}

/** "Here is the summary:" */
function isPreamble(line: string): boolean {
  return /:[*_\s]*$/.test(line.slice(-8)) && line.length < 300;
}

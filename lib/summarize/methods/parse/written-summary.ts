import { isRecord } from '../../../core/schema.js';
import { readLenientJson } from '../../../model/lenient-json.js';
import { parseEntry, splitTitle, tidy, toSecond, withoutMarks, type Entry } from './entries.js';
import { isMarkedHeading, isOrnament, isTitleLike, partNamed, type Part } from './headings.js';
import type { ProposedPoint } from './point.js';
import { CLAIM, fieldsNamed, pointOf, QUOTE, SECOND } from './points.js';

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
const MOST_ENTRIES = 60;
/** In this order lists come that have no name that is known. */
const ORDER: readonly Part[] = ['text', 'points', 'sections', 'picture'];

/**
 * Takes an answer to the write prompt apart; whatever the model left out is empty. It expects prose and then lists, and accepts what
 * models make of it: headings in any language, none at all, tables, code fences, a JSON object. Linear, never throws.
 */
export function parseWritten(answer: string): WrittenSummary {
  const json = fromJson(answer);
  if (json) return json;
  const reader = new WrittenReader();
  for (const line of answer.split('\n')) reader.line(line);
  return reader.end();
}

/** Names of fields on lines of their own. */
const FIELDS: ReadonlyMap<string, 'second' | 'claim' | 'quote' | 'title'> = new Map([
  ...SECOND.map((name) => [name, 'second'] as const),
  ...CLAIM.map((name) => [name, 'claim'] as const),
  ...QUOTE.map((name) => [name, 'quote'] as const),
  ...['title', 'heading', 'name'].map((name) => [name, 'title'] as const),
]);

/** Tags that models set around the parts of an answer and their entries. Other tags may be what a talk is about. */
const TAG =
  /<(\/?)(answer|output|response|result|summary|overview|key_?-?points?|points?|sections?|chapters?|picture|items?|title|quote|time|text|claim|p|ul|ol|li|h[1-6]|div)((?:\s[^<>\n]{0,200})?)>/i;
const TAGS = new RegExp(TAG.source, 'gi');

/** The lines that a line with tags stands for: a tag that names a part is its heading, one that names a time begins an entry. */
function withoutTags(line: string): string[] {
  const lines = line
    .replace(TAGS, (_tag, closes: string, name: string, attributes: string) => {
      const lower = name.toLowerCase();
      if (lower === 'title') return closes ? ' | ' : '';
      if (lower === 'quote') return '"';
      if (lower === 'li') return closes ? '' : '\n- ';
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
  part: Part = 'text';
  private readonly prose: string[] = [];
  private readonly written: Omit<WrittenSummary, 'text'> = { keyPoints: [], sections: [], seen: [] };
  /** A line that is a heading if a list or a paragraph follows, and prose otherwise. */
  private undecided: string | undefined;
  /** The entry that the next line may go on with. */
  private last: ProposedPoint | ProposedSection | undefined;
  private numbered = 0;

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
    // A last line without the end of a sentence is a word count, a note or a heading without its list.
    if (this.undecided !== undefined && this.isEmpty) this.prose.push(this.undecided);
    this.undecided = undefined;
    // Fields that named no statement.
    this.written.keyPoints = this.written.keyPoints.filter(({ claim }) => claim !== '');
    this.written.seen = this.written.seen.filter(({ claim }) => claim !== '');
    const text = this.prose
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
    return { text, ...this.written };
  }

  private read(raw: string): void {
    if (raw.includes('<') && TAG.test(raw)) for (const line of withoutTags(raw)) this.readLine(line);
    else this.readLine(raw);
  }

  private readLine(raw: string): void {
    const line = raw.trimEnd();
    if (line.trim() === '') {
      if (this.part === 'text' && this.undecided === undefined) this.prose.push('');
      this.last = undefined;
      return;
    }
    if (isOrnament(line)) {
      // The line of dashes in a table says that the row before it was the head.
      if (line.trimStart().startsWith('|')) this.dropLast();
      return;
    }
    const entry = parseEntry(line);
    const named = this.headingOf(line, entry);
    if (named) {
      this.undecided = undefined;
      this.last = undefined;
      this.part = named;
      // "Summary: The harbour …" on one line
      return;
    }
    if (this.part === 'text') this.proseLine(line, entry);
    else this.listLine(line, entry);
  }

  /** The part that a line begins where it is a heading. */
  private headingOf(line: string, entry: Entry | undefined): Part | undefined {
    const isEntry = entry?.second !== undefined || entry?.quote !== undefined;
    if (isEntry) return undefined;
    const name = line.replace(/^\s*[-*•]\s+/, '');
    const part = partNamed(name);
    if (part && isTitleLike(name)) return part;
    // A heading of a name that is not known ends a list.
    if (this.part !== 'text' && isMarkedHeading(line) && !entry?.listed) return next(this.part);
    return undefined;
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
      // Text before the answer is not part of it.
      if (/^final answer$/i.test(label[1]!.trim())) this.prose.length = 0;
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
    if (second !== undefined) return listed || /^\s*[*_]{0,3}[[(【]/.test(line);
    return listed && quote !== undefined;
  }

  private listLine(line: string, entry: Entry | undefined): void {
    if (this.fieldLine(line)) return;
    const goesOn = /^\s{2,}/.test(line) || /^["“„«]/.test(line);
    if (this.last && goesOn && entry?.second === undefined) this.goOn(line, entry);
    else if (entry) this.add(entry);
  }

  /** A field of an entry on a line of its own, as in YAML: `- time: 8`, then `  point: …`. */
  private fieldLine(line: string): boolean {
    const match = /^(\s*(?:[-*•]\s+)?)["']?([a-z_]{1,16})["']?:\s+(\S.*)$/.exec(line.slice(0, 2000));
    const field = match && FIELDS.get(match[2]!);
    if (!match || !field) return false;
    const value = match[3]!.replace(/^["'](.*)["']$/, '$1');
    if (/\S/.test(match[1]!) || !this.last) {
      if (field === 'second' ? toSecond(value) === undefined : field === 'quote') return false;
      const isSection = this.part === 'sections';
      this.last = isSection ? { title: '', summary: '' } : { claim: '' };
      if (isSection) this.written.sections.push(this.last as ProposedSection);
      else this.written[this.part === 'picture' ? 'seen' : 'keyPoints'].push(this.last as ProposedPoint);
    }
    const { last } = this;
    const second = field === 'second' ? toSecond(value) : undefined;
    if (second !== undefined) last.second = second;
    else if ('claim' in last) {
      if (field === 'quote') last.quote = tidy(value);
      else last.claim = tidy(`${last.claim} ${withoutMarks(value)}`);
    } else if (field === 'title' || (field === 'claim' && last.title === ''))
      last.title = tidy(withoutMarks(value));
    else last.summary = tidy(withoutMarks(value));
    return true;
  }

  /** A second line of the entry before: its quotation, or what it says after its title. */
  private goOn(line: string, entry: Entry | undefined): void {
    const last = this.last!;
    const { text, quote } = entry ?? parseEntry(`- ${line.trim()}`)!;
    if (!('claim' in last)) {
      if (last.title === '' && last.summary === '') last.title = text;
      else last.summary = tidy(`${last.summary} ${text}`);
    } else {
      if (quote !== undefined) last.quote ??= quote;
      if (text !== '' && !/[.!?…]$/.test(last.claim)) last.claim = tidy(`${last.claim} ${text}`);
    }
  }

  private add(entry: Entry): void {
    const { keyPoints, sections, seen } = this.written;
    const { second, text, quote } = entry;
    const time = second === undefined ? {} : { second };
    if (this.part === 'sections') {
      // A time alone is a title's, whose words come on the next line.
      if (sections.length < MOST_ENTRIES && (text !== '' || second !== undefined))
        sections.push((this.last = { ...time, ...splitTitle(entry) }));
      return;
    }
    const list = this.part === 'picture' ? seen : keyPoints;
    const claim = text.replace(/\s\|\s/g, ' ') || quote || '';
    if ((claim || second !== undefined) && list.length < MOST_ENTRIES)
      list.push((this.last = { claim, ...time, ...(quote === undefined ? {} : { quote }) }));
  }

  private dropLast(): void {
    const { keyPoints, sections, seen } = this.written;
    for (const list of [keyPoints, sections, seen]) if (list.at(-1) === this.last) list.pop();
    this.last = undefined;
  }

  private get isEmpty(): boolean {
    return this.prose.every((line) => line === '');
  }
}

function next(part: Part): Part {
  return ORDER[Math.min(ORDER.indexOf(part) + 1, ORDER.length - 1)]!;
}

/** "Here is the summary:" */
function isPreamble(line: string): boolean {
  return /:[*_\s]*$/.test(line.slice(-8)) && line.length < 300;
}

/** An answer that is a JSON object, whatever its fields are called; undefined for others. */
function fromJson(answer: string): WrittenSummary | undefined {
  const inner = encodedString(answer.trim());
  if (inner !== undefined) return fromJson(inner);
  const begin = answer.search(/\S/);
  const fence = /^(?:`{3,}[\w-]*\s*)?[{[]/.exec(answer.slice(begin, begin + 40));
  const preamble = fence
    ? undefined
    : /^[^\n]{0,300}\n+(?:`{3,}[\w-]*\s*)?\{/.exec(answer.slice(begin, begin + 400));
  if (!fence && !preamble) return undefined;
  const written: WrittenSummary = { text: '', keyPoints: [], sections: [], seen: [] };
  for (const value of readLenientJson(answer)) collect(value, undefined, written, 0);
  if (written.text === '' && written.keyPoints.length + written.sections.length === 0) return undefined;
  return written;
}

/** The object inside an answer that is one JSON string. */
function encodedString(answer: string): string | undefined {
  if (!/^"\s{0,20}\{/.test(answer)) return undefined;
  try {
    const value: unknown = JSON.parse(answer);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Puts what a field holds where its name says. */
function collect(value: unknown, part: Part | undefined, written: WrittenSummary, depth: number): void {
  if (depth > 4) return;
  if (typeof value === 'string') {
    if (/^\s{0,20}\{\s{0,20}"/.test(value)) {
      for (const inner of readLenientJson(value)) collect(inner, part, written, depth + 1);
      return;
    }
    if (part === undefined || part === 'text') addProse(value, written);
    else addItem(value, part, written);
  } else if (Array.isArray(value)) {
    for (const item of value.slice(0, MOST_ENTRIES)) {
      if (part && part !== 'text' && (typeof item === 'string' || isRecord(item)))
        addItem(item, part, written);
      else collect(item, part, written, depth + 1);
    }
  } else if (isRecord(value)) {
    // `{"type": "key_points", "items": […]}`
    const typed = typeof value['type'] === 'string' ? partNamed(value['type']) : undefined;
    if (typed) {
      for (const [name, field] of Object.entries(value))
        if (name !== 'type') collect(field, typed, written, depth + 1);
      return;
    }
    for (const [name, field] of Object.entries(value)) {
      const named =
        partNamed(name) ?? (typeof field === 'string' ? (isProse(field) ? 'text' : undefined) : part);
      if (named !== undefined || typeof field === 'object') collect(field, named, written, depth + 1);
    }
  }
}

function addProse(text: string, written: WrittenSummary): void {
  const inner = new WrittenReader();
  for (const line of text.split('\n')) inner.line(line);
  const { text: prose, keyPoints, sections, seen } = inner.end();
  written.text = [written.text, prose].filter(Boolean).join('\n\n');
  written.keyPoints.push(...keyPoints);
  written.sections.push(...sections);
  written.seen.push(...seen);
}

function addItem(
  item: string | Record<string, unknown>,
  part: Exclude<Part, 'text'>,
  written: WrittenSummary,
): void {
  if (part === 'sections') {
    const section = typeof item === 'string' ? sectionOfLine(item) : sectionOf(item);
    if (section) written.sections.push(section);
    return;
  }
  const point = typeof item === 'string' ? pointOfLine(item) : pointOf(item);
  if (point) (part === 'points' ? written.keyPoints : written.seen).push(point);
}

function pointOfLine(line: string): ProposedPoint | undefined {
  const { text, second, quote } = parseEntry(`- ${line}`)!;
  const claim = text || quote;
  if (!claim) return undefined;
  return { claim, ...(second === undefined ? {} : { second }), ...(quote === undefined ? {} : { quote }) };
}

function sectionOfLine(line: string): ProposedSection | undefined {
  const entry = parseEntry(`- ${line}`)!;
  return { ...(entry.second === undefined ? {} : { second: entry.second }), ...splitTitle(entry) };
}

function sectionOf(item: Record<string, unknown>): ProposedSection | undefined {
  const text = (...names: string[]): string | undefined =>
    fieldsNamed(item, names).find(
      (value): value is string => typeof value === 'string' && value.trim() !== '',
    );
  const title = text('title', 'heading', 'name', 'chapter', 'titel', 'titre', 'título', 'titolo');
  const summary = text('summary', 'description', 'text', 'sentence', 'content', 'details');
  if (!title && !summary) return undefined;
  const second = fieldsNamed(item, [...SECOND, 'begin'])
    .map(toSecond)
    .find((value) => value !== undefined);
  return {
    ...(second === undefined ? {} : { second }),
    title: tidy(withoutMarks(title ?? '')),
    summary: tidy(withoutMarks(summary ?? '')),
  };
}

/** A field that holds sentences; ids, languages and counts are short. */
function isProse(text: string): boolean {
  return text.trim().split(/\s+/).length >= 8;
}

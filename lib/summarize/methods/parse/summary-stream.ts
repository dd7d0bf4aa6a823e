import { sentencesOf } from '../../../text/sentences.js';
import { type Language } from '../../../text/languages.js';
import type { SentenceChecker } from '../verify/check-sentences.js';
import { WrittenReader } from './written-summary.js';

/** A line is not streamed any further if no sentence has ended after this many characters. */
const LONGEST_SENTENCE = 2000;
/** Characters of a line that tell whether it is prose. */
const LINE_START = 200;

/**
 * Passes on the summary while it is written: sentence by sentence, checked as the whole will be, without headings and lists. What the
 * caller gets in the end may differ, for some checks need the whole. Linear.
 */
export class SummaryStream {
  private readonly reader = new WrittenReader();
  /** The rest of the current line that was not passed on yet, and how the line begins. */
  private line = '';
  private lineStart = '';
  /** True once a sentence of the line has been passed on. */
  private inProse = false;
  /** True when the end of a sentence may stand in the line. */
  private marked = false;
  /** True once a sentence has been passed on. */
  private started = false;
  private stopped = false;
  /** Sentences that may or may not be about the content; more text will tell. */
  private held = '';
  private gap = '';
  private words = 0;

  /**
   * @param emit takes each piece
   * @param language that the summary is written in
   * @param mostWords after which nothing is passed on
   */
  constructor(
    private readonly emit: (text: string) => void,
    private readonly sentences: Pick<SentenceChecker, 'check' | 'begins'>,
    private readonly language: Language,
    private readonly mostWords = Infinity,
  ) {}

  push(delta: string): void {
    if (this.stopped) return;
    const lines = delta.split('\n');
    this.add(lines[0]!);
    for (const next of lines.slice(1)) {
      this.endLine();
      this.add(next);
    }
    // Whether a mark ends a sentence is told by what follows it.
    this.marked ||= /[.!?…]/.test(delta);
    if (this.marked || this.line.length > LONGEST_SENTENCE) this.passSentences();
  }

  /**
   * The answer is over.
   * @param complete false: it was cut, and what is left of the last line may be half a sentence
   */
  end(complete = true): void {
    if (!this.stopped && this.line !== '' && complete) this.endLine();
    this.stopped = true;
  }

  private add(text: string): void {
    this.line += text;
    if (this.lineStart.length < LINE_START) this.lineStart = (this.lineStart + text).slice(0, LINE_START);
  }

  /** The complete sentences of a line that is still being written. */
  private passSentences(): void {
    if (this.stopped || !this.reader.isProse(this.lineStart)) {
      this.stopped ||= this.line.length > LONGEST_SENTENCE;
      return;
    }
    const sentences = this.split(this.line);
    if (sentences.length > 1) {
      if (!this.inProse) this.passLines(this.reader.settled());
      for (const sentence of sentences.slice(0, -1)) this.pass(sentence);
      this.line = this.line.slice(this.line.lastIndexOf(sentences.at(-1)!));
      this.inProse = true;
      this.marked = /[.!?…]/.test(this.line);
    }
    this.stopped ||= this.line.length > LONGEST_SENTENCE;
  }

  private endLine(): void {
    // JSON is read as a whole.
    if (!this.started && /^\s*[[{]/.test(this.lineStart)) this.stopped = true;
    if (this.inProse) {
      this.reader.line(this.lineStart);
      for (const sentence of this.split(this.line)) this.pass(sentence);
      this.gap = '\n';
    } else this.passLines(this.reader.line(this.line));
    this.line = '';
    this.lineStart = '';
    this.inProse = false;
    this.marked = false;
    if (this.reader.part !== 'text') this.stopped = true;
  }

  private passLines(prose: string | undefined): void {
    if (prose === undefined) return;
    for (const line of prose.split('\n')) {
      if (line.trim() === '') this.gap = '\n\n';
      for (const sentence of this.split(line)) this.pass(sentence);
      if (this.gap === ' ') this.gap = '\n';
    }
  }

  private split(text: string): string[] {
    return sentencesOf(text, { language: this.language });
  }

  private pass(sentence: string): void {
    // Signs without a word are not shown; a model that is stuck writes tens of thousands of them.
    if (this.stopped || !/[\p{L}\p{N}]/u.test(sentence)) return;
    const checked = this.sentences.check(sentence);
    if (!checked || checked.invented || checked.chatter || checked.text === '') return;
    const { text } = checked;
    this.words += text.split(' ').length;
    if (this.words > this.mostWords) {
      this.stopped = true;
      return;
    }
    if (!this.started) {
      this.held += (this.held === '' ? '' : this.gap) + text;
      this.gap = ' ';
      const begin = this.sentences.begins(this.held);
      this.stopped = begin === 'no' || this.held.length > LONGEST_SENTENCE;
      if (begin !== 'yes') return;
      this.emit(this.held);
      this.started = true;
      return;
    }
    this.emit(this.gap + text);
    this.gap = ' ';
  }
}

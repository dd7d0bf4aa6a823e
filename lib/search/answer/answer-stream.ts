import type { Evidence, Place } from '../../grounding/evidence.js';
import type { MainFieldStream } from '../../model/object-reply.js';
import { OutputStream, type KnownAddresses } from '../../text/clean-output.js';
import type { Language } from '../../text/languages.js';
import type { AnswerPassage } from '../answer-engine.js';
import { composeAnswer } from './compose-answer.js';
import { bestSentence } from './grounded-reply.js';
import { ANSWER_FORM } from './prompts.js';
import { readAnswer } from './answer-statements.js';

/** What may belong to a source number is held back until it is complete. */
const OPEN = /[[【(][^\])\n]{0,60}$/;
/** The verdict stands before the answer. */
const VERDICT = /"answerable"\s*:\s*"?(true|false)/;

/**
 * Passes an answer on while it is written, cleaned, and with the numbers of the citations in place of those of the sources. A citation is that of the
 * sentence which shares most with the statement; where the checks choose another one, the final text differs.
 */
export class AnswerStream {
  private field: MainFieldStream = ANSWER_FORM.stream();
  private clean: OutputStream;
  private raw = '';
  private written = '';
  private shown = '';
  private readonly best = new Map<string, Place | undefined>();

  /**
   * @param begin the words before an answer, by the model's verdict
   * @param show receives the next words
   */
  constructor(
    private readonly passages: readonly AnswerPassage[],
    private readonly evidence: Evidence,
    private readonly language: Language,
    private readonly known: KnownAddresses,
    private readonly begin: (isAnswerable: boolean) => string,
    private readonly show: (text: string) => void,
  ) {
    this.clean = this.cleaner();
  }

  private cleaner(): OutputStream {
    return new OutputStream(this.known, (text) => (this.written += text));
  }

  /** Takes the next piece of the reply. */
  push(delta: string): void {
    if (this.written === '') this.raw += delta;
    const more = this.field.push(delta);
    if (more === '') return;
    this.clean.push(more);
    const whole = this.written
      .slice(0, -this.written.split(/\s/).at(-1)!.length || undefined)
      .replace(OPEN, '')
      .trimEnd();
    const answer = readAnswer(whole);
    const grounded = answer.statements.map(({ text, marks }) => ({
      findings: [],
      rests: [...new Set(marks.flatMap(({ numbers }) => numbers))].flatMap((n) =>
        this.evidence.sources[n - 1] ? (this.bestIn(n - 1, text) ?? []) : [],
      ),
    }));
    const isAnswerable = VERDICT.exec(this.raw)?.[1] !== 'false';
    const text =
      this.begin(isAnswerable) + composeAnswer(answer, grounded, this.evidence, this.passages).text;
    if (!text.startsWith(this.shown) || text === this.shown || whole === '') return;
    this.show(text.slice(this.shown.length));
    this.shown = text;
  }

  private bestIn(source: number, statement: string): Place | undefined {
    const key = `${source} ${statement}`;
    if (!this.best.has(key))
      this.best.set(key, bestSentence(statement, source, this.evidence, this.language));
    return this.best.get(key);
  }

  /** The model begins anew. */
  restart(): void {
    this.field = ANSWER_FORM.stream();
    this.clean = this.cleaner();
    this.raw = '';
    this.written = '';
    this.shown = '';
  }
}

import type { Place } from '../../grounding/evidence.js';
import type { MainFieldStream } from '../../model/object-reply.js';
import { OutputStream, type KnownAddresses } from '../../text/clean-output.js';
import { readAnswer } from './answer-statements.js';
import { composeAnswer } from './compose-answer.js';
import { bestSentence, type AnswerMaterial } from './grounded-reply.js';
import { ANSWER_FORM } from './prompts.js';
import { introduced } from './wording.js';

/** What may belong to a source number is held back until it is complete. */
const OPEN = /[[【(][^\])\n]{0,60}$/;
/** The verdicts stand before the answer. */
const DENIED = /"answerable"\s*:\s*"?false/;
const OTHERWISE = /"false_premise"\s*:\s*"?true/;

/**
 * Passes an answer on while it is written, cleaned, and with the numbers of the citations in place of those of the sources. A citation is that of the
 * sentence which shares most with the statement; where the checks choose another one, the final text differs.
 */
export class AnswerStream {
  private field!: MainFieldStream;
  private clean!: OutputStream;
  private raw = '';
  private written = '';
  private shown = '';
  private readonly best = new Map<string, Place | undefined>();

  constructor(
    private readonly material: AnswerMaterial,
    private readonly known: KnownAddresses,
    private readonly show: (text: string) => void,
  ) {
    this.restart();
  }

  restart(): void {
    this.field = ANSWER_FORM.stream();
    this.clean = new OutputStream(this.known, (text) => (this.written += text));
    this.raw = '';
    this.written = '';
    this.shown = '';
  }

  push(delta: string): void {
    if (this.written === '') this.raw += delta;
    const more = this.field.push(delta);
    if (more === '') return;
    this.clean.push(more);
    // The last word may go on.
    const whole = this.written
      .slice(0, -this.written.split(/\s/).at(-1)!.length || undefined)
      .replace(OPEN, '')
      .trimEnd();
    if (whole === '') return;
    const { evidence, passages, language } = this.material;
    const answer = readAnswer(whole);
    const grounded = answer.statements.map(({ text, marks }) => ({
      findings: [],
      rests: [...new Set(marks.flatMap(({ numbers }) => numbers))].flatMap((n) =>
        evidence.sources[n - 1] ? (this.bestIn(n - 1, text) ?? []) : [],
      ),
    }));
    const composed = composeAnswer(answer, grounded, evidence, passages).text;
    const [isDenied, isOtherwise] = [DENIED.test(this.raw), OTHERWISE.test(this.raw)];
    const text = introduced(language, composed, { isDenied, isOtherwise });
    if (!text.startsWith(this.shown) || text === this.shown) return;
    this.show(text.slice(this.shown.length));
    this.shown = text;
  }

  private bestIn(source: number, statement: string): Place | undefined {
    const key = `${source} ${statement}`;
    if (!this.best.has(key)) this.best.set(key, bestSentence(statement, source, this.material));
    return this.best.get(key);
  }
}

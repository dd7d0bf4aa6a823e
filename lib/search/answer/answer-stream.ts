import type { ToolContext } from '../../core/context.js';
import type { Place } from '../../grounding/evidence.js';
import { OutputStream, type KnownAddresses } from '../../text/clean-output.js';
import { TextStream } from '../../writing/text-stream.js';
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
export function answerStream(
  material: AnswerMaterial,
  known: KnownAddresses,
  context: Pick<ToolContext, 'progress'>,
): TextStream {
  const { evidence, passages, language } = material;
  const places = new Map<string, Place>();
  const placeIn = (source: number, statement: string): Place => {
    const key = `${source} ${statement}`;
    const best = places.get(key) ?? bestSentence(statement, source, material);
    // A source in another language has no word in common: its quotation comes later, and has a number then.
    const place = best ?? { source, start: 0, end: 1 };
    places.set(key, place);
    return place;
  };
  return new TextStream(context, 'answer', ANSWER_FORM, () => {
    let written = '';
    const clean = new OutputStream(known, (text) => (written += text));
    return (more, _, head) => {
      clean.push(more);
      // The last word may go on.
      const whole = written
        .slice(0, -written.split(/\s/).at(-1)!.length || undefined)
        .replace(OPEN, '')
        .trimEnd();
      if (whole === '') return undefined;
      const { text, statements } = readAnswer(whole);
      const cited = statements.map((statement) => ({
        ...statement,
        findings: [],
        rests: [...new Set(statement.marks.flatMap(({ numbers }) => numbers))].flatMap((n) =>
          evidence.sources[n - 1] ? placeIn(n - 1, statement.text) : [],
        ),
      }));
      const composed = composeAnswer({ text, statements: cited }, evidence, passages).text;
      const verdicts = { isDenied: DENIED.test(head), isOtherwise: OTHERWISE.test(head) };
      return introduced(language, composed, verdicts);
    };
  });
}

import type { ToolContext } from '../../core/context.js';
import { hasItsWords, isLeadIn, saysWhatIsMissing } from '../../grounding/check-statements.js';
import { isHard, isRefuting, UNSUPPORTED_MARK } from '../../grounding/unsupported.js';
import type { Evidence, Place } from '../../grounding/evidence.js';
import { OutputStream, type KnownAddresses } from '../../text/sanitize-output.js';
import { TextStream } from '../../writing/text-stream.js';
import type { AnswerPassage, Citation } from '../answer-engine.js';
import { edited, readAnswer, type Edit, type WrittenStatement } from './read-answer.js';
import { bestSentence, sentenceKey, type AnswerMaterial, type GroundedStatement } from './grounded-reply.js';
import { ANSWER_FORM } from './prompts.js';
import { introduced } from './wording.js';

/** Blanks before a mark become one, and go with it where nothing takes its place; a plain bound. */
const MOST_BLANKS = 20;

type MarksOf = (places: readonly Place[]) => string;

export interface Composed {
  text: string;
  citations: Citation[];
}

export function citationOf(
  place: Place,
  index: number,
  evidence: Evidence,
  passages: readonly AnswerPassage[],
): Citation {
  const { url, title } = passages[place.source]!;
  return { index, url, title, quote: evidence.textAt(place) };
}

/**
 * Puts the numbers of the citations in place of those of the sources, and `[?]` behind what is not supported. All other characters stay.
 *
 * @param isDropped says of a list item that it is left out whole
 */
export function composeAnswer<
  T extends WrittenStatement & Pick<GroundedStatement, 'findings' | 'rests' | 'overlap'>,
>(
  { text, statements }: { text: string; statements: readonly T[] },
  evidence: Evidence,
  passages: readonly AnswerPassage[],
  isDropped: (statement: T) => boolean = () => false,
): Composed {
  const citations: Citation[] = [];
  const known = new Map<string, { index: number; place: Place }>();
  // Citations are numbered in the order of their first use. Quotations from one sentence are one.
  const markOf = (place: Place): string => {
    const key = sentenceKey(place, evidence);
    const { index, place: before } = known.get(key) ?? { index: citations.length + 1, place };
    const start = Math.min(place.start, before.start);
    const whole = { source: place.source, start, end: Math.max(place.end, before.end) };
    known.set(key, { index, place: whole });
    citations[index - 1] = citationOf(whole, index, evidence, passages);
    return `[${index}]`;
  };
  const marksOf: MarksOf = (places) => [...new Set(places.map(markOf))].join('');
  const edits = statements.flatMap((statement): Edit[] => {
    if (isDropped(statement)) return [{ ...statement.line, text: '' }];
    const { findings, kind, text: said } = statement;
    const mark = findings.some(isHard) ? UNSUPPORTED_MARK : '';
    // Beside a number that may have been worked out, the words still rest on their sources.
    const isUncited = findings.some(isRefuting) || (mark !== '' && !hasItsWords(statement));
    const rests = isUncited ? [] : statement.rests;
    if (statement.marks.length > 0) return markEdits(statement, rests, marksOf, mark, text);
    // A number with a full stop may be an ordinal within a sentence: "ab dem 1. Januar".
    const goesOn = /(?<!\S)\d{1,2}\.$/.test(said);
    const isClaim = kind !== 'head' && kind !== 'block' && !isLeadIn(said) && !saysWhatIsMissing(said);
    const isCited = !goesOn && isClaim && findings.every(isHard);
    return [inserted(statement, (isCited ? marksOf(rests) : '') + mark)];
  });
  return { text: edited(text, edits).trim(), citations };
}

function inserted({ end, kind }: WrittenStatement, mark: string): Edit {
  return { start: end, end, text: mark && `${kind === 'block' ? '\n' : ' '}${mark}` };
}

/** Each group of source numbers keeps its place; what no group names is added to the last one, and so is the mark of an unsupported statement. */
function markEdits(
  { marks }: WrittenStatement,
  rests: readonly Place[],
  marksOf: MarksOf,
  unsupported: string,
  text: string,
): Edit[] {
  const named = new Set(marks.flatMap(({ numbers }) => numbers.map((n) => n - 1)));
  const added = rests.filter(({ source }) => !named.has(source));
  return marks.map((mark, i) => {
    const places = mark.numbers.flatMap((n) => rests.filter(({ source }) => source === n - 1));
    const written = i === marks.length - 1 ? marksOf([...places, ...added]) + unsupported : marksOf(places);
    const before = text.slice(Math.max(0, mark.start - MOST_BLANKS), mark.start);
    const blanks = before.length - before.replace(/[^\S\n]{1,20}$/, '').length;
    const gap = blanks > 0 && written !== '' ? ' ' : '';
    return { start: mark.start - blanks, end: mark.end, text: gap + written };
  });
}

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

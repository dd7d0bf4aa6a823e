import { isLeadIn } from '../../grounding/check-statements.js';
import { isHard, UNSUPPORTED_MARK } from '../../grounding/unsupported.js';
import type { Evidence, Place } from '../../grounding/evidence.js';
import type { AnswerPassage, Citation } from '../answer-engine.js';
import type { GroundedStatement } from './grounded-reply.js';
import { edited, type Edit, type WrittenAnswer, type WrittenStatement } from './answer-statements.js';

/** Blanks before a mark become one, and go with it where nothing takes its place. */
const MOST_BLANKS = 20;

/** The text of an answer and the citations that its marks refer to. */
export interface Composed {
  text: string;
  citations: Citation[];
}

/** A place of the evidence as a citation with this number. */
export function citationOf(
  place: Place,
  index: number,
  evidence: Evidence,
  passages: readonly AnswerPassage[],
): Citation {
  const { url, title } = passages[place.source]!;
  return { index, url, title, quote: evidence.textAt(place) };
}

/** Gives the citations of an answer their numbers, in the order of their first use. Quotations from one sentence are one. */
class Citations {
  readonly list: Citation[] = [];
  private readonly known = new Map<string, { citation: Citation; place: Place }>();

  constructor(
    private readonly evidence: Evidence,
    private readonly passages: readonly AnswerPassage[],
  ) {}

  markOf(place: Place): string {
    const { source, start } = this.evidence.sentencesAt(place);
    const key = `${source} ${start}`;
    const before = this.known.get(key);
    const citation =
      before?.citation ?? citationOf(place, this.list.length + 1, this.evidence, this.passages);
    if (!before) this.list.push(citation);
    const whole = {
      source,
      start: Math.min(place.start, before?.place.start ?? Infinity),
      end: Math.max(place.end, before?.place.end ?? 0),
    };
    citation.quote = this.evidence.textAt(whole);
    this.known.set(key, { citation, place: whole });
    return `[${citation.index}]`;
  }

  marksOf(places: readonly Place[]): string {
    return [...new Set(places.map((place) => this.markOf(place)))].join('');
  }
}

/**
 * Puts the numbers of the citations in place of those of the sources, and `[?]` behind what is not supported. All other characters stay.
 *
 * @param isDropped says of a list item that it is left out whole
 */
export function composeAnswer<T extends Pick<GroundedStatement, 'findings' | 'rests'>>(
  { text, statements }: WrittenAnswer,
  grounded: readonly T[],
  evidence: Evidence,
  passages: readonly AnswerPassage[],
  isDropped: (statement: T) => boolean = () => false,
): Composed {
  const citations = new Citations(evidence, passages);
  const edits = statements.flatMap((statement, i): Edit[] => {
    if (isDropped(grounded[i]!)) return [{ ...statement.line, text: '' }];
    const { findings, rests } = grounded[i]!;
    if (findings.some(isHard)) return unsupportedEdits(statement);
    if (statement.marks.length > 0) return markEdits(statement, rests, citations, text);
    const isMarkedLater = statements.some(
      ({ line, start, marks }) =>
        line.start === statement.line.start && start > statement.start && marks.length > 0,
    );
    // A sentence without numbers before one that has them rests on the same: "Yes. Dogs may eat it. [1]"
    const isClaim = statement.kind !== 'head' && statement.kind !== 'block' && !isLeadIn(statement.text);
    if (isMarkedLater || !isClaim || findings.length > 0 || rests.length === 0) return [];
    return [inserted(statement, citations.marksOf(rests))];
  });
  return { text: edited(text, edits).trim(), citations: citations.list };
}

function unsupportedEdits(statement: WrittenStatement): Edit[] {
  const last = statement.marks.at(-1);
  if (!last) return [inserted(statement, UNSUPPORTED_MARK)];
  return statement.marks.map((mark) => ({ ...mark, text: mark === last ? UNSUPPORTED_MARK : '' }));
}

function inserted({ end, kind }: WrittenStatement, mark: string): Edit {
  return { start: end, end, text: mark && `${kind === 'block' ? '\n' : ' '}${mark}` };
}

/** Each group of source numbers keeps its place; what no group names is added to the last one. */
function markEdits(
  { marks }: WrittenStatement,
  rests: readonly Place[],
  citations: Citations,
  text: string,
): Edit[] {
  const named = new Set(marks.flatMap(({ numbers }) => numbers.map((n) => n - 1)));
  const added = rests.filter(({ source }) => !named.has(source));
  return marks.map((mark, i) => {
    const own = mark.numbers.flatMap((n) => rests.filter(({ source }) => source === n - 1));
    const written = citations.marksOf(i === marks.length - 1 ? [...own, ...added] : own);
    const blanks = /[^\S\n]{0,20}$/.exec(text.slice(Math.max(0, mark.start - MOST_BLANKS), mark.start))![0]
      .length;
    const gap = blanks > 0 && written !== '' ? ' ' : '';
    return { start: mark.start - blanks, end: mark.end, text: gap + written };
  });
}

import { saysWhatIsMissing } from '../../grounding/check-statements.js';
import { comparedWords } from '../../grounding/quotations.js';
import { isHard } from '../../grounding/unsupported.js';
import { isRefuted, problemOf, statementText } from '../../writing/write-checked.js';
import type { GroundedReply, GroundedStatement } from './grounded-reply.js';

/**
 * Share of the answers that are right of those without a finding: in bench/replies, where half of the replies are careless on purpose. One number, for a
 * fit on words in common, quotations and number of statements learns how the author of a set writes: it fails on replies of another author.
 */
const UNREFUTED = 0.63;
/**
 * The same after a second look has supported all statements: of a verifier that lets one wrong sentence in seven pass. Set by hand, for the
 * verifier is not known.
 */
const CONFIRMED = 0.85;
/**
 * Subtracted from the probability: for the share of statements with a wrong fact, for that of those with few words in common, and where a quotation
 * is altered. Set by hand: each alone leaves an answer above 0.5, or is marked.
 */
const COST = { hard: 0.24, soft: 0.12, altered: 0.12 };
/** The most where the answering sentence failed, and where the model itself says that the sources do not answer. */
export const [MOST_REFUTED, MOST_DENIED] = [0.2, 0.05];
/** Nothing is certain; plain bounds. */
export const [LEAST, MOST] = [0.02, 0.98];
/** The sentence that answers has at least so many words; "No." alone is answered by the next one; set by hand. */
const LEAST_WORDS = 3;

/** The sentence that answers: the first one that claims something in more than a word. */
export function answeringOf({ statements }: GroundedReply): GroundedStatement | undefined {
  const claims = statements.filter(({ isClaim }) => isClaim);
  return claims.find((claim) => comparedWords(statementText(claim)).length >= LEAST_WORDS) ?? claims[0];
}

/** "The sources do not say who paid.": it quotes nothing, whatever the model's own verdict is. "The sources do not agree: …" quotes them. */
export function deniesAnswer(answering: GroundedStatement | undefined): boolean {
  return answering !== undefined && !answering.isQuoted && saysWhatIsMissing(answering.text);
}

/** Whether a repair only leaves out the refused sentence that answered, so that a further one of the first version takes its place. */
export function leavesOutAnswer(first: GroundedReply, repaired: GroundedReply): boolean {
  const [before, after] = [answeringOf(first), answeringOf(repaired)];
  if (!before || !after || !problemOf(before)) return false;
  return first.statements.some(
    (statement) => statement !== before && statementText(statement) === statementText(after),
  );
}

/** A statement with a wrong fact, or with few words of the sources and none quoted. */
export function isBaseless(statement: GroundedStatement): boolean {
  const { findings, isQuoted } = statement;
  return isRefuted(statement) || (findings.some((finding) => !isHard(finding)) && !isQuoted);
}

/** Estimated probability that the answer is right and grounded in its sources, 0.02..0.85. It never rises when a reply gets worse. */
export function estimateOf({ statements, altered }: GroundedReply): number {
  const claims = statements.filter(({ isClaim }) => isClaim);
  if (claims.length > 0 && claims.every(({ verdict }) => verdict === 'supported')) return CONFIRMED;
  const shareOf = (test: (claim: GroundedStatement) => boolean): number =>
    claims.filter(test).length / Math.max(1, claims.length);
  const hard = shareOf(isRefuted);
  const soft = shareOf(({ findings }) => findings.length > 0) - hard;
  const cost = COST.hard * hard + COST.soft * soft + (altered > 0 ? COST.altered : 0);
  return Math.max(LEAST, UNREFUTED - cost);
}

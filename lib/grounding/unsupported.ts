/**
 * Why a statement is not supported. `contradicted` and `not_said` come from a second look, see `Verifier`; the checks themselves find the others.
 */
export const REASONS = [
  'value',
  'name',
  'quotation',
  'contradicted',
  'not_said',
  'few_words_in_common',
] as const;

/** One of {@link REASONS}. */
export type Reason = (typeof REASONS)[number];

/** A part of a statement that the evidence does not bear out. */
export interface Finding {
  reason: Reason;
  /** The value, name or quotation, as it is written; absent for the statement as a whole. */
  about?: string;
  /** A number that may have been worked out: it is marked, and costs no answer. */
  isOpen?: boolean;
}

/** Written by `summary-text` (summaries) and `compose-answer` (answers) where the source number of an unsupported value, name or quotation would be, or behind an unsupported sentence. */
export const UNSUPPORTED_MARK = '[?]';

/** A statement of a shown text that is not supported, as callers get it. */
export interface Unsupported {
  text: string;
  reason: Reason;
}

const WORDING: Readonly<Record<Reason, string>> = {
  value: 'no source states this number, unit or date',
  name: 'no source has this name or code',
  quotation: 'these words stand in no source',
  contradicted: 'the sources say otherwise',
  not_said: 'the sources do not say it',
  few_words_in_common: 'few of its words stand in the sources',
};

/** What the checks found of a statement, as a clause: for the model that repairs it, and for warnings. */
export function describe(findings: readonly Finding[]): string {
  return findings
    .map(({ reason, about }) => (about === undefined ? WORDING[reason] : `${WORDING[reason]}: "${about}"`))
    .join('; ');
}

/** Whether a finding is about a fact that code can look up, or about the words in common, which may be few in a good paraphrase. */
export function isHard({ reason }: Finding): boolean {
  return reason !== 'few_words_in_common';
}

/** Whether a finding costs an answer where it is about the sentence that answers. */
export function isRefuting(finding: Finding): boolean {
  return isHard(finding) && !finding.isOpen;
}

/** A fact of a played world: the sentence that a page has, and what a model makes of it. */
export interface PlayedFact {
  /** Words of a page, letter by letter. */
  quote: string;
  /** A sentence about it, without numbers. */
  text: string;
  value?: string;
}

export interface PlayedNeed {
  need: string;
  query: string;
  facts: readonly PlayedFact[];
  /** Another query for where nothing was found. */
  again?: string;
  /** What the query becomes in the report's plan; default `query`. */
  isDisputed?: boolean;
}

export type PlayedStage = 'plan' | 'read' | 'report' | 'repair' | 'answer';

/** The stage of a call, by its system prompt. */
export declare function stageOf(system: string): PlayedStage;

/** Numbered passages of a prompt. */
export declare function passagesIn(prompt: string): { n: number; text: string }[];

/** Findings of a report's prompt, as lines with `[n]`. */
export declare function findingsIn(prompt: string): string[];

/** A model that plans these needs, finds their facts in the passages it is shown, and reports what was found. */
export declare function playedResearch(
  needs: readonly PlayedNeed[],
  overrides?: Partial<Record<PlayedStage, (prompt: string) => unknown>>,
): (prompt: string, settings: unknown, call: { system: string }) => string;

/** A statement as a model proposes it, not checked yet. */
export interface ProposedPoint {
  claim: string;
  /** Second that the model names. */
  second?: number;
  /** Words that the model says are in the transcript. */
  quote?: string;
}

/** A statement that the transcript bears out. */
export interface Point {
  claim: string;
  /** Time at which the words that bear it out are said, ms. */
  startMs: number;
  /** Words of the transcript. */
  quote: string;
  /** `frame` if it was seen in a picture and not said. */
  source?: 'frame';
  /** True for a sentence of the transcript in place of what the model could not read: it is not a key point as it is. */
  standIn?: boolean;
}

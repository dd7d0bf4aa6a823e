import type { Language } from '../../../core/text/index.js';
import { type Claim, type ClaimWord } from '../claim.js';
import type { Token } from '../tokens.js';

/** A sentence of a source and what it speaks of without naming it. */
export interface SourceSentence {
  text: string;
  /** Of the page's title. */
  title: readonly Token[];
  /** What a pronoun at its beginning stands for, the head first. */
  subject: readonly Token[];
}

export interface Source extends SourceSentence {
  claim: Claim;
  words: readonly ClaimWord[];
  /** For each word that is said, by its place: where the source has it. */
  places: Map<number, number[]>;
  language: Language;
  /** True where nobody needs to be named who acts, since the sentence was turned into the passive. */
  agentless: boolean;
}

/** A word of the sentence in the order that is tried; `moved` stands at the beginning of what was moved, `nth` is its place before. */
export type SaidWord = ClaimWord & { moved?: boolean; nth: number };

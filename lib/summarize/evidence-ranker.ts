import type { TranscriptSegment } from '../content/content-source.js';
import type { Language } from '../core/text/languages.js';

/** A sentence of the transcript, word for word, with its time. */
export interface EvidenceSentence {
  text: string;
  startMs: number;
}

/**
 * Finds the sentences of a stretch of transcript that say most, without a model. The methods with a model carry them along as
 * evidence when notes are merged, and let them stand in for a part that the model could not read.
 */
export interface EvidenceRanker {
  /** At most `count` sentences in order of time; fewer if the text has fewer. Language undefined: not one of the six. */
  topSentences(
    segments: readonly TranscriptSegment[],
    count: number,
    language: Language | undefined,
  ): EvidenceSentence[] | Promise<EvidenceSentence[]>;
}

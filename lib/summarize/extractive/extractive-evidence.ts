import { timeOf } from './token-table.js';
import type { TranscriptSegment } from '../../content/content-source.js';
import { yielder } from '../../core/async.js';
import type { Language } from '../../core/text/languages.js';
import type { EvidenceRanker, EvidenceSentence } from '../evidence-ranker.js';
import { languageIn, readTranscript } from './reading.js';
import { SummaryWriter } from './rendering.js';
import { choose, coverageOf } from './selection.js';

/** No sentence is refused for its length here: the number of sentences is the bound. */
const WORDS_PER_SENTENCE = 30;

/** The embedded engine's eye for the sentences that say most, for the methods with a model. */
export class ExtractiveEvidence implements EvidenceRanker {
  async topSentences(
    segments: readonly TranscriptSegment[],
    count: number,
    language: Language | undefined,
  ): Promise<EvidenceSentence[]> {
    const pause = yielder(10);
    const lines = segments.filter(({ nonSpeech }) => !nonSpeech);
    const { evidence } = await readTranscript(lines, languageIn(lines, language), pause);
    const { table, units } = evidence;
    const stretch = { from: 0, to: units.count, maxWords: count * WORDS_PER_SENTENCE, maxUnits: count };
    const chosen = await choose(evidence, stretch, coverageOf(evidence), pause);
    const writer = new SummaryWriter(evidence);
    return chosen
      .sort((a, b) => a - b)
      .map((unit) => ({
        text: writer.write([unit]),
        startMs: timeOf(table, units.from[unit]!),
      }));
  }
}

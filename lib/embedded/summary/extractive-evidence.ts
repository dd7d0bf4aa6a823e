import { timeOf } from './token-table.js';
import type { TranscriptSegment } from '../../content/content-source.js';
import { yielder } from '../../core/async.js';
import type { Language } from '../../text/languages.js';
import type { EvidenceRanker, EvidenceSentence } from '../../summarize/summarizer.js';
import { languageIn, readTranscript } from './reading.js';
import { SummaryWriter } from './rendering.js';
import { chooseSummary } from './selection.js';

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
    const bounds = { maxWords: count * WORDS_PER_SENTENCE, maxUnits: count };
    const writer = new SummaryWriter(evidence);
    return (await chooseSummary(evidence, bounds, pause)).map((unit) => ({
      text: writer.write([unit]),
      startMs: timeOf(table, units.from[unit]!),
    }));
  }
}

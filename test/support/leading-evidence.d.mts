import type { EvidenceRanker } from '../../lib/summarize/summarizer.js';

export declare const leadingEvidence: EvidenceRanker;

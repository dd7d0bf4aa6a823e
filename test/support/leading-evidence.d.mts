import type { EvidenceRanker } from '../../lib/summarize/evidence-ranker.js';

export declare const leadingEvidence: EvidenceRanker;

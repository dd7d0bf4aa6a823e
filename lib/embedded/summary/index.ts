export {
  summarizeExtractive,
  type ExtractiveOptions,
  type ExtractiveSegment,
  type ExtractiveSummary,
} from './summarize-extractive.js';

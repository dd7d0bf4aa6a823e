export { extractPage, type ExtractedPage, type RawPage } from './extract-page.js';
export { type PageMetadata } from './page-metadata.js';
export { withoutInvisible } from './visible-text.js';

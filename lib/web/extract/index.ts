export { extractPage, type ExtractedPage, type RawPage } from './extract-page.js';
export { type PageMetadata } from './page-metadata.js';
export { unpdfReader, type UnpdfReaderOptions } from './unpdf-reader.js';
export { withoutInvisible } from './visible-text.js';

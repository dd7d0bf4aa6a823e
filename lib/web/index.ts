export { type AddressGuardOptions, type Resolve } from './address-guard.js';
export { type WhenTooLarge } from './body-reader.js';
export { decodeText } from './charset.js';
// The parser itself is loaded with the first page, so it is not among these.
export type { ExtractedPage, PageMetadata, RawPage } from './extract/index.js';
export { unpdfReader, type UnpdfReaderOptions } from './extract/unpdf-reader.js';
export { type ConnectorOptions, type Dial } from './guarded-connector.js';
export {
  createGuardedFetch,
  type GuardedFetch,
  type GuardedFetchOptions,
  type GuardedRequest,
  type GuardedResponse,
  TEXT_PAGE_TYPES,
} from './guarded-fetch.js';
export { guardedUpstreamFetch } from './guarded-upstream-fetch.js';
export {
  createPageReader,
  type FailedPage,
  type PageReader,
  type PageReaderOptions,
  type PdfReader,
  type ReadPage,
  type ReadPages,
} from './page-reader.js';
export { isPublicAddress } from './public-address.js';
export { watchedPages } from './watched-pages.js';
export * from './web.errors.js';

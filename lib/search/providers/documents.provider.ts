import { createHash } from 'node:crypto';
import { nearestName } from '../../core/edit-distance.js';
import { LONGEST } from '../../core/length-limits.js';
import { isWebAddress } from '../../core/url.js';
import { publishedMs } from '../../web/iso-date.js';
import { languageOf } from '../../text/languages.js';
import { InvalidOptionError, UpstreamUnavailableError } from '../../core/errors.js';
import { thrownFault } from '../../core/failures.js';
import { lazy, yielder, type Pause } from '../../core/async.js';
import { raceAbort, type ToolContext } from '../../core/context.js';
import {
  check,
  isRecord,
  object,
  optional,
  options,
  parseOption,
  port,
  string,
  type Schema,
} from '../../core/schema.js';
import { modelId, type EmbeddingModelLike } from '../../model/ai-sdk.js';
import { CONNECT, type ConnectsToModels } from '../../model/connect.js';
import type { ModelEnvironment } from '../../model/upstream.js';
import { isAdmitted } from '../../core/domains.js';
import type { DocumentIndex, SearchDocument } from '../ranking/document-index.js';
import { isFresh } from '../freshness.js';
import { type SearchProvider, type SearchProviderResult, type SearchQuery } from '../search-provider.js';
import type { DocumentVectors } from '../vectors/document-vectors.js';
import {
  checkEmbeddings,
  EMBEDDING_MODEL,
  EMBEDDING_OPTIONS,
  foundByMeaning,
  type EmbeddingOptions,
} from '../vectors/embedding-options.js';
import type { VectorStore } from '../vectors/vector-store.js';

/** Documents, or a function that loads them when the index is built. */
export type DocumentSource =
  readonly SearchDocument[] | (() => Promise<Iterable<SearchDocument>> | AsyncIterable<SearchDocument>);

/** Settings of {@link documents}. */
export interface DocumentsOptions {
  /** Name in results and logs. Default `documents`. */
  name?: string;
  /**
   * An embedding model of the AI SDK (package `ai` 6 or 7), e.g. `openai.embedding('…')`: documents are then found by
   * their meaning as well. Passages are embedded once, in the background. Until then, and where the model fails, words alone are searched.
   * Default: words alone.
   */
  embeddings?: EmbeddingModelLike;
  /** What is known of the embedding model: calls at the same time, limits, price, batches. */
  embeddingOptions?: EmbeddingOptions;
  /** Where vectors are kept between starts, e.g. `cachedVectors(new Keyv(…))`. Default: in this process only; each start embeds anew. */
  vectors?: VectorStore;
}

const OPTIONS = options<DocumentsOptions>({
  name: optional(string({ min: 1 })),
  embeddings: optional(EMBEDDING_MODEL),
  embeddingOptions: optional(EMBEDDING_OPTIONS as Schema<EmbeddingOptions>),
  vectors: optional(port<VectorStore>('VectorStore', 'get', 'put')),
});

/**
 * The embedded search: an index in memory over the host's own documents; no network, no key. About 150 MB for 100,000 pages of 100 words, and
 * 3 s of processor time in slices that let other requests run; the first search waits for it, within its deadline.
 *
 * @throws InvalidOptionError when an option is unknown, or an entry is no document; for those of a loader, when the index is built
 */
export function documents(source: DocumentSource, options: DocumentsOptions = {}): DocumentsProvider {
  return new DocumentsProvider(source, options);
}

export class DocumentsProvider implements SearchProvider, ConnectsToModels {
  readonly name: string;
  readonly filters = ['language', 'freshness', 'dateRange', 'includeDomains', 'excludeDomains'] as const;
  private readonly fingerprint: string | undefined;
  private environment: ModelEnvironment = {};
  /** A loader that failed once is asked again by the next search. */
  private readonly built = lazy(() => this.load());
  private vectors: DocumentVectors | undefined;

  constructor(
    private readonly source: DocumentSource,
    private readonly options: DocumentsOptions = {},
  ) {
    parseOption('documents', OPTIONS, options);
    checkEmbeddings('documents', options, ['embeddingOptions', 'vectors']);
    this.name = options.name ?? 'documents';
    if (typeof source !== 'function') {
      if (!Array.isArray(source)) throw new InvalidOptionError('documents', 'an array or a function', source);
      source.forEach((entry, i) => checkDocument(entry, `documents[${i}]`));
      this.fingerprint = fingerprint(source);
    }
  }

  /** Changes with the documents, and when their vectors are complete. */
  get version(): string | undefined {
    const { embeddings } = this.options;
    if (embeddings === undefined) return this.fingerprint;
    const searched = this.vectors?.ready ? modelId(embeddings) : 'words';
    return `${this.fingerprint ?? ''}+${searched}`;
  }

  [CONNECT](environment: ModelEnvironment): void {
    this.environment = environment;
    // A failure is met again, and reported, by the first search.
    if (this.options.embeddings !== undefined)
      this.built()
        .then((index) => this.embed(index))
        .catch(() => undefined);
  }

  /** Builds the index if that has not been done; for hosts that rather wait at start than at the first search. */
  async ready(): Promise<void> {
    await this.built();
  }

  async search(query: SearchQuery, context: ToolContext): Promise<SearchProviderResult> {
    const index = await raceAbort(this.built(), context.signal);
    const accepts = filterOf(query, index);
    const { found: near, ...warnings } = await foundByMeaning(this.name, context, async () => {
      if (this.options.embeddings === undefined) return undefined;
      const vectors = await this.embed(index);
      if (vectors.ready) return vectors.nearest(query.text, context, accepts);
      if (vectors.failed !== undefined) throw vectors.failed;
      return undefined;
    });
    return { ...warnings, hits: index.search(query.text, query.count, accepts, near) };
  }

  private async embed(index: DocumentIndex): Promise<DocumentVectors> {
    if (!this.vectors) {
      const { DocumentVectors: Vectors } = await import('../vectors/document-vectors.js');
      const { Embedder } = await import('../vectors/embedder.js');
      const { embeddings, embeddingOptions, vectors: store } = this.options;
      const embedder = new Embedder(embeddings!, embeddingOptions, this.environment);
      const { documents, texts } = index;
      this.vectors ??= new Vectors({ documents, texts, embedder, store, name: this.name });
    }
    this.vectors.start(this.environment.signal);
    return this.vectors;
  }

  private async load(): Promise<DocumentIndex> {
    const pause = yielder();
    const loaded = typeof this.source === 'function' ? await this.loaded(this.source, pause) : this.source;
    // Loaded with the index that is built, not with the host.
    const { DocumentIndex: Index } = await import('../ranking/document-index.js');
    return Index.build(loaded, pause);
  }

  private async loaded(
    source: Exclude<DocumentSource, readonly unknown[]>,
    pause: Pause,
  ): Promise<SearchDocument[]> {
    const all: SearchDocument[] = [];
    try {
      for await (const document of await source()) all.push(document);
    } catch (cause) {
      const upstream = thrownFault(this.name, cause);
      throw new UpstreamUnavailableError('The documents to search could not be loaded.', { cause, upstream });
    }
    for (const [i, entry] of all.entries()) {
      checkDocument(entry, `documents[${i}]`);
      if ((i & 0xff) === 0) await pause();
    }
    return all;
  }
}

/** Tells by their numbers the documents of an index that a query admits; undefined where it admits all. */
export function filterOf(query: SearchQuery, index: DocumentIndex): ((d: number) => boolean) | undefined {
  const { includeDomains, excludeDomains, freshness, language } = query;
  if (!includeDomains?.length && !excludeDomains?.length && !freshness && !language) return undefined;
  return (d) => {
    const { url, publishedAt, language: documentLanguage = index.languages[d] } = index.documents[d]!;
    return (
      isAdmitted(url, query) &&
      (!freshness || (publishedAt !== undefined && isFresh(publishedAt, freshness))) &&
      (!language || !documentLanguage || languageOf(documentLanguage) === language)
    );
  };
}

/**
 * Tells two lists of documents apart by everything that a search depends on, so that replicas with different documents do not share results.
 * About 1 ms for each million characters.
 */
function fingerprint(documents: readonly SearchDocument[]): string {
  const digest = createHash('sha256');
  for (const { url, title, text, publishedAt, language } of documents)
    digest.update(`${url}\0${title}\0${publishedAt}\0${language}\0${text.length}\0${text}\0`);
  return digest.digest('base64url').slice(0, 16);
}

const DOCUMENT = object<SearchDocument>({
  url: check('an http or https address', isWebAddress),
  title: optional(string({ max: LONGEST.document })),
  text: string({ max: LONGEST.document }),
  publishedAt: optional(
    check(
      'a date that exists, e.g. 2026-01-31',
      (value) => typeof value === 'string' && !Number.isNaN(publishedMs(value)),
    ),
  ),
  language: optional(string()),
});

const isField = (name: string): boolean => DOCUMENT.fields!.includes(name);

/**
 * Checks one document.
 * @param at its path in messages, e.g. `documents[3]`
 */
export function checkDocument(entry: unknown, at: string): asserts entry is SearchDocument {
  const other =
    isRecord(entry) && entry.text === undefined && Object.keys(entry).find((name) => !isField(name));
  if (other)
    throw InvalidOptionError.unknown(
      `${at}.${other}`,
      `Did you mean \`${nearestName(other, DOCUMENT.fields!) ?? 'text'}\`? Known options: ${DOCUMENT.fields!.join(', ')}`,
    );
  parseOption(at, DOCUMENT, entry);
}

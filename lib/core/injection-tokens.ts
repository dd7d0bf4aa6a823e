/** Injection tokens. `Symbol.for`, so that two installed copies of the package mean the same thing. */
const token = (name: string): symbol => Symbol.for(`nestjs-tools:${name}`);

/** The options as the host gave them. */
export const TOOLS_OPTIONS = token('options');
/** The options with every default filled in. Each folder declares the part that it needs. */
export const RESOLVED_OPTIONS = token('resolved-options');
/** The `ApiKeyStore` in use. */
export const API_KEY_STORE = token('api-key-store');
/** The `Summarizer` in use. */
export const SUMMARIZER = token('summarizer');
/** The `ContentSource`s in use, in the order in which they are asked. */
export const CONTENT_SOURCES = token('content-sources');
/** The `SearchProvider`s in use, in the order in which they are asked. */
export const SEARCH_PROVIDERS = token('search-providers');
/** The `Reranker` in use; undefined where results keep the order of the search. */
export const RERANKER = token('reranker');
/** The `AnswerEngine` in use. */
export const ANSWER_ENGINE = token('answer-engine');
/** The clients of the language models; undefined without a model. */
export const MODELS = token('models');
/** The `MountedTools`: what is reached over HTTP. */
export const MOUNTED_TOOLS = token('mounted-tools');
/** Takes spans and metrics; does nothing where `@opentelemetry/api` is not installed. */
export const TELEMETRY = token('telemetry');
/** The `Watcher` of upstream calls: health registry and telemetry. */
export const WATCHER = token('watcher');
/** Accepts requests that are answered later; absent if the host has no jobs. */
export const JOB_INTAKE = token('job-intake');
/** The `JobsHealthSource` of the queue; absent where the host has no jobs. */
export const JOBS_HEALTH = token('jobs-health');
/** The `SharedState` in use; undefined where replicas share nothing. */
export const SHARED_STATE = token('shared-state');

/**
 * Injection tokens. `Symbol.for`, so that two installed copies of the package mean the same thing.
 */
const token = (name: string): symbol => Symbol.for(`nestjs-tools:${name}`);

/** The options as the host gave them. */
export const TOOLS_OPTIONS = token('options');
/** The options with every default filled in. */
export const RESOLVED_OPTIONS = token('resolved-options');
/** The {@link ApiKeyStore} in use. */
export const API_KEY_STORE = token('api-key-store');
/** The {@link Summarizer} in use. */
export const SUMMARIZER = token('summarizer');
/** The {@link ContentSource}s in use, one for each source type. */
export const CONTENT_SOURCES = token('content-sources');
/** The {@link SearchProvider}s in use, in the order they are asked. */
export const SEARCH_PROVIDERS = token('search-providers');
/** The {@link AnswerEngine} in use. */
export const ANSWER_ENGINE = token('answer-engine');
/** Takes spans and metrics; does nothing where `@opentelemetry/api` is not installed. */
export const TELEMETRY = token('telemetry');
/** The host's hooks. */
export const HOOKS = token('hooks');
/** Takes requests that are to be answered later; absent where the host has no jobs. */
export const JOB_INTAKE = token('job-intake');
/** The {@link JobsHealthSource} of the queue; absent where the host has no jobs. */
export const JOBS_HEALTH = token('jobs-health');
/** What the HTTP side needs to know of the options. */
export const HTTP_OPTIONS = token('http-options');
/** The {@link SharedState} in use; undefined where replicas share nothing. */
export const SHARED_STATE = token('shared-state');

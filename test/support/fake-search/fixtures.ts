import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SearchFailureKind } from '../../../lib/search/providers/search-provider.error.js';
import type { SearchHit } from '../../../lib/search/search-provider.js';
import type { FakeAnswer } from './fake-upstream.js';

/** One answer of a service in its documented form, and what the provider makes of it. */
export interface FixtureCase {
  /** Where this form is documented, when it is not the source of the whole file. */
  source?: string;
  response: FakeAnswer;
  expect:
    | { hits: SearchHit[] }
    /** `says` is a regular expression for the message. */
    | { kind: SearchFailureKind; says: string; retryAfterSeconds?: number };
}

/** Every case must be there, or `absent` says why a service has none. */
export const REQUIRED_CASES = ['success', 'empty', 'bad key', 'quota', 'rate limit'] as const;

/** The documented answers of one service: a file under `test/fixtures/search`. */
export interface Fixtures {
  provider: string;
  /** The vendor's documents that the answers are taken from, and the day on which they were read. */
  source: string;
  absent?: Partial<Record<(typeof REQUIRED_CASES)[number], string>>;
  cases: Record<string, FixtureCase>;
}

/** Reads the fixtures of a provider. */
export function fixturesOf(provider: string): Fixtures {
  return JSON.parse(readFileSync(resolve(`test/fixtures/search/${provider}.json`), 'utf8')) as Fixtures;
}

/** One documented answer of a provider. */
export function documented(provider: string, name: string): FakeAnswer {
  const found = fixturesOf(provider).cases[name];
  if (!found) throw new Error(`test/fixtures/search/${provider}.json has no case ${JSON.stringify(name)}`);
  return found.response;
}

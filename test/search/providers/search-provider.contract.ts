import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { withContext } from '../../../lib/core/context.js';
import {
  SearchProviderError,
  type SearchFailureKind,
} from '../../../lib/search/providers/search-provider.error.js';
import type {
  SearchHit,
  SearchProvider,
  SearchProviderResult,
  SearchQuery,
} from '../../../lib/search/search-provider.js';
import type { FakeAnswer, FakeUpstream } from '../../support/fake-search/fake-upstream.js';
import { REQUIRED_CASES, type Fixtures } from '../../support/fake-search/fixtures.js';

/** A provider under test, with the fake that stands in for its service. */
export interface ContractSubject {
  provider(options: { timeoutMs?: number; retries?: number }): SearchProvider;
  /** Absent for a provider that asks no one, e.g. an index in memory; the cases of a failing upstream are then left out. */
  upstream?: FakeUpstream;
  /** A provider of the same kind whose upstream listens at another address. */
  at?(url: string): SearchProvider;
  close?(): Promise<void>;
}

export interface ContractOptions {
  /** Expected `provider.name`. */
  name: string;
  start(): Promise<ContractSubject>;
  /** A query with at least two results in the subject's index. */
  answered: string;
  /** A query without a result. */
  unanswered: string;
  /** Must not appear in any error. */
  secret?: string;
  /** The documented answers of the service. Absent for a provider that asks no one. */
  fixtures?: Fixtures;
}

/** Time that only a failing test takes, ms. */
const LIMIT = 120_000;

/** Asks within a deadline that no test reaches. */
export function ask(
  provider: SearchProvider,
  query: Partial<SearchQuery> & { text: string },
  signal?: AbortSignal,
): Promise<SearchProviderResult> {
  return withContext(LIMIT, { signal }, (context) => provider.search({ count: 10, ...query }, context));
}

/** The error that the search fails with. */
export async function failureOf(search: Promise<SearchProviderResult>): Promise<SearchProviderError> {
  const outcome = await search.then(
    (result) => new Error(`expected a failure, got ${result.hits.length} hits`),
    (error: unknown) => error,
  );
  if (!(outcome instanceof SearchProviderError)) throw outcome;
  return outcome;
}

const RETRIES: Record<SearchFailureKind, boolean> = {
  auth: false,
  quota: false,
  bad_request: false,
  rate_limited: true,
  timeout: true,
  unavailable: true,
  bad_payload: true,
};
const CODES: Partial<Record<SearchFailureKind, string>> = {
  timeout: 'upstream_timeout',
  bad_payload: 'upstream_invalid',
};

/** How an answer must fail. */
interface Failure {
  answer: FakeAnswer;
  kind: SearchFailureKind;
  /** When the answer says when to come back. */
  retryAfterSeconds?: number;
  /** A regular expression for the message. */
  says?: string;
}

/** Faults that any HTTP service can have. */
const FAULTS: Record<string, Failure> = {
  'an error of its own (500)': { answer: { status: 500, body: { error: 'internal' } }, kind: 'unavailable' },
  'a gateway in front of it (502, HTML)': {
    answer: { status: 502, body: '<html>Bad Gateway</html>' },
    kind: 'unavailable',
  },
  'an outage that says when to come back (503)': {
    answer: { status: 503, headers: { 'retry-after': '7' }, body: '' },
    kind: 'unavailable',
    retryAfterSeconds: 7,
  },
  'a gateway that gave up (504)': { answer: { status: 504, body: '' }, kind: 'timeout' },
  'a wrong address (404)': { answer: { status: 404, body: 'Cannot find this' }, kind: 'bad_request' },
  'a redirect': {
    answer: { status: 302, headers: { location: 'http://127.0.0.1:9/' }, body: '' },
    kind: 'bad_request',
  },
  'an HTML page behind a 200': {
    answer: { body: '<!doctype html><title>Sign in</title>' },
    kind: 'bad_payload',
  },
  'an empty body behind a 200': { answer: { body: '' }, kind: 'bad_payload' },
  'an empty object': { answer: { body: {} }, kind: 'bad_payload' },
  'a bare array': { answer: { body: [] }, kind: 'bad_payload' },
  null: { answer: { body: null }, kind: 'bad_payload' },
  'JSON that ends too early': {
    answer: { headers: { 'content-type': 'application/json' }, body: '{"results":[{"url":"https://exa' },
    kind: 'bad_payload',
  },
  'a body that breaks off': { answer: { fault: 'cut-off' }, kind: 'bad_payload' },
  'a connection closed without an answer': { answer: { fault: 'reset' }, kind: 'unavailable' },
  'no answer at all': { answer: { fault: 'hang' }, kind: 'timeout' },
  'half an answer and then nothing': { answer: { fault: 'hang-in-body' }, kind: 'timeout' },
};

/**
 * What holds for every search provider, ours and a host's own. Declares its cases with the `describe`, `it` and `expect` of
 * the test runner.
 */
export function describeSearchProvider(options: ContractOptions): void {
  const { name, answered, unanswered, secret, fixtures } = options;

  describe(`${name} as a search provider`, () => {
    let subject: ContractSubject;
    let provider: SearchProvider;

    beforeAll(async () => {
      subject = await options.start();
      provider = subject.provider({ timeoutMs: LIMIT, retries: 0 });
    });
    afterAll(async () => {
      await subject.upstream?.close();
      await subject.close?.();
    });
    beforeEach(() => subject.upstream?.reset());

    it('has its name', () => {
      expect(provider.name).toBe(name);
    });

    it('returns plain text with an address and a title for every hit, best first', async () => {
      const { hits } = await ask(provider, { text: answered });
      expect(hits.length).toBeGreaterThanOrEqual(2);
      hits.forEach(expectWellFormed);
      expect(new Set(hits.map((hit) => hit.url)).size).toBe(hits.length);
      const again = await ask(provider, { text: answered });
      expect(again.hits).toEqual(hits);
    });

    it('gives no more hits than asked for, and the best ones', async () => {
      const all = await ask(provider, { text: answered });
      const one = await ask(provider, { text: answered, count: 1 });
      expect(one.hits.map((hit) => hit.url)).toEqual([all.hits[0]?.url]);
    });

    it('returns an empty list when the provider says that nothing was found', async () => {
      expect((await ask(provider, { text: unanswered })).hits).toEqual([]);
    });

    it('rejects with the caller’s reason when the caller leaves before it begins', async () => {
      const reason = new Error('gone');
      await expect(ask(provider, { text: answered }, AbortSignal.abort(reason))).rejects.toBe(reason);
      if (subject.upstream) expect(subject.upstream.requests).toHaveLength(0);
    });

    const upstreamOf = (): FakeUpstream => {
      if (!subject.upstream) throw new Error(`${name} has fixtures and no upstream to send them`);
      return subject.upstream;
    };

    if (!fixtures) return;

    it('has a documented answer for every case that its service knows', () => {
      const missing = REQUIRED_CASES.filter(
        (required) => !fixtures.cases[required] && !fixtures.absent?.[required],
      );
      expect(missing).toEqual([]);
      expect(fixtures.source).toMatch(/Read 20\d\d-\d\d-\d\d\.$/);
    });

    const all = Object.entries(fixtures.cases);
    const found = all.flatMap(([title, { response, expect }]) =>
      'hits' in expect ? [[title, response, expect.hits] as const] : [],
    );
    it.each(found)('reads the documented answer: %s', async (_, answer, hits) => {
      upstreamOf().script(answer);
      expect(await ask(provider, { text: answered, count: Math.max(1, hits.length) })).toEqual({ hits });
    });

    const cases: [string, Failure][] = all.flatMap(([title, { response: answer, expect }]) =>
      'hits' in expect ? [] : [[title, { answer, ...expect }] as [string, Failure]],
    );
    cases.push(...Object.entries(FAULTS));

    describe.each(cases)('fails typed on %s', (_, refusal) => {
      it(`as ${refusal.kind}`, async () => {
        const hangs = 'fault' in refusal.answer && refusal.answer.fault.startsWith('hang');
        // Given up on early, a request may reach the fake late: it must not take the next case's answer.
        const own = hangs ? await options.start() : subject;
        const upstream = own.upstream ?? upstreamOf();
        upstream.script(refusal.answer);
        const error = await failureOf(
          ask(hangs ? own.provider({ timeoutMs: 80, retries: 0 }) : provider, { text: answered }),
        );
        if (hangs) await upstream.close();
        expect({
          kind: error.kind,
          provider: error.provider,
          retryAfterSeconds: error.retryAfterSeconds,
        }).toEqual({
          kind: refusal.kind,
          provider: name,
          retryAfterSeconds: refusal.retryAfterSeconds,
        });
        expect(error.code).toBe(CODES[refusal.kind] ?? 'upstream_unavailable');
        expect(error.shouldRetry).toBe(RETRIES[refusal.kind]);
        expect(error.upstream).toMatchObject({ upstream: name });
        if (refusal.says) expect(error.message).toMatch(new RegExp(refusal.says));
        expectNoLeak(error, secret, upstream.url);
      });
    });

    it('fails as unavailable when nothing listens at its address', async () => {
      if (!subject.at) return;
      const error = await failureOf(ask(subject.at(await deadAddress()), { text: answered }));
      expect(error.kind).toBe('unavailable');
      expect(inspect(error, { depth: 6 })).not.toContain(secret ?? '\u0000');
    });

    it('tries a failure of the moment once more, and a refusal not', async () => {
      const upstream = upstreamOf();
      const patient = subject.provider({ timeoutMs: LIMIT, retries: 1 });
      upstream.script({ status: 503, body: '' });
      expect((await ask(patient, { text: answered, count: 2 })).hits).toHaveLength(2);
      const [first, second] = upstream.requests;
      expect(second?.params.toString()).toBe(first?.params.toString());
      expect(second?.json).toEqual(first?.json);
      upstream.reset();
      upstream.script({ status: 401, body: '' }, { status: 401, body: '' });
      expect((await failureOf(ask(patient, { text: answered }))).kind).toBe('auth');
      expect(upstream.requests).toHaveLength(1);
    });

    it('closes its request upstream at once when the caller leaves', async () => {
      const upstream = upstreamOf();
      upstream.script({ fault: 'hang' });
      const caller = new AbortController();
      const search = ask(provider, { text: answered }, caller.signal);
      await until(() => upstream.requests.length === 1);
      const reason = new Error('gone');
      caller.abort(reason);
      await expect(search).rejects.toBe(reason);
      await until(() => upstream.lastRequest.abandoned);
    });

    it(
      'survives every field of an answer missing, null or of another type',
      async () => {
        const upstream = upstreamOf();
        const good = await goodAnswer(upstream, () => ask(provider, { text: answered, count: 2 }));
        let failures = 0;
        let successes = 0;
        for (const body of distortions(good)) {
          upstream.script({ body });
          try {
            const { hits } = await ask(provider, { text: answered, count: 2 });
            hits.forEach(expectWellFormed);
            successes++;
          } catch (error) {
            if (!(error instanceof SearchProviderError)) throw error;
            failures++;
          }
        }
        // An answer has fields that can be spared and fields that cannot.
        expect(successes).toBeGreaterThan(0);
        expect(failures).toBeGreaterThan(0);
      },
      LIMIT,
    );
  });
}

/** A web address, a title and a snippet in plain text, passages that are not empty, a score within its range. */
export function expectWellFormed(hit: SearchHit): void {
  expect(hit.url).toMatch(/^https?:\/\/\S+$/);
  for (const text of [hit.title, ...(hit.snippet === undefined ? [] : [hit.snippet])]) {
    expect(text).toBe(text.trim());
    expect(text).not.toBe('');
    expect(text).not.toMatch(/<\/?[a-z]|&(?:amp|lt|gt|quot|#)|[\u200b-\u200f\u0000-\u0008]/i);
  }
  if (hit.passages)
    expect(hit.passages.every((text) => text.trim() !== '') && hit.passages.length > 0).toBe(true);
  if (hit.score !== undefined) expect(hit.score >= 0 && hit.score <= 1).toBe(true);
  if (hit.publishedAt !== undefined)
    expect(hit.publishedAt).toMatch(/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d+)?Z)?$/);
}

function expectNoLeak(error: SearchProviderError, secret: string | undefined, url: string): void {
  const sent = `${error.message} ${JSON.stringify(error.getResponse())}`;
  expect(sent).not.toContain(new URL(url).host);
  if (secret) expect(inspect(error, { depth: 6 }) + sent).not.toContain(secret);
}

/** What the service itself would answer, taken from the wire. */
async function goodAnswer(upstream: FakeUpstream, search: () => Promise<unknown>): Promise<unknown> {
  upstream.reset();
  await search();
  const answer = upstream.answerTo(upstream.lastRequest);
  if ('fault' in answer) throw new Error('the service answers with a fault');
  return answer.body;
}

/** The JSON with each of its fields in turn missing, null, a number, a text, an empty list. */
function* distortions(json: unknown): Generator<unknown> {
  for (const path of pathsOf(json, []))
    for (const value of [undefined, null, 7, 'odd', []]) yield withValue(json, path, value);
}

function* pathsOf(json: unknown, path: string[]): Generator<string[]> {
  if (typeof json !== 'object' || json === null) return;
  // The items of a list are alike.
  for (const [key, value] of Object.entries(Array.isArray(json) ? json.slice(0, 2) : json)) {
    yield [...path, key];
    yield* pathsOf(value, [...path, key]);
  }
}

function withValue(json: unknown, path: readonly string[], value: unknown): unknown {
  const copy = structuredClone(json) as Record<string, unknown>;
  const parent = path.slice(0, -1).reduce((node, key) => node[key] as Record<string, unknown>, copy);
  const last = path.at(-1) as string;
  if (value === undefined && !Array.isArray(parent)) delete parent[last];
  else parent[last] = value ?? null;
  return copy;
}

async function deadAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

import { gzipSync } from 'node:zlib';
import { pick } from './random.mjs';

const SUMMARIZE = '/v1/tools/summarize_content';
const SEARCH = '/v1/tools/search_web';
/** Few enough that the caches are full of them when the heap is first measured. */
const SUBJECTS = 150;
const TALKS = ['sampleTalk1', 'sampleTalk2', 'sampleTalk4', 'sampleTalk5', 'sampleTalk6', 'sampleTalk7'];
const UPSTREAM_FAILURES = [502, 503, 504];

/** What may come back, and what must be in it: `check` says what is wrong, undefined where nothing is. */
const isError =
  (...statuses) =>
  ({ status, headers, json }) => {
    if (!statuses.includes(status)) return `status ${status}`;
    if (json?.statusCode !== status || typeof json.code !== 'string') return 'not the documented error';
    return json.request_id === headers['x-request-id'] ? undefined : 'the request id of another';
  };

const subjectOf = (random) => `soak${String(Math.floor(random() * SUBJECTS)).padStart(7, '0')}`;

/** Answers must be about what was asked for, or say that the upstream failed. */
const answers = (about) => (response) =>
  UPSTREAM_FAILURES.includes(response.status)
    ? isError(...UPSTREAM_FAILURES)(response)
    : response.status !== 200
      ? `status ${response.status}`
      : about(response.json.data);

const summaryOf = (id) => (data) =>
  data.content.id !== id
    ? `asked for ${id}, got ${data.content.id}`
    : data.summary.length > 20
      ? undefined
      : 'no summary';
const soakSummaryOf = (id) => (data) =>
  summaryOf(id)(data) ?? (data.summary.includes(id) ? undefined : `the summary is not on ${id}`);
const resultsOn = (subject) => (data) =>
  data.results.length > 0 &&
  data.results.every((r) => r.content.includes(subject) && r.source_url.includes(subject))
    ? undefined
    : `results that are not on ${subject}`;
const answerOn = (subject) => (data) =>
  data.llm.citations.every((c) => c.source_url.includes(subject))
    ? undefined
    : `citations that are not on ${subject}`;

/** Bodies within the size limit that cost as much as a body can: nesting, many fields, long numbers, text that is no content id. */
const HEAVY = [
  '['.repeat(40_000) + ']'.repeat(40_000),
  `{"query":${'{"a":'.repeat(14_000)}1${'}'.repeat(14_000)}}`,
  `{${Array.from({ length: 5000 }, (_, i) => `"k${i}":1`).join()}}`,
  `{"query":${'9'.repeat(60_000)}}`,
  `{"query":"${'q'.repeat(90_000)}"}`,
];
const BOMB = gzipSync(Buffer.alloc(50_000_000, 0x20));

const noCache = { 'Cache-Control': 'no-cache' };
const KINDS = [
  [
    30,
    (random) => {
      const id = TALKS[Math.floor(random() * TALKS.length)];
      return { kind: 'cached', path: SUMMARIZE, body: { content_id: id }, check: answers(summaryOf(id)) };
    },
  ],
  [
    15,
    (random) => {
      const id = subjectOf(random);
      const headers = random() < 0.5 ? noCache : {};
      return {
        kind: 'summary',
        path: SUMMARIZE,
        headers,
        body: { content_id: id },
        check: answers(soakSummaryOf(id)),
      };
    },
  ],
  [
    15,
    (random) => {
      const subject = subjectOf(random);
      return {
        kind: 'search',
        path: SEARCH,
        body: { query: `subject ${subject}` },
        check: answers(resultsOn(subject)),
      };
    },
  ],
  [
    5,
    (random) => {
      const subject = subjectOf(random);
      const body = { query: `What is ${subject}?`, llm_answer: true };
      return { kind: 'answer', path: SEARCH, body, check: answers(answerOn(subject)) };
    },
  ],
  [
    10,
    (random) => {
      const id = subjectOf(random);
      return {
        kind: 'stream',
        path: SUMMARIZE,
        headers: { Accept: 'text/event-stream', ...noCache },
        body: { content_id: id },
        check: ({ status, text }) => {
          const last = text.trimEnd().split('\n\n').at(-1);
          if (status !== 200 || !/^event: (result|error)\n/.test(last)) return 'the stream has no end';
          return last.startsWith('event: error') || last.includes(`"id":"${id}"`)
            ? undefined
            : `not on ${id}`;
        },
      };
    },
  ],
  [
    8,
    (random) => {
      const headers = random() < 0.5 ? { Accept: 'text/event-stream', ...noCache } : noCache;
      const leaveAfterMs = random() * 60;
      return {
        kind: 'leaving',
        path: SUMMARIZE,
        headers,
        body: { content_id: subjectOf(random) },
        leaveAfterMs,
      };
    },
  ],
  [5, () => ({ kind: 'not JSON', path: SEARCH, raw: '{"query":', check: isError(400) })],
  [4, () => ({ kind: 'wrong field', path: SEARCH, body: { query: 'a', top_n: '5' }, check: isError(400) })],
  [
    3,
    () => ({
      kind: 'too large',
      path: SEARCH,
      raw: `{"query":"${'a'.repeat(200_000)}"}`,
      check: isError(413),
    }),
  ],
  [
    3,
    () => ({
      kind: 'wrong key',
      path: SEARCH,
      headers: { 'X-API-Key': 'wrong' },
      body: { query: 'a' },
      check: isError(401),
    }),
  ],
  [
    3,
    (random) => ({
      kind: 'heavy',
      path: SEARCH,
      raw: HEAVY[Math.floor(random() * HEAVY.length)],
      check: isError(400),
    }),
  ],
  [
    1,
    () => ({
      kind: 'bomb',
      path: SEARCH,
      headers: { 'Content-Encoding': 'gzip' },
      raw: BOMB,
      check: isError(413),
    }),
  ],
  [2, () => ({ kind: 'wrong path', path: '/v1/tools/none', body: {}, check: isError(404) })],
];

/** A request at random, good or bad, with what its answer must be. */
export const nextRequest = (random) => pick(random, KINDS)(random);

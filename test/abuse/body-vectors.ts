import { deflateSync, gzipSync, brotliCompressSync } from 'node:zlib';
import { chunked, type RawRequest } from '../support/raw-http.js';
import { KEY } from '../support/abused-app.js';

/** A request that must be refused, and with what. */
export interface Vector {
  name: string;
  request: RawRequest;
  statuses: readonly number[];
}

const SEARCH = '/v1/tools/search_web';
const SUMMARIZE = '/v1/tools/summarize_content';
const LIST = '/v1/tools/list_videos';
const GOOD = {
  [SEARCH]: '{"query":"coral","top_n":3}',
  [SUMMARIZE]: '{"content_id":"sampleTalk1"}',
  [LIST]: '{"channel":"@sample-talks"}',
};
const EACH = [SEARCH, SUMMARIZE, LIST] as const;
const JSON_TYPE = 'Content-Type: application/json';
const key = `X-API-Key: ${KEY}`;

const bad = (
  name: string,
  path: string,
  body: string | Buffer,
  statuses: readonly number[] = [400],
): Vector => ({
  name: `${path.split('/').at(-1)}: ${name}`,
  request: { path, body },
  statuses,
});

const each = (name: string, body: string | Buffer, statuses?: readonly number[]): Vector[] =>
  EACH.map((path) => bad(name, path, body, statuses));

/** Every prefix of a good body, the empty one included. */
const truncated = EACH.flatMap((path) =>
  Array.from({ length: GOOD[path]!.length }, (_, n) =>
    bad(`first ${n} bytes`, path, GOOD[path]!.slice(0, n)),
  ),
);

const NOT_JSON = [
  'null',
  'true',
  '0',
  '""',
  '"query"',
  '[]',
  '[{}]',
  '[[[[]]]]',
  'undefined',
  'NaN',
  '{}',
  '{,}',
  '{"query"}',
  "{'query':'a'}",
  '{query:"a"}',
  '{"query":"a",}',
  '{"query":"a"}}',
  '{"query":"a"}{"query":"a"}',
  '// a\n{"query":"a"}',
  '{"query":"a"} x',
  '{"query":"a\n"}',
  '{"query":"\\x"}',
  '{"query":"\\u12"}',
  '{"query":1e999}',
  '{"query":01}',
  '{"query":+1}',
  '{"query":.5}',
  '{"query":0x10}',
  '{"query":Infinity}',
  '<?xml version="1.0"?><query>a</query>',
  'query=coral',
  'query=coral&top_n=5',
  '--x\r\nContent-Disposition: form-data; name="query"\r\n\r\na\r\n--x--',
  '\ufeff',
  '\u0000',
  '\u0000{"query":"a"}',
  ' '.repeat(1000),
  '\t\n\r',
  '{"query":"a"\u0000}',
  '{"\\u0000":"a"}',
  '"' + 'a'.repeat(50_000),
  '['.repeat(40_000),
  '['.repeat(40_000) + ']'.repeat(40_000),
  '{"a":'.repeat(14_000) + '1' + '}'.repeat(14_000),
  '{"query":' + '['.repeat(40_000) + ']'.repeat(40_000) + '}',
  '{"content_id":' + '{"a":'.repeat(15_000) + '1' + '}'.repeat(15_000) + '}',
  `{${Array.from({ length: 5000 }, (_, i) => `"k${i}":1`).join()}}`,
  `{"${'k'.repeat(60_000)}":1}`,
  `[${'1,'.repeat(40_000)}1]`,
  '9'.repeat(60_000),
  `{"query":${'9'.repeat(60_000)}}`,
  '-'.repeat(60_000),
].flatMap((body, i) => each(`text ${i} ${JSON.stringify(body.slice(0, 24))}`, body));

const NOT_UTF8 = [
  Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
  Buffer.from([0xc3, 0x28]),
  Buffer.from([0x80]),
  Buffer.from([0xed, 0xa0, 0x80]),
  Buffer.concat([Buffer.from('{"query'), Buffer.from([0xff, 0xff]), Buffer.from('":"a"}')]),
  Buffer.concat([Buffer.from('{"content_id":"'), Buffer.from([0xf5, 0x80, 0x80, 0x80]), Buffer.from('"}')]),
  Buffer.from('{"query":"a"}', 'utf16le'),
  Buffer.from([0x1f, 0x8b, 0x08, 0x00]),
  Buffer.from([0x00, 0x61, 0x73, 0x6d]),
  Buffer.alloc(1000, 0xff),
].flatMap((body, i) => each(`bytes ${i}`, body));

/** Values that no field of that name takes. */
const ODD: readonly string[] = [
  'null',
  '{}',
  '[]',
  '[1]',
  '{"toString":"x"}',
  '{"$ne":null}',
  '["a","b"]',
  '[["a"]]',
  '{"length":5}',
  '{"__proto__":{}}',
];
const FIELDS: readonly [string, string, string, readonly string[]][] = [
  [
    SEARCH,
    'query',
    '',
    [
      ...ODD,
      'true',
      'false',
      '0',
      '-1',
      '5',
      '1e3',
      '""',
      '" "',
      '"\\n\\t "',
      `"${'q'.repeat(401)}"`,
      `"${'q'.repeat(90_000)}"`,
      '"\\u0000"',
      '"\\u200b\\u200b"',
      '"\\ud800"',
      '"\\udc00\\ud800"',
      '"\\u0007\\u0008"',
      '"\\ufeff"',
      '"\\u202e"',
    ],
  ],
  [
    SEARCH,
    'top_n',
    '"query":"coral",',
    [
      ...ODD,
      'true',
      'false',
      '"5"',
      '""',
      '"five"',
      '0',
      '-1',
      '-0.5',
      '1.5',
      '21',
      '1e3',
      '1e308',
      '-1e308',
      '9007199254740993',
      '"1e1"',
      '"0x5"',
      '1e-5',
      '99999999999999999999999',
    ],
  ],
  [
    SEARCH,
    'llm_answer',
    '"query":"coral",',
    [...ODD, '"true"', '"false"', '0', '1', '""', '"yes"', '-1', '1.5'],
  ],
  [
    SUMMARIZE,
    'content_id',
    '',
    [
      ...ODD,
      'true',
      '0',
      '5',
      '""',
      '" "',
      '"x"',
      '"sampleTalk"',
      '"sampleTalk12"',
      '"../../etc"',
      '"file:///etc/passwd"',
      '"http://127.0.0.1/watch?v=sampleTalk1"',
      '"https://evil.example/watch?v=sampleTalk1"',
      '"https://youtube.com.evil.example/watch?v=sampleTalk1"',
      '"https://www.youtube.com@evil.example/watch?v=sampleTalk1"',
      '"https://www.youtube.com/"',
      '"https://www.youtube.com/watch"',
      '"https://www.youtube.com/watch?v="',
      '"javascript:alert(1)"',
      '"sampleTalk1\\u0000"',
      '"sampleTalk1\\nx"',
      '"\\ud800ampleTalk1"',
      '"sampleTälk1"',
      '"ѕampleTalk1"',
      `"${'a'.repeat(90_000)}"`,
      `"https://www.youtube.com/watch?${'a&'.repeat(20_000)}"`,
      '"%00"',
      '"$(id)"',
      '"\' OR 1=1 --"',
    ],
  ],
  [
    LIST,
    'playlist',
    '',
    [
      ...ODD,
      '""',
      '"WL"',
      '"RDsampleTalk1"',
      '"PL"',
      '"PLsampleTalksOfOurOwn\\u0000"',
      '"file:///etc/passwd"',
      '"http://169.254.169.254/playlist?list=PLsampleTalksOfOurOwn"',
      '"https://www.youtube.com@evil.example/playlist?list=PLsampleTalksOfOurOwn"',
      '"https://evil.example/playlist?list=PLsampleTalksOfOurOwn"',
      '"--exec=id"',
      `"${'a'.repeat(90_000)}"`,
    ],
  ],
  [
    LIST,
    'channel',
    '',
    [
      ...ODD,
      '""',
      '"@"',
      '"@a"',
      '"sample-talks"',
      '"@sample talks"',
      '"@../../etc"',
      '"http://169.254.169.254/latest/meta-data"',
      '"https://evil.example/feed.xml"',
      '"https://www.youtube.com.evil.example/@sample-talks"',
      '"javascript:alert(1)"',
      '"--exec=id"',
      `"@${'a'.repeat(90_000)}"`,
    ],
  ],
  [LIST, 'query', '', [...ODD, 'true', '5', '""', '" "', '"\\u200b\\u200b"', `"${'q'.repeat(201)}"`]],
  [LIST, 'max_results', '"query":"coral",', [...ODD, '"5"', '0', '-1', '1.5', '201', '1e308', 'true']],
  [LIST, 'published_after', '"query":"coral",', [...ODD, '""', '"last week"', '"2026-02-30"', '0', '"2026"']],
  [LIST, 'cursor', '"query":"coral",', [...ODD, '""', '"0"', '"zz.zzzzzzzz"', '"-1.aaaaaaaa"', '0']],
  [
    SUMMARIZE,
    'source_type',
    '"content_id":"sampleTalk1",',
    [...ODD, '""', '"vimeo"', '"YouTube"', '"youtube "', '0', 'true', '"__proto__"', '"constructor"'],
  ],
  [
    SUMMARIZE,
    'output_language',
    '"content_id":"sampleTalk1",',
    [...ODD, '""', '"EN"', '"en-US"', '"xx"', '"eng"', '" en"', '0', 'true', '"__proto__"'],
  ],
  [
    SUMMARIZE,
    'method',
    '"content_id":"sampleTalk1",',
    [...ODD, '""', '"AUTO"', '"auto "', '"multimodal"', '0', 'true', '"constructor"', '"hasOwnProperty"'],
  ],
  [
    SUMMARIZE,
    'length',
    '"content_id":"sampleTalk1",',
    [...ODD, '""', '"LONG"', '"long "', '"180"', '180', 'true', '"constructor"'],
  ],
];
const wrongValues = FIELDS.flatMap(([path, field, others, values]) =>
  values.map((value) => bad(`${field} = ${value.slice(0, 40)}`, path, `{${others}"${field}":${value}}`)),
);

/** Field names that are none, beside a request that is otherwise good. */
const wrongNames = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
  'ceiling',
  'fields',
  'queries',
  'Query',
  'topN',
  'top-n',
  ' query',
  'query ',
  'quеry',
  'llmAnswer',
  'contentId',
  'content_ID',
  'lang',
  'api_key',
  '',
  '\\u0000',
  '\\ud800',
  '$where',
  'a'.repeat(5000),
  '<script>',
  '\\r\\nX: y',
].flatMap((name) =>
  EACH.flatMap((path) => {
    const rest = GOOD[path]!.slice(1);
    return ['1', '{"a":1}', '"x"'].map((value) =>
      bad(`extra field ${name.slice(0, 20)} ${value}`, path, `{"${name}":${value},${rest}`),
    );
  }),
);
const pollution = [
  '{"__proto__":{"query":"coral"}}',
  '{"constructor":{"prototype":{"query":"coral"}}}',
  '{"__proto__":{"content_id":"sampleTalk1"}}',
  '{"__proto__":null}',
  '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}',
].flatMap((body) => each(`pollution ${body}`, body));

const large = [200_000, 1_100_000, 5_000_000].flatMap((size) =>
  each(`${size} bytes`, `{"query":"${'a'.repeat(size)}"}`, size > 1_048_576 ? [413] : [400, 413]),
);

const TYPES: readonly string[] = [
  '',
  'text/plain',
  'text/html',
  'text/json',
  'application/jsonx',
  'application/xml',
  'application/octet-stream',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'application/x-ndjson',
  'application/vnd.api+json',
  'application',
  'json',
  '*/*',
  ';',
  'application/',
  '/json',
  'application/json, text/plain',
  'application/json/x',
  'application/ json',
  'text/event-stream',
  'application/graphql',
  'image/png',
  'x'.repeat(3000),
];
const types = EACH.flatMap((path) =>
  TYPES.map((type): Vector => ({
    name: `Content-Type ${type.slice(0, 40)}`,
    request: { path, headers: [key, ...(type ? [`Content-Type: ${type}`] : [])], body: GOOD[path]! },
    statuses: [415, 400],
  })),
);
const charsets = [
  'latin1',
  'utf-16le',
  'utf-7',
  'utf-99',
  'x',
  'gbk',
  '"',
  '""',
  'windows-1252',
  'utf8;q=1',
  'a'.repeat(1000),
].flatMap((charset) =>
  EACH.map((path): Vector => ({
    name: `charset ${charset.slice(0, 20)}`,
    // Bytes that are no JSON in any charset, so that adapters that ignore the parameter refuse as well.
    request: {
      path,
      headers: [key, `Content-Type: application/json; charset=${charset}`],
      body: Buffer.from([0x7b, 0xff, 0x22]),
    },
    statuses: [400, 415],
  })),
);

const encoded = (name: string, encoding: string, body: Buffer, statuses: readonly number[]): Vector[] =>
  EACH.map((path) => ({
    name: `${encoding} ${name}`,
    request: { path, headers: [key, JSON_TYPE, `Content-Encoding: ${encoding}`], body },
    statuses,
  }));
const bomb = Buffer.alloc(200_000_000, 0x20);
const encodings = [
  ...encoded('of what is no JSON', 'gzip', gzipSync('{"query":'), [400, 415]),
  ...encoded('that is none', 'gzip', Buffer.from('{"query":"a'), [400, 415]),
  ...encoded('cut off', 'gzip', gzipSync('{"query":"coral"}').subarray(0, 20), [400, 415]),
  ...encoded(
    'with a broken sum',
    'gzip',
    Buffer.concat([gzipSync('{"query":"coral"}').subarray(0, -8), Buffer.alloc(8)]),
    [400, 415],
  ),
  ...encoded('bomb', 'gzip', gzipSync(bomb, { level: 9 }), [400, 413, 415]),
  ...encoded('twice', 'gzip, gzip', gzipSync(gzipSync('{"query":"coral"}')), [400, 415]),
  ...encoded('that is none', 'deflate', Buffer.from([1, 2, 3, 4]), [400, 415]),
  ...encoded('bomb', 'deflate', deflateSync(bomb), [400, 413, 415]),
  ...encoded('that is none', 'br', Buffer.from([0xff, 0xff, 0xff]), [400, 415]),
  ...encoded('bomb', 'br', brotliCompressSync(bomb.subarray(0, 20_000_000)), [400, 413, 415]),
  ...encoded('unknown', 'zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), [400, 415]),
  ...encoded('unknown', 'x'.repeat(500), Buffer.from('{'), [400, 415]),
  ...encoded('empty', '', Buffer.from('{'), [400, 415]),
  ...encoded('identity', 'identity', Buffer.from('{'), [400]),
];

const framings = EACH.flatMap((path): Vector[] => [
  {
    name: 'chunked, cut JSON',
    request: {
      path,
      headers: [key, JSON_TYPE, 'Transfer-Encoding: chunked'],
      framed: chunked('{"query":"co'),
    },
    statuses: [400],
  },
  {
    name: 'chunked, one byte a chunk, not JSON',
    request: {
      path,
      headers: [key, JSON_TYPE, 'Transfer-Encoding: chunked'],
      framed: chunked('query=coral', 1),
    },
    statuses: [400],
  },
  {
    name: 'chunked, no chunk',
    request: { path, headers: [key, JSON_TYPE, 'Transfer-Encoding: chunked'], framed: '0\r\n\r\n' },
    statuses: [400],
  },
  {
    name: 'chunked, 2 MB',
    request: {
      path,
      headers: [key, JSON_TYPE, 'Transfer-Encoding: chunked'],
      framed: chunked(Buffer.alloc(2_000_000, 0x20), 65_536),
    },
    statuses: [413],
  },
  { name: 'no length, no body', request: { path, length: false }, statuses: [400] },
]);

/** Requests that the application refuses. */
export const BODY_VECTORS: readonly Vector[] = [
  ...truncated,
  ...NOT_JSON,
  ...NOT_UTF8,
  ...wrongValues,
  ...wrongNames,
  ...pollution,
  ...large,
  ...types,
  ...charsets,
  ...encodings,
  ...framings,
];

import type { ServerResponse } from 'node:http';
import { parseVideoId } from '../../lib/content/youtube/video-id.js';
import { readCaptions } from '../../lib/content/captions/read-captions.js';
import { chaptersFromDescription } from '../../lib/content/youtube/chapters.js';
import { summarizeExtractive } from '../../lib/embedded/summary/index.js';
import { checkStatements } from '../../lib/grounding/check-statements.js';
import { Evidence } from '../../lib/grounding/evidence.js';
import {
  isClosed,
  listField,
  recordField,
  ReplyForm,
  seconds,
  textField,
} from '../../lib/model/object-reply.js';
import { ReasoningFilter } from '../../lib/model/reasoning.js';
import { beforeLoop, sanitizeProse } from '../../lib/summarize/sanitize-prose.js';
import { addressesOf, harmlessMarkdown, OutputStream } from '../../lib/text/sanitize-output.js';
import { oneLine } from '../../lib/text/plain-text.js';
import { sentenceSpans } from '../../lib/text/sentences.js';
import { extractPage } from '../../lib/web/extract/extract-page.js';
import { feedItems, isFeed } from '../../lib/web/extract/feed.js';
import { readMarkdown } from '../../lib/web/read-markdown.js';
import { readText } from '../../lib/web/read-text.js';
import { ToolsModule } from '../../lib/index.js';
import { PDF_TEXT } from '../../lib/web/extract/pdf-text.js';
import { expectLinear } from '../support/cpu-time.js';
import { fakePages, type FakePages } from '../support/fake-pages/fake-pages.js';
import { ADAPTERS } from '../support/adapters.js';
import { closeHosts, startHost, type RunningHost } from '../support/host.js';

const ADDRESSES = addressesOf(['See https://good.example/a/b_(c) and good.example/y.']);
const FORM = new ReplyForm<{ summary: string; key_points: { t?: number; text: string }[] }>(
  'summary',
  { summary: textField(), key_points: listField(recordField({ t: seconds(), text: textField() })) },
  'summary',
);
const quietly = (work: () => unknown): void => {
  try {
    work();
  } catch {
    // A refusal is an answer too.
  }
};
const stream = (source: string): void => {
  const output = new OutputStream(ADDRESSES, () => undefined);
  for (let at = 0; at < source.length; at += 4) output.push(source.slice(at, at + 4));
  output.end();
};
const pause = (): undefined => undefined;
const html = (body: string): Promise<unknown> =>
  extractPage({ type: 'text/html', contentType: 'text/html; charset=utf-8', body: Buffer.from(body) });

/** Readers of texts that others write: what each reads, how many characters of it, and the pieces that are repeated. */
const READERS: Readonly<
  Record<string, { size: number; pieces: readonly string[]; read: (source: string) => unknown }>
> = {
  'the reader of sentences': {
    size: 1_000_000,
    pieces: [
      ...['! ', '. "', '."', '!', '"', '[1]', '.[1]', 'a.', 'A. ', '1. ', '.\n', '\n', ' ', '。', '。」'],
      ...['. \u00a0', '. (', 'ไ ', 'Dr. '],
    ],
    read: sentenceSpans,
  },
  'the reader of Markdown': {
    size: 1_000_000,
    pieces: [
      ...[
        '! ',
        '. "',
        '[',
        '![a](',
        '[a](b',
        '**a ',
        '*a',
        '_a ',
        '`',
        '`a',
        '```\n',
        '| ',
        '|-',
        '|\n',
        '- ',
      ],
      ...[
        '- \n',
        '# ',
        '> ',
        '<',
        '</',
        '<a',
        '<!--',
        '<script>',
        '&lt;',
        '\\',
        '~~',
        '---\n',
        '    a\n',
        '1.',
      ],
      ...['[^', '=\n', 'a\n===\n', ':::\n', '\t', 'prose of words. '],
    ],
    read: (source) => readMarkdown(source, { html: true }),
  },
  'the reader of snippets': {
    size: 1_000_000,
    pieces: [
      ...['<a', '</', '<!-', '<script>', '![a](', ' \n', '**_', '[a', '[a](b(c', `[a](${'x'.repeat(1993)}`],
      '        ',
    ],
    read: (source) => [oneLine(source), [...readMarkdown(source)]],
  },
  'the reader of documents': {
    size: 250_000,
    pieces: [
      '<',
      '<li>',
      '<tr><th>a\n',
      '<tr><td><p>a<ul><li>b',
      '<table><tr><td>a',
      '<p>```\n',
      '<dt>a',
      '<h2>a [<a>',
    ],
    read: (source) => readText(`<p>${source}`, pause),
  },
  'the reader of pages': {
    size: 600_000,
    pieces: [
      ...[
        '<div>',
        '<b></i>',
        '<p>one, ',
        '<table><tr><td>',
        '<ul><li>a, ',
        '<a href=x>y ',
        '<',
        '&#1;&notit',
      ],
      ...[
        '<meta name=x content=y>',
        '<script type="application/ld+json">"datePublished" : "</script>',
        '<!--',
      ],
      ...['x\0<sup><math></math>', '<noscript>', '<noscript>x</noscript>', '<!-- --!', '<svg><title/>'],
      ...['x', ' ', `<p style="${'/* color:red;\\64 '.repeat(30)}">`],
    ],
    read: (source) => html(`${source} end of the page`),
  },
  'the cleaner of outputs': {
    size: 20_000,
    pieces: [
      ...[
        '![',
        '[a](',
        'http://',
        ')',
        '<',
        '<a ',
        '<a=',
        '*',
        '_',
        '`',
        '`a',
        '.',
        'a.',
        '://',
        '@',
        '(1',
        '[1',
      ],
      ...[
        'www.',
        '#',
        '&',
        '&lt;',
        'a@',
        ' ',
        '\n',
        '> ',
        '```\n',
        '[a](b(c',
        'javascript:',
        'http : ',
        '\u3002 ',
      ],
      ...['a-', '- ', '[a]: ', '\\', '|', 'x'],
    ].flatMap((sign) => [sign, `a${sign} `]),
    read: (source) => [stream(source), harmlessMarkdown(source)],
  },
  'the reader of replies': {
    size: 200_000,
    pieces: [
      ...['{', '[', '"', '{"a":', '{"summary":"', '["', '" ', 'x" y ', '\\', '"\n', '{"a":1}\n', '“', '}{'],
      ...['[{"a":', '":"'],
    ],
    read: (source) => [FORM.read(source), FORM.read(`{"summary":"${source}`), isClosed(source)],
  },
  'the filter of reasoning': {
    size: 300_000,
    pieces: ['<', '[', '</', '[/T', 'a', '<think>', '</think>', '`</think>', '\n<'],
    read: (source) => {
      const filter = new ReasoningFilter({ onText: () => undefined, onRestart: () => undefined });
      filter.push(source);
      filter.end();
    },
  },
  'plain text of summaries': {
    size: 60_000,
    pieces: ['[', '*', '_', '`', '[1', '【', '#', '>', '__a '],
    read: (source) => sanitizeProse(source, ADDRESSES),
  },
  'the finder of repeated words': { size: 100_000, pieces: ['a b c d e f g h i j k l m '], read: beforeLoop },
  'the reader of video ids': {
    size: 100_000,
    pieces: ['a', ' ', '%', '/', '&amp;', '\u200b'],
    read: (source) =>
      [`${source}x`, `https://www.youtube.com/watch?${source}x`].forEach((id) =>
        quietly(() => parseVideoId(id)),
      ),
  },
  'the reader of chapters': {
    size: 500_000,
    pieces: ['1:', `${'-'.repeat(290)}:\n`, `a${' -'.repeat(140)} 1:0x\n`],
    read: chaptersFromDescription,
  },
  // No longer: a slip here doubles the time with each comment.
  'the test for a feed': { size: 170, pieces: ['<!---->', '<!-- -->', '<?a>', '<!DOCTYPE>'], read: isFeed },
  'the reader of feeds': {
    size: 300_000,
    pieces: [
      ...[
        '<item>',
        '<item><title>',
        '</title>',
        '<![CDATA[',
        '&amp;amp;',
        '<enclosure url="',
        '<enclosure a=a ',
        `<${'a'.repeat(60)}"${'b'.repeat(4000)}`,
        `<enclosure ${'a'.repeat(60)}${' '.repeat(1900)}">`,
      ],
      ...[
        '<podcast:transcript url="a"/>',
        "<link href='",
        '<link rel="enclosure" href="a"/>',
        '<item a="',
        '<!--',
      ],
    ].map((piece) => `<rss><channel>\0${piece}`),
    read: (source) => feedItems(source, new URL('https://a.example/'), pause, 5_000),
  },
  'the reader of captions': {
    size: 500_000,
    pieces: [
      ...['<timedtext><body><p t="1">', '</p>', '<p a a a a a a a a a a ', '&amp;', '<', '<x></y>'].map(
        (piece) => `<timedtext><body>\0${piece}`,
      ),
      ...['<text start="1">x', '<i'].map((piece) => `<transcript><text start="1">\0${piece}`),
      '{"events":["\0\\"',
      'WEBVTT\n\n\0-->',
      '<!---->',
      '{"wireMagic":"pb3","events":[{"segs":[{"utf8":"\0[',
      '{"wireMagic":"pb3","events":[{"segs":[{"utf8":"\0*',
    ],
    read: (source) => readCaptions(source).catch(() => undefined),
  },
};

describe.each(Object.entries(READERS))('%s', (_, { size, pieces, read }) => {
  it.each(pieces.map((piece) => [piece]))(
    'takes time in proportion to the length of %j repeated',
    (given) => {
      // What stands before a NUL comes once.
      const [head, piece] = given.includes('\0') ? given.split('\0') : ['', given];
      return expectLinear(size, (length) => read(head! + piece!.repeat(Math.ceil(length / piece!.length))));
    },
  );
});

it.each<[string, number, (size: number) => unknown]>([
  [
    'a page of different elements',
    600_000,
    (size) => html(Array.from({ length: size / 8 }, (_, i) => `<x${i}>`).join('')),
  ],
  ['a page of attributes', 600_000, (size) => html(`<p ${'a=b '.repeat(size / 5)}>`)],
  // A longer text is cut into several.
  ['a page of open raised texts', 190_000, (size) => html('<sup>x'.repeat(size / 6))],
  ['a page with a huge style', 600_000, (size) => html(`<p style="${'/*'.repeat(size / 2)}">`)],
  [
    'a page of nested elements with other end tags',
    600_000,
    (size) => html('<b>'.repeat(size / 5) + '</i>'.repeat(size / 5)),
  ],
  [
    'words that nearly repeat',
    40_000,
    (length) => beforeLoop(Array.from({ length }, (_, i) => `w${i % 13}x${i}`).join(' ')),
  ],
  [
    'statements and evidence of invented names',
    20_000,
    async (words) => {
      const said = Array.from({ length: words }, (_, i) => `kaburi${i.toString(36)}a ${i}.5`).join(' ');
      const evidence = await Evidence.ofTranscript([{ text: said, startMs: 0, endMs: 1000 }], '', 'en');
      const invented = Array.from({ length: 24 }, (_, i) => ({
        text: `We met Kaburi${i}xyz and Kabutov at 77${i}.25 km.`,
      }));
      await checkStatements(invented, evidence, { language: 'en' });
    },
  ],
  ...['aB', 'A', 'Ab-', 'Aa '].map((piece): [string, number, (size: number) => unknown] => [
    `words of ${JSON.stringify(piece)} in statements`,
    // The engine does not hash longer words as a whole.
    16_000,
    async (size) => {
      const said = 'a '.repeat(4 * size) + 'a'.repeat(size);
      const evidence = await Evidence.of([{ text: said, language: 'en' }], 'en');
      const words = piece.repeat(size / piece.length);
      const statements = Array.from({ length: 24 }, (_, i) => ({
        text: `We met X${'y'.repeat(i)}${words}.`,
      }));
      await checkStatements(statements, evidence, { language: 'en' });
    },
  ]),
])('%s take time in proportion to their length', (_name, size, work) => expectLinear(size, work));

describe('an extractive summary', () => {
  it.each([
    ['one word', 'a'.repeat(400_000)],
    ['one word of capitals', 'Ä'.repeat(200_000)],
    ['punctuation', '.,;:!?"()[]-'.repeat(30_000)],
    ['punctuation with spaces', '. , ; " ( [ - '.repeat(30_000)],
    ['open brackets', '[ '.repeat(200_000)],
    ['the same word', 'oven '.repeat(80_000)],
    ['two words in turn', 'oven door '.repeat(40_000)],
    ['line breaks', '\n'.repeat(400_000)],
    ['commas behind a word', `oven${','.repeat(400_000)}`],
    ['different words', Array.from({ length: 50_000 }, (_, i) => `w${i.toString(36)}x`).join(' ')],
    ['pronouns', 'It is. They are. '.repeat(24_000)],
    ['labels', 'A: b\nC: d\n'.repeat(40_000)],
    ['Chinese without marks', '近年来人工智能技术发展迅速'.repeat(15_000)],
  ])('takes linear time over half a megabyte of %s', (_name, source) =>
    expectLinear(source.length, async (length) => {
      const { summary } = await summarizeExtractive(source.slice(0, length), {
        maxWords: 50,
        language: 'en',
      });
      expect(summary.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(50);
    }),
  );

  it('takes linear time for as many names of speakers as lines', () =>
    expectLinear(100_000, async (lines) => {
      const text = Array.from({ length: lines }, (_, i) => `N${i % (lines / 2)}: So it is said here.`).join(
        '\n',
      );
      await summarizeExtractive(text, { maxWords: 50, language: 'en' });
    }));

  it.each([
    ['zh', '今天我们来谈谈城市交通的问题。每年有三百万人乘坐地铁上班。新的线路将在明年开通。'],
    ['zh', '今天我们来谈谈城市交通的问题每年有三百万人乘坐地铁上班新的线路将在明年开通'],
    ['th', 'วันนี้ฝนตกหนักมากเราจึงอยู่บ้านและอ่านหนังสือกันทั้งวัน'],
  ])('shortens more than a million characters without blanks (%s, %#)', async (language, source) => {
    const long = source.repeat(Math.ceil(1_000_001 / source.length));
    const { summary } = await summarizeExtractive(long, { language, maxWords: 100 });
    expect(summary.length).toBeGreaterThan(20);
    expect(summary.length).toBeLessThan(600);
  });
});

describe('read_page', () => {
  const READ_AT_MOST = 4 * 1024 * 1024;
  let page: string;
  let site: FakePages;
  let host: RunningHost;
  beforeAll(async () => {
    const as = (type: string) => (_: unknown, response: ServerResponse) =>
      void response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(page);
    site = await fakePages({
      '/html': as('text/html'),
      '/text': as('text/plain'),
      '/markdown': as('text/markdown'),
    });
    host = await startHost(
      [
        ToolsModule.forRoot({
          apiKeys: ['a-key'],
          cache: false,
          readPage: { allowHosts: [site.host] },
          logRequests: false,
        }),
      ],
      ADAPTERS[0]![1](),
    );
  });
  afterAll(async () => {
    await closeHosts();
    await site.close();
  });

  it.each(
    ['/html', '/text', '/markdown'].flatMap((path) =>
      ['*', '_', '`', '\\', '~', '[', ']', '|', '&', '#', '>'].map((sign): [string, string] => [path, sign]),
    ),
  )('takes time in proportion to a page at %s of nothing but "%s"', (path, sign) =>
    expectLinear(READ_AT_MOST, async (size) => {
      page = `The reef. ${sign.repeat(size - 10)}`;
      const { status, body } = await host.http
        .post('/v1/tools/read_page')
        .set('X-API-Key', 'a-key')
        .send({ url: site.origin + path, max_tokens: 20_000 });
      expect({ status, body }).toMatchObject({
        status: 200,
        body: { data: { content: expect.stringMatching(/^The reef\./) } },
      });
    }),
  );
});

describe('the reader of tables of PDFs', () => {
  interface Item {
    str: string;
    width: number;
    transform: number[];
  }
  const textOf = new Function(`${PDF_TEXT} return textOf;`)() as (items: readonly Item[]) => string;
  const itemAt = (x: number, y: number, str = '12'): Item => ({
    str,
    width: 10,
    transform: [10, 0, 0, 10, x, y],
  });

  it.each<[string, (i: number) => Item]>([
    ['one table', (i) => itemAt((i % 3) * 100, Math.floor(i / 3) * -14)],
    ['small tables', (i) => itemAt((i % 3) * 100, Math.floor(i / 3) * -14 - Math.floor(i / 9) * 100)],
    ['one line', (i) => itemAt(i * 30, 0)],
    ['wide lines', (i) => itemAt((i % 1000) * 30, Math.floor(i / 1000) * -14)],
    ['lines of one cell below a row', (i) => (i < 2 ? itemAt(i * 100, 0) : itemAt(0, i * -14))],
    ['columns that move', (i) => itemAt(i * 30, Math.floor(i / 2) * -14)],
  ])('takes time in proportion to %s', (_, item) =>
    expectLinear(200_000, (length) => textOf(Array.from({ length }, (_, i) => item(i)))),
  );
});

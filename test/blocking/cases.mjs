import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, createDeflate, gzipSync } from 'node:zlib';
import { modelOn, tools } from './host.mjs';

const MIB = 1024 * 1024;
const VIDEO = 'blockVideo1';
const WARM = 'warmVideo01';

/** A text of so many characters, repeated from a piece. */
const filled = (piece, length) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

/** Ordinary prose: sentences of five to twenty words, made of two hundred. */
function prose(words, seed = 1) {
  let state = seed;
  const next = (n) => (state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff) % n;
  const vocabulary = Array.from(
    { length: 200 },
    (_, i) =>
      `${'aeiou'[i % 5]}${'bcdfglmnprst'[i % 12]}${'aeiou'[(i >> 2) % 5]}${'dklnrst'[i % 7]}${i % 3 ? 'er' : ''}`,
  );
  const sentences = [];
  for (let written = 0; written < words;) {
    const length = 5 + next(16);
    const sentence = Array.from({ length }, () => vocabulary[next(200)]).join(' ');
    sentences.push(`${sentence[0].toUpperCase()}${sentence.slice(1)}.`);
    written += length;
  }
  return sentences.join(' ');
}

const html = (body) => ({
  type: 'text/html; charset=utf-8',
  body: `<!doctype html><title>Reef</title><body><p>The reef.</p>${body}`,
});
const PAGE = MIB - 100;

/** Pages that a stranger may serve, each as large as is read. */
const PAGES = {
  'HTML, ordinary prose': () => html(`<p>${filled(prose(40_000), PAGE)}`),
  'HTML, ordinary paragraphs': () => html(filled(`<p>${prose(60)}</p>\n`, PAGE)),
  'HTML, `! `': () => html(filled('! ', PAGE)),
  'HTML, `. "`': () => html(filled('. "', PAGE)),
  'HTML, `<dt>a<dd>b`': () => html(`<dl>${filled('<dt>a<dd>b', PAGE)}`),
  'HTML, unclosed `<div>`': () => html(filled('<div>', PAGE)),
  'HTML, `<b><i>a</b></i>`': () => html(filled('<b><i>a</b></i>', PAGE)),
  'HTML, table cells': () => html(`<table>${filled('<tr><td>a<td>b', PAGE)}`),
  'HTML, list items': () => html(`<ul>${filled('<li>reef</li>', PAGE)}`),
  'HTML, `&amp;`': () => html(filled('&amp;', PAGE)),
  'HTML, `<pre>` of short lines': () => html(`<pre>${filled('a\n', PAGE)}`),
  'HTML, one word': () => html(filled('a', PAGE)),
  'HTML, numbers': () => html(filled('1,234.5 ', PAGE)),
  'HTML, Chinese': () => html(filled('珊瑚礁是由珊瑚虫建造的。', PAGE / 3)),
  'HTML, zero-width spaces': () => html(filled('a\u200b', PAGE / 4)),
  'HTML, attributes': () => html(filled('<p class="a b" style="color:red" id=x>y', PAGE)),
  'text, ordinary prose': () => ({ type: 'text/plain; charset=utf-8', body: filled(prose(40_000), MIB) }),
  'text, short lines': () => ({ type: 'text/plain', body: filled('a\n', MIB) }),
  'text, zero-width spaces': () => ({ type: 'text/plain; charset=utf-8', body: filled('a\u200b', MIB / 4) }),
  'text, windows-1252': () => ({ type: 'text/plain; charset=windows-1252', body: Buffer.alloc(MIB, 0x92) }),
  'text, GB 18030': () => ({ type: 'text/plain; charset=gb18030', body: Buffer.alloc(MIB, 0xc9) }),
  'gzip bomb, 200 MB of HTML': () => ({
    type: 'text/html',
    encoding: 'gzip',
    body: gzipSync(Buffer.alloc(200 * MIB, '<p>a ')),
  }),
  'gzip bomb, 200 MB of one sign': () => ({
    type: 'text/plain',
    encoding: 'gzip',
    body: gzipSync(Buffer.alloc(200 * MIB, 'a')),
  }),
  'brotli bomb, 200 MB': () => ({
    type: 'text/html',
    encoding: 'br',
    body: brotliCompressSync(Buffer.alloc(200 * MIB, 'a')),
  }),
};

/** A provider whose hits are the pages of the fake web. */
const engine = (web, count) => ({
  name: 'engine',
  search: () =>
    Promise.resolve({
      hits: Array.from({ length: count }, (_, i) => ({
        url: `${web}/${i}`,
        title: 'Reef',
        snippet: 'The reef.',
      })),
    }),
});

const pageOptions = ({ web }, count = 5) => ({
  cache: false,
  search: {
    providers: [engine(web, count)],
    pages: { allowHosts: [web.slice('http://'.length)], timeoutMs: 10_000 },
    deadlineMs: 20_000,
    answerDeadlineMs: 20_000,
  },
});

/** Five equal pages of a kind. */
const searchPages = (make, llmAnswer) => ({
  options: (outside) => pageOptions(outside),
  warm: async (outside, url) => {
    await outside.set({ pages: fivePages(html(`<p>${prose(300)}`)) });
    await outside.ask(url, 'search_web', { query: 'reef', llm_answer: llmAnswer });
    await outside.set({ pages: fivePages(await make()) });
  },
  ask: (outside, url) =>
    outside.ask(url, 'search_web', { query: 'what is the reef made of', llm_answer: llmAnswer }),
});
const fivePages = (page) => Object.fromEntries([0, 1, 2, 3, 4].map((i) => [`/${i}`, page]));

/** Pages as large as `read_page` reads: what its own text, tables, links and other formats can cost. */
const LARGE = 4 * MIB - 200;
const READ_PAGES = {
  'HTML, ordinary paragraphs': () => html(filled(`<p>${prose(60)}</p>\n`, LARGE)),
  'HTML, unclosed `<div>`': () => html(filled('<div>', LARGE)),
  'HTML, links': () => html(filled('<a href=/x>reef</a> ', LARGE)),
  'HTML, images': () => html(filled('<img alt="The reef" src=a.png>', LARGE)),
  'HTML, table cells': () => html(`<table>${filled('<tr><td>a<td>b', LARGE)}`),
  'HTML, one row of cells': () => html(`<table><tr>${filled('<td>a', LARGE)}`),
  'HTML, cells over 50 rows and columns': () =>
    html(`<table>${filled('<tr><td rowspan=50 colspan=50>a', LARGE)}`),
  'HTML, table in table': () => html(filled('<table><tr><td>', LARGE)),
  'HTML, list in list': () => html(filled('<ul><li>a, ', LARGE)),
  'HTML, headings': () => html(filled('<h2>Reef</h2>', LARGE)),
  'HTML, `<dt>a<dd>b`': () => html(`<dl>${filled('<dt>a<dd>b', LARGE)}`),
  'HTML, `&amp;`': () => html(filled('&amp;', LARGE)),
  'HTML, `*`': () => html(filled('*', LARGE)),
  'HTML, one word': () => html(filled('a', LARGE)),
  'HTML, `<code>`': () => html(filled('<code>`</code>', LARGE)),
  'HTML, `<pre>` of short lines': () => html(`<pre>${filled('a\n', LARGE)}`),
  'Markdown, links': () => ({ type: 'text/markdown', body: filled('[a](b) ', LARGE) }),
  'Markdown, rows': () => ({
    type: 'text/markdown',
    body: `| a | b |\n|---|---|\n${filled('| a | b |\n', LARGE)}`,
  }),
  'Markdown, "```"': () => ({ type: 'text/markdown', body: filled('```\n', LARGE) }),
  'Markdown, `|-|` below an element': () => ({
    type: 'text/markdown',
    body: `<br>\n\n${filled('|-|\n', LARGE)}`,
  }),
  'Markdown, open code below an element': () => ({
    type: 'text/markdown',
    body: `<br>\n\n${filled('```a\n\n', LARGE)}`,
  }),
  'Markdown, `[`': () => ({ type: 'text/markdown', body: filled('[', LARGE) }),
  'text, one line of prose': () => ({ type: 'text/plain', body: filled(prose(40_000), LARGE) }),
  'text, `\\`': () => ({ type: 'text/plain', body: filled('\\', LARGE) }),
  'text, `&`': () => ({ type: 'text/plain', body: filled('&', LARGE) }),
  'JSON, numbers': () => ({ type: 'application/json', body: `[${filled('1,', LARGE)}1]` }),
  'JSON, `[`': () => ({ type: 'application/json', body: filled('[', LARGE) }),
  'a feed': () => ({
    type: 'application/rss+xml',
    body: `<rss><channel>${filled('<item><title>Reef</title><description>It is.</description></item>', LARGE)}`,
  }),
};

const readPage = (make, query) => ({
  options: ({ web }) => ({
    readPage: { allowHosts: [web.slice('http://'.length)], timeoutMs: 20_000 },
  }),
  warm: async (outside, url) => {
    await outside.set({ pages: { '/warm': html(`<p>${prose(300)}`) } });
    await outside.ask(url, 'read_page', { url: `${outside.web}/warm`, query });
    await outside.set({ pages: { '/': make() } });
  },
  // The second answer comes from the cache.
  ask: async (outside, url) => {
    await outside.ask(url, 'read_page', { url: outside.web, query, max_tokens: 20_000 });
    return outside.ask(url, 'read_page', { url: outside.web, query, max_tokens: 20_000 });
  },
});

/** Documents of the host, searched for the first time. */
const firstSearch = (texts) => ({
  options: () => {
    const hosts = texts().map((text, i) => ({ url: `https://example.org/${i}`, title: `Note ${i}`, text }));
    return { cache: false, search: { providers: [tools.documents(hosts)], deadlineMs: 20_000 } };
  },
  ask: (outside, url) => outside.ask(url, 'search_web', { query: 'what is the reef made of' }),
});

/** A question over a few documents. */
const query = (text, llmAnswer = true) => ({
  options: () => ({
    cache: false,
    search: {
      providers: [
        tools.documents(
          Array.from({ length: 20 }, (_, i) => ({
            url: `https://example.org/${i}`,
            title: 'Reef',
            text: `The reef is made of coral. ${prose(2_000, i + 1)}`,
          })),
        ),
      ],
    },
  }),
  warm: (outside, url) => outside.ask(url, 'search_web', { query: 'reef', llm_answer: llmAnswer }),
  ask: (outside, url) => outside.ask(url, 'search_web', { query: text, llm_answer: llmAnswer }),
});

/** What a provider answers, whatever it was asked. */
const provided = (hits, llmAnswer = false) => ({
  options: () => {
    const made = hits();
    let given = [{ url: 'https://example.org/', title: 'Reef', snippet: prose(50) }];
    const provider = { name: 'own', search: () => Promise.resolve({ hits: given }) };
    return {
      cache: false,
      search: { providers: [provider], pages: false, deadlineMs: 20_000, answerDeadlineMs: 20_000 },
      hooks: { onUsage: () => (given = made) },
    };
  },
  warm: (outside, url) => outside.ask(url, 'search_web', { query: 'warm', llm_answer: llmAnswer }),
  ask: (outside, url) =>
    outside.ask(url, 'search_web', { query: 'what is the reef made of', llm_answer: llmAnswer, top_n: 20 }),
});
const twenty = (make) => () => Array.from({ length: 20 }, (_, i) => make(i));
const dated = (title) => () =>
  [2019, 2024].map((year) => ({
    url: `https://example.org/${year}`,
    title: `Reef ${title}`,
    snippet: prose(60, 7),
    publishedAt: `${year}-01-01`,
  }));

/** So many different words, of which no two sound alike. */
const differentWords = (count) =>
  Array.from({ length: count }, (_, i) => {
    const letters = [...i.toString(21).padStart(4, '0')].map((c) => 'bcdfghjklmnpqrstvwxyz'[parseInt(c, 21)]);
    return letters.map((letter, at) => letter + 'aeiou'[(i >> at) % 5]).join('');
  }).join(' ');

/** Sentences of words of {@link differentWords}, each with a name that is in none of them. */
const inventedNames = (count) => {
  const said = differentWords(20 * count).split(' ');
  return Array.from({ length: count }, (_, i) => {
    const words = said.slice(20 * i, 20 * i + 20).join(' ');
    return `It was Karlovin${'aeiou'[i % 5]}${'bcdfg'[(i % 7) % 5]} Brestnovar${'xyz'[i % 3]} who ${words}.`;
  }).join(' ');
};

const WARM_TRANSCRIPT = { title: 'Warm', language: 'en', text: prose(3_000) };
const transcripts = (transcript) => tools.memoryTranscripts({ [VIDEO]: transcript, [WARM]: WARM_TRANSCRIPT });

/** A transcript of the host, summarized without a model. */
const summary = (make, body = {}) => ({
  options: () => ({
    cache: false,
    youtube: { transcripts: [transcripts(make())] },
    summarize: { deadlineMs: 100_000 },
  }),
  warm: (outside, url) => outside.ask(url, 'summarize_content', { content_id: WARM, ...body }),
  ask: (outside, url) => outside.ask(url, 'summarize_content', { content_id: VIDEO, ...body }),
});

/** A transcript summarized by a model that answers with `answer`. */
const written = (make, answer, body = {}) => ({
  options: ({ llm }) => ({
    cache: false,
    model: modelOn(llm),
    youtube: { transcripts: [transcripts(make())] },
    summarize: { deadlineMs: 100_000 },
  }),
  warm: async (outside, url) => {
    await outside.set({ answer: writtenReply(prose(120), 1) });
    await outside.ask(url, 'summarize_content', { content_id: WARM, ...body });
    await outside.set({ answer: answer() });
  },
  ask: (outside, url) => outside.ask(url, 'summarize_content', { content_id: VIDEO, ...body }),
});

/** A reply in the form of a summary, with so many equal key points. */
const writtenReply = (text, points, quote = '') =>
  JSON.stringify({
    summary: text,
    key_points: Array.from({ length: points }, () => ({ t: 60, text: prose(10), quote })),
    sections: [],
  });

/** An answer of a model to a question over documents. */
const replied = (answer) => {
  const { options, ask } = query('what is the reef made of');
  return {
    options: ({ llm }) => ({ ...options(), model: modelOn(llm) }),
    warm: async (outside, url) => {
      await outside.set({ answer: prose(60) });
      await outside.ask(url, 'search_web', { query: 'reef', llm_answer: true });
      await outside.set({ answer: answer() });
    },
    ask,
  };
};

/** A video of the fake YouTube with so many lines of captions. */
const captions = (lines) => ({
  options: ({ youtube }) => ({
    cache: false,
    youtube: { transcripts: [tools.innertubeTranscripts({ baseUrl: youtube })] },
    summarize: { deadlineMs: 100_000 },
  }),
  warm: async (outside, url) => {
    await outside.set({ videos: { [WARM]: videoOf(500), [VIDEO]: videoOf(lines) } });
    await outside.ask(url, 'summarize_content', { content_id: WARM });
  },
  ask: (outside, url) => outside.ask(url, 'summarize_content', { content_id: VIDEO }),
});
function videoOf(count) {
  const words = prose(2_000).split(' ');
  const lines = Array.from({ length: count }, (_, i) => ({
    startMs: i * 200,
    endMs: i * 200 + 190,
    text: `${words[i % words.length]} ${words[(i * 7) % words.length]}`,
  }));
  return { durationMs: count * 200, tracks: [{ language: 'en', lines }] };
}

/** A PDF whose one page inflates to so many bytes. */
async function pdfBomb(bytes) {
  const blanks = Buffer.alloc(1_000_000, ' ');
  const stream = await buffer(
    Readable.from(
      (function* () {
        for (let left = bytes; left > 0; left -= blanks.length) yield blanks;
      })(),
    ).pipe(createDeflate({ level: 9 })),
  );
  const head = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[4 0 R]/Count 1>>endobj
3 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
4 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 144]/Resources<</Font<</F1 3 0 R>>>>/Contents 5 0 R>>endobj
5 0 obj<</Filter/FlateDecode/Length ${stream.length}>>stream
`;
  const tail = '\nendstream endobj\ntrailer<</Root 1 0 R>>';
  return Buffer.concat([Buffer.from(head), stream, Buffer.from(tail)]);
}

/** Results that the cache gives back, whoever wrote them. */
const cached = (value) => ({
  options: () => ({
    cache: { get: () => Promise.resolve(value()), set: () => Promise.resolve() },
    youtube: { transcripts: [transcripts(WARM_TRANSCRIPT)] },
  }),
  ask: (outside, url) => outside.ask(url, 'summarize_content', { content_id: VIDEO }),
});

/** A summary by the host's own summarizer, as long as one may be. */
const summarized = (text) => ({
  options: () => ({
    cache: false,
    youtube: { transcripts: [transcripts(WARM_TRANSCRIPT)] },
    summarizer: {
      engine: 'own',
      translates: true,
      summarize: () =>
        Promise.resolve({
          method: 'simple',
          text: text(),
          language: 'en',
          engine: 'own',
          keyPoints: [],
          sections: [],
          warnings: [],
        }),
    },
  }),
  ask: (outside, url) => outside.ask(url, 'summarize_content', { content_id: VIDEO }),
});

const DIGITS = () => ({
  title: 'Words',
  language: 'en',
  text: filled('one two three four five six seven eight nine ten eleven twelve. ', 800_000),
});
const LONG = () => ({ title: 'Talk', language: 'en', text: prose(150_000) });
const segments = (count, text) =>
  Array.from({ length: count }, (_, i) => ({ startMs: i * 500, endMs: i * 500 + 450, text: text(i) }));

/** Signs and words of which a text may be made: each string that others write is pumped with each. */
const PUMPS = {
  'words of mixed case': 'aB',
  'one word of capitals': 'A',
  'joined words': 'Ab-',
  names: 'Xaver Abel ',
  numbers: '1,5 ',
  'number words': 'twenty one ',
  money: '$1.5m ',
  dates: '1 May 2020 ',
  brackets: '(',
  quotations: '"a" ',
  accents: 'e\u0301',
  'stops of abbreviations': 'a.b. ',
};
const pumped = (make) =>
  Object.fromEntries(Object.entries(PUMPS).map(([name, piece]) => [name, () => make(piece)]));
const hitsOf = (piece) =>
  twenty((i) => ({
    url: `https://example.org/${i}`,
    title: `Reef ${filled(piece, 2_000)}`,
    snippet: `The reef is made of ${filled(piece, 20_000)}`,
  }));

/**
 * Every input by group and name. `options(outside)` of the host; `warm` prepares and warms it up; `ask` is what is measured.
 * @type {Record<string, Record<string, () => { options: Function, warm?: Function, ask: Function }>>}
 */
export const CASES = {
  'search, five pages of 1 MiB': Object.fromEntries(
    Object.entries(PAGES).map(([name, make]) => [name, () => searchPages(make, false)]),
  ),
  'answer from five pages of 1 MiB': Object.fromEntries(
    ['HTML, ordinary prose', 'HTML, ordinary paragraphs', 'HTML, `! `', 'HTML, numbers', 'HTML, Chinese'].map(
      (name) => [name, () => searchPages(PAGES[name], true)],
    ),
  ),
  'read_page, 4 MiB': Object.fromEntries(
    Object.entries(READ_PAGES).map(([name, make]) => [name, () => readPage(make)]),
  ),
  'read_page with a query, 4 MiB': Object.fromEntries(
    Object.entries(READ_PAGES).map(([name, make]) => [
      name,
      () => readPage(make, 'what is the reef made of'),
    ]),
  ),
  'first search over documents': {
    '2,000 of 500 words': () => firstSearch(() => Array.from({ length: 2_000 }, (_, i) => prose(500, i + 1))),
    '20,000 of 100 words': () =>
      firstSearch(() => Array.from({ length: 20_000 }, (_, i) => prose(100, i + 1))),
    'one of 1 MB of `! `': () => firstSearch(() => [filled('! ', 1_000_000), prose(100)]),
    'one of 1 MB of prose': () => firstSearch(() => [prose(200_000), prose(100)]),
    'one of 1 MB of "```"': () => firstSearch(() => [filled('```\n', 1_000_000), prose(100)]),
    'one of 1 MB of one word': () => firstSearch(() => [filled('a', 1_000_000), prose(100)]),
  },
  'answer of a provider': {
    'two dated titles of 64,000 `(`': () => provided(dated('('.repeat(64_000))),
    'two dated titles of 64,000 `[a`': () => provided(dated('[a'.repeat(32_000))),
    'two dated titles of 64,000 blanks': () => provided(dated(`${' '.repeat(64_000)}.`)),
    '20 addresses of 8,000 `/`': () =>
      provided(
        twenty((i) => ({
          url: `https://example.org/${i}${'/'.repeat(8_000)}a`,
          title: 'Reef',
          snippet: prose(20, i),
        })),
      ),
    '20 addresses of 1,900 `/`': () =>
      provided(
        twenty((i) => ({
          url: `https://example.org/${i}${'/'.repeat(1_900)}a`,
          title: 'Reef',
          snippet: prose(20, i),
        })),
      ),
    '20 addresses of 1,900 `a.`': () =>
      provided(
        twenty((i) => ({
          url: `https://${i}.${'a.'.repeat(950)}org/`,
          title: 'Reef',
          snippet: prose(20, i),
        })),
      ),
    '20 times 4,500 passages of one page': () =>
      provided(
        twenty((i) => ({
          url: 'https://example.org/',
          title: 'Reef',
          passages: Array.from({ length: 4_500 }, (_, n) => `Reef ${i} ${n}.`),
        })),
      ),
    '20 times 4,500 passages, answered': () =>
      provided(
        twenty((i) => ({
          url: `https://example.org/${i}`,
          title: 'Reef',
          passages: Array.from({ length: 4_500 }, (_, n) => `Reef ${i} ${n} is made of corals.`),
        })),
        true,
      ),
    '1,000 snippets of 5,000 characters': () =>
      provided(() =>
        Array.from({ length: 1_000 }, (_, i) => ({
          url: `https://example.org/${i}`,
          title: `Reef ${i}`,
          snippet: prose(800, i + 1),
        })),
      ),
    '100 results of 100 passages of 2,000 `<b>a</b>`': () =>
      provided(() =>
        Array.from({ length: 100 }, (_, i) => ({
          url: `https://example.org/${i}`,
          title: `Reef ${i}`,
          passages: Array.from({ length: 100 }, (_, n) => `Reef ${n} ${filled('<b>a</b>', 1_900)}`),
        })),
      ),
    '66 results of 300,000 characters': () =>
      provided(() =>
        Array.from({ length: 66 }, (_, i) => ({
          url: `https://example.org/${i}`,
          title: `Reef ${i}`,
          passages: [filled(prose(3_000, i + 1), 300_000)],
        })),
      ),
    'snippets of `<a `': () =>
      provided(
        twenty((i) => ({
          url: `https://example.org/${i}`,
          title: 'Reef',
          snippet: `Reef ${filled('<a ', 5_000)}`,
        })),
      ),
    'passages of `](`': () =>
      provided(
        twenty((i) => ({
          url: `https://example.org/${i}`,
          title: 'Reef',
          passages: [`Reef ${filled('](', 200_000)}`],
        })),
      ),
    'credits of 64,000 `(`': () =>
      provided(
        twenty((i) => ({
          url: `https://example.org/${i}`,
          title: 'Reef',
          snippet: 'The reef.',
          attribution: '('.repeat(64_000),
        })),
      ),
  },
  'titles of documents': {
    'two dated ones of 64,000 `(`': () => ({
      ...firstSearch(() => []),
      options: () => ({
        cache: false,
        search: {
          providers: [
            tools.documents(
              dated('('.repeat(64_000))().map(({ snippet: text, ...rest }) => ({ ...rest, text })),
            ),
          ],
          deadlineMs: 20_000,
        },
      }),
    }),
  },
  'query of 400 characters': {
    '`reef` 80 times': () => query(filled('reef ', 399)),
    '200 words of one letter': () => query(filled('a b c d e f g ', 399)),
    'quotation marks': () => query(filled('"a" ', 399)),
    'numbers and units': () => query(filled('12 km 3% ', 399)),
    'one word': () => query(filled('reef', 399)),
  },
  'transcript, no model': {
    '150,000 words': () => summary(LONG),
    '150,000 words of 12': () => summary(DIGITS),
    '400,000 segments': () =>
      summary(() => ({
        title: 'Lines',
        language: 'en',
        segments: segments(400_000, (i) => `word${i % 900} and word${i % 77}`),
      })),
    '1,000,000 characters of Chinese': () =>
      summary(() => ({
        title: '珊瑚',
        language: 'zh',
        text: filled('珊瑚礁是由珊瑚虫建造的。海洋里有很多鱼，', 1_000_000),
      })),
    '1,000,000 characters of Thai': () =>
      summary(() => ({
        title: 'ปะการัง',
        language: 'th',
        text: filled('แนวปะการังสร้างจากปะการังในทะเล', 1_000_000),
      })),
    '5 MB of `! `': () => summary(() => ({ title: 'Signs', language: 'en', text: filled('! ', 5_000_000) })),
    '5 MB of `. "`': () =>
      summary(() => ({ title: 'Signs', language: 'en', text: filled('. "', 5_000_000) })),
    'one word of 1 MB': () =>
      summary(() => ({ title: 'Word', language: 'en', text: filled('a', 1_000_000) })),
  },
  'transcript, model': {
    '150,000 words': () => written(LONG, () => writtenReply(prose(150), 1)),
    '20,000 different words and 24 invented names': () =>
      written(
        () => ({ title: 'Names', language: 'en', text: `${differentWords(20_000)}.` }),
        () => writtenReply(inventedNames(24), 24),
      ),
    '60,000 different words and 24 invented names': () =>
      written(
        () => ({ title: 'Names', language: 'en', text: `${differentWords(60_000)}.` }),
        () => writtenReply(inventedNames(24), 24),
      ),
    '150,000 words of 12': () =>
      written(DIGITS, () =>
        writtenReply(
          filled('One two three four five six seven eight nine ten eleven twelve. ', 800),
          800,
          'one two three four five six',
        ),
      ),
    '150,000 words of 12, recursive': () =>
      written(
        DIGITS,
        () =>
          `{"points":[${filled('{"t":60,"text":"One two three four five six seven.","quote":"one two three four five six"},', 16_000)}`,
        { method: 'recursive' },
      ),
  },
  'model output, summary': Object.fromEntries(
    Object.entries({
      '60,000 `[`': '[',
      '60,000 `(`': '(',
      '60,000 `*`': '*',
      '60,000 `"`': '"',
      '60,000 `#`': '#',
      '60,000 `. `': '. ',
      '60,000 `<`': '<',
      '60,000 spaces': ' ',
      '60,000 `a`': 'a',
      '60,000 digits': '1',
      '60,000 `- [1]`': '- [1] ',
      '60,000 short lines': 'a\n',
      '60,000 `https://a.b/`': 'https://a.b/ ',
      '60,000 `&lt;a `': '&lt;a ',
      '60,000 `` `a` ``': '`a` ',
    }).map(([name, piece]) => [
      name,
      () =>
        written(
          () => WARM_TRANSCRIPT,
          () => `The reef. ${filled(piece, 60_000)}`,
        ),
    ]),
  ),
  'model output, object': Object.fromEntries(
    Object.entries({
      '200,000 `[`': '[',
      '200,000 `{"a":`': '{"a":',
      '200,000 `" `': '" ',
      '200,000 `x" y `': 'x" y ',
      '200,000 `“`': '“',
      '200,000 `"` and line breaks': '"\n',
      '200,000 `\\`': '\\',
      '200,000 `{"a":1}`': '{"a":1}\n',
    }).map(([name, piece]) => [
      name,
      () =>
        written(
          () => WARM_TRANSCRIPT,
          () => `{"summary": "The reef. ${filled(piece, 200_000)}`,
        ),
    ]),
  ),
  'model output, map and answer': {
    'summary, `http://` and 30,000 `)`': () =>
      written(
        () => WARM_TRANSCRIPT,
        () => `The reef http://${filled(')', 30_000)}`,
      ),
    'notes of 60,000 `[`': () => written(LONG, () => filled('[', 60_000), { method: 'recursive' }),
    'notes of 60,000 `"`': () => written(LONG, () => filled('"', 60_000), { method: 'recursive' }),
    'notes, 2,000 objects': () =>
      written(LONG, () => `{"points":[${filled('{"t":1,"text":"One.","quote":"two"},', 60_000)}`, {
        method: 'recursive',
      }),
    'answer of 16,000 `[`': () => replied(() => filled('[', 16_000)),
    'answer of 16,000 `https://a.b/`': () => replied(() => filled('https://a.b/ ', 16_000)),
    'answer of 16,000 `[a](`': () => replied(() => filled('[a](', 16_000)),
    'answer of 16,000 `"`': () => replied(() => filled('"', 16_000)),
    'answer of 16,000 `. `': () => replied(() => filled('. ', 16_000)),
    'answer of 2,600 rows of a table': () => replied(() => `|a|b|\n|-|-|\n${filled('|1|2|\n', 15_900)}`),
    'answer of 1,000 rows and 120 quotations': () =>
      replied(() =>
        JSON.stringify({
          answerable: true,
          answer: `|a|b|\n|-|-|\n${filled('|1|2|\n', 6_000)}`,
          quotes: Array.from({ length: 120 }, (_, i) => ({ n: 1, quote: `${prose(6)} x${i}` })),
        }),
      ),
    'answer of 3,000 words': () => replied(() => filled(prose(3_000), 16_000)),
  },
  'pumped: query of 400 characters': pumped((piece) => query(filled(piece, 399))),
  'pumped: titles and snippets, answered': pumped((piece) => provided(hitsOf(piece), true)),
  'pumped: transcript of 500,000 characters, no model': pumped((piece) =>
    summary(() => ({ title: 'Pumped', language: 'en', text: filled(piece, 500_000) })),
  ),
  'pumped: answer of 16,000 characters': pumped((piece) =>
    replied(() =>
      JSON.stringify({ answerable: true, answer: `It is X${filled(piece, 15_900)}.`, quotes: [] }),
    ),
  ),
  'pumped: summary with key points and quotations': pumped((piece) =>
    written(
      () => WARM_TRANSCRIPT,
      () => writtenReply(`It is X${filled(piece, 16_000)}.`, 10, filled(piece, 1_000)),
    ),
  ),
  captions: {
    '20,000 lines': () => captions(20_000),
    '60,000 lines': () => captions(60_000),
  },
  PDF: {
    '475 KiB that inflate to 500 MB': () => ({
      ...searchPages(async () => ({ type: 'application/pdf', body: await pdfBomb(500_000_000) }), false),
      options: (outside) => {
        const options = pageOptions(outside);
        options.search.pages.pdf = tools.unpdfReader();
        return options;
      },
    }),
  },
  cache: {
    'a summary of 5 MB': () => cached(() => JSON.stringify({ text: filled('word ', 5_000_000) })),
    '5 MB of `[`': () => cached(() => filled('[', 5_000_000)),
    'not JSON': () => cached(() => '{"a'),
  },
  'own summarizer': {
    '1,000,000 characters': () => summarized(() => filled(prose(20_000), 1_000_000)),
  },
  'body of 100 kB': {
    'unknown fields': () => ({
      ...query('reef', false),
      ask: (outside, url) =>
        outside.ask(url, 'search_web', `{${Array.from({ length: 9_000 }, (_, i) => `"k${i}":1`).join()}}`),
    }),
    'nested arrays': () => ({
      ...query('reef', false),
      ask: (outside, url) =>
        outside.ask(url, 'search_web', `{"query":${'['.repeat(45_000)}${']'.repeat(45_000)}}`),
    }),
    'a long video address': () => ({
      ...query('reef', false),
      ask: (outside, url) =>
        outside.ask(url, 'summarize_content', { content_id: `https://youtu.be/${filled('?a=', 99_000)}` }),
    }),
  },
  'first request after start': {
    search: () => ({ ...query('reef', false), warm: undefined }),
    answer: () => ({ ...query('what is the reef made of', true), warm: undefined }),
    summary: () => ({ ...summary(() => WARM_TRANSCRIPT), warm: undefined }),
    'summary by a model': () => ({
      ...written(
        () => WARM_TRANSCRIPT,
        () => prose(100),
      ),
      warm: (outside) => outside.set({ answer: prose(100) }),
    }),
    'search with pages': () => ({
      ...searchPages(() => html(`<p>${prose(300)}`), false),
      warm: (outside) => outside.set({ pages: fivePages(html(`<p>${prose(300)}`)) }),
    }),
  },
};

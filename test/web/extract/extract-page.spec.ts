import MarkdownIt from 'markdown-it';
import fc from 'fast-check';
import { shownBlock, type Block } from '../../../lib/web/blocks.js';
import { extractPage } from '../../../lib/web/extract/extract-page.js';

const html = (body: string | Buffer, contentType = 'text/html; charset=utf-8') =>
  extractPage({ type: 'text/html', contentType, body: Buffer.from(body as string) });
/** The blocks as lines: cells of a row behind each other, an empty line where it is not the same list or table that goes on. */
const shown = ({ blocks }: { blocks: readonly Block[] }): string =>
  blocks
    .map(({ kind, text, cells }, i) => {
      const isTight = blocks[i - 1]?.kind === kind && (kind === 'item' || kind === 'row');
      return `${i === 0 ? '' : isTight ? '\n' : '\n\n'}${cells?.join(' | ') ?? text}`;
    })
    .join('');
const textOf = async (body: string): Promise<string> => shown(await html(body));

const PROSE =
  'The mitochondrion makes most of the supply of adenosine triphosphate of a cell, and this is used as a source of chemical energy, signalling and much else.';
const article = Array.from({ length: 6 }, (_, i) => `<p>${i + 1}. ${PROSE}</p>`).join('\n');
const links = (n: number): string =>
  Array.from(
    { length: n },
    (_, i) => `<li><a href="/${i}">Another story of this site, number ${i}</a></li>`,
  ).join('');

describe('the main text', () => {
  it('is the article, without what stands around it', async () => {
    const text = await textOf(`<!doctype html><html><head><title>T</title><style>p{}</style></head><body>
      <header><a href="/">Home of the site</a><p>Slogan of the site, which is long enough to look like text.</p></header>
      <nav><ul>${links(30)}</ul></nav>
      <main><article><h1>Cells</h1>${article}<h2>More</h2><ul><li>First point, with words</li><li>Second point</li></ul>
        <table><tr><th>Part</th><th>Number</th></tr><tr><td>Nucleus</td><td>1</td></tr></table></article>
        <aside>Read also this other thing, please, it is quite good and has a long text, with commas.</aside></main>
      <div class="comments">${'<p>I think, therefore, that this is wrong, and long, and so on, as comments are.</p>'.repeat(3)}</div>
      <footer>Copyright, all rights reserved, and so on.</footer><script>var x = "script text"</script></body></html>`);
    expect(text.split('\n\n')).toEqual([
      'Cells',
      ...Array.from({ length: 6 }, (_, i) => `${i + 1}. ${PROSE}`),
      'More',
      'First point, with words\nSecond point',
      'Nucleus | 1',
    ]);
  });

  it('is found where the page has no semantic elements', async () => {
    const text = await textOf(
      `<table><tr><td><ul>${links(20)}</ul></td><td><div id="c">${article}</div></td></tr></table>`,
    );
    expect(text).toContain(`6. ${PROSE}`);
    expect(text).not.toContain('Another story');
  });

  it('is gathered from sections side by side', async () => {
    const section = (name: string): string => `<div class="s"><h2>${name}</h2>${article}</div>`;
    const text = await textOf(
      `<div><ul>${links(9)}</ul></div><div id="w">${section('A')}${section('B')}${section('C')}</div>`,
    );
    for (const name of ['A', 'B', 'C']) expect(text).toContain(`${name}\n\n1. The`);
  });

  it('keeps a page whose wrapper is named like a menu', async () => {
    expect(await textOf(`<body><div class="nav-wrapper sidebar">${article}</div></body>`)).toContain(
      `3. ${PROSE}`,
    );
  });

  it('keeps a list within a list together with it', async () => {
    const point = 'The membrane of the cell is a layer of fats, and it lets water through but not salts.';
    const parts = '<ul><li><a href="/a">The inner part</a></li><li><a href="/b">The outer part</a></li></ul>';
    const text = await textOf(
      `<body><nav><ul>${links(9)}</ul></nav><article><h1>Cells</h1>${article}<ul><li>${point}${parts}</li><li>${point}</li></ul></article>`,
    );
    expect(text).toContain(`${point}\nThe inner part\nThe outer part\n${point}`);
    expect(text).not.toContain('Another story');
  });

  it('keeps a term with what is said of it', async () => {
    const members = ['high', 'low'].map(
      (name) =>
        `<dl><dt>${name}_waters(station, start, days=7)</dt><dd><p>Returns the ${name} waters of the station from the start on, as a list of objects with time and height.</p></dd></dl>`,
    );
    const text = await textOf(
      `<body><nav><ul>${links(9)}</ul></nav><main><h1>tides.calendar</h1><p>Computes high and low water for a harbour from its harmonic constants. All times are local ones.</p>${members.join('')}</main>`,
    );
    expect(text).toContain('high_waters(station, start, days=7) Returns');
    expect(text).toContain('low_waters(station, start, days=7) Returns');
    expect(text).not.toContain('Another story');
  });

  // Names of elements within articles, by reports about readers, and usual ones of what stands beside an article.
  it.each(
    [
      'ad-free author-box banner-text byline-text card-header comment-body comments contact-info content-header',
      'cookie-recipe embed-container entry-meta footer-note hentry js-media legends login-required-note media',
      'media-body media__content menu meta-text page-header popup post-tags promo promo-text related',
      'related-content remark share share-text sidebar sidebar-content social social-rel sponsor subscribe',
      'tag-bread tag-oats teaser text-widget toc-wrapper widget wp-block-embed wp-block-media-text',
    ]
      .join(' ')
      .split(' '),
  )('keeps a paragraph of an article in an element named %s', async (name) => {
    const inside =
      'Corals grow by a few centimetres a year, and a reef takes many thousands of years to form.';
    const text = await textOf(
      `<body><nav><ul>${links(9)}</ul></nav><article><h1>Reefs</h1>${article}<div class="${name}"><p>${inside}</p></div>${article}</article>`,
    );
    expect(text).toContain(inside);
  });

  it.each([
    [
      'a noscript with more text than the page',
      `<div id="app">Loading…</div><noscript><div>${article}</div></noscript>`,
    ],
    [
      'parts that React streams',
      `<main><template id="B:0"></template><p>Loading…</p></main><div hidden id="S:0"><article>${article}</article></div>`,
    ],
    [
      'the largest part that a script uncovers',
      `<p>Menu</p><div class="app" style="visibility:hidden">${article}</div>`,
    ],
    ['what follows an unclosed element in a noscript', `<noscript><div></noscript><main>${article}</main>`],
    ['what follows a mark of CDATA', `<body><![CDATA[<div></div><main>${article}</main>`],
    ...[
      ...['title', 'style', 'script', 'textarea', 'iframe'].map((name) => `<p>a<svg><${name}/></svg>`),
      '<div hidden>a<math><mi/><style/></math></div>',
      '<svg><style><![CDATA[ a > b </svg><textarea> ]]></style></svg>',
      '<!-- a --!>',
      '<!-->',
      '<!--->',
      ...['iframe', 'noembed', 'noframes', 'noscript'].flatMap((name) =>
        ['<!-- ', '<style>', '<textarea>', '<img alt="', '<noscript>', '<p '].map(
          (inside) => `<${name}>${inside}</${name}>`,
        ),
      ),
    ].map((hiding) => [`what follows ${hiding}`, `${hiding}<main>${article}</main>`]),
  ])('is %s', async (_what, body) => {
    const text = await textOf(`<body>${body}<script src="a.js"></script>`);
    for (let i = 1; i <= 6; i++) expect(text).toContain(`${i}. ${PROSE}`);
  });

  it.each([
    ['B:a', 'S:a', ''],
    ['B:a', 'S:b', 'Loading…\n\n'],
  ])('has no placeholder %s of the part %s', async (place, part, shown) => {
    const page = `<div><!--$?--><template id="${place}"></template><p>Loading…</p><!--/$--></div>`;
    expect(await textOf(`${page}<p>${PROSE}</p><div hidden id="${part}"><p>Streamed</p></div>`)).toBe(
      `${shown}${PROSE}\n\nStreamed`,
    );
  });

  it('has no hidden text where the page shows its own, and none that is hidden twice', async () => {
    expect(
      await textOf(`<main>${article}</main><div hidden>${article.repeat(3)} SECRET</div>`),
    ).not.toContain('SECRET');
    const covered = await textOf(
      `<div style="display:none">${article}<p style="display:none">SECRET</p></div>`,
    );
    expect(covered).toContain(PROSE);
    expect(covered).not.toContain('SECRET');
  });

  it('is all there is where the page is short', async () => {
    expect(await textOf('<p>Only this.</p>')).toBe('Only this.');
    expect(await textOf('no tags at all')).toBe('no tags at all');
    expect(await textOf('')).toBe('');
  });

  it('has paragraphs that were never closed, and preformatted lines as they are', async () => {
    const text = await textOf(
      `<div><p>${PROSE} One<p>${PROSE} Two<pre>a  b\n  c\n\n\n\nd</pre><p>${PROSE}<br>next line</div>`,
    );
    expect(text.split('\n\n').slice(0, 3)).toEqual([`${PROSE} One`, `${PROSE} Two`, 'a  b\n  c']);
    expect(text.split('\n\n').at(-1)).toEqual(`${PROSE} next line`);
  });

  it.each(['div', 'section', 'blockquote', 'p', 'li'])('has all of a very long %s', async (tag) => {
    const text = await textOf(`<h1>T</h1><${tag}>${`${PROSE} `.repeat(3000)}</${tag}>`);
    expect(text.replace(/\s+/g, ' ').split(PROSE)).toHaveLength(3001);
  });

  it('shows code as code behind a backslash or a backquote', async () => {
    const code = '<code>&lt;img src=x onerror=alert(1)&gt;</code>';
    const source = `<p>C:\\temp\\${code}</p><h2>C:\\${code}</h2><p>a\\\`${code}</p><table><tr><td>a\\${code}<td>b</table>`;
    const page = { type: 'text/html', body: Buffer.from(source), url: new URL('https://a.example/') };
    const { text = '' } = await extractPage(page);
    expect(text.match(/<img/g)).toHaveLength(4);
    expect(new MarkdownIt({ html: true }).render(text)).not.toContain('<img');
  });

  it('has formulas, without their source', async () => {
    const formula =
      '<math><semantics><mi>a</mi><mo>≠</mo><mn>0</mn><annotation>a \\neq 0</annotation></semantics></math>';
    expect(await textOf(`<p>When ${formula}, it holds.`)).toBe('When a≠0, it holds.');
  });

  it('ends no comment at what only looks like its end', async () => {
    expect(await textOf('<p>a<!--!>b--><!---!>c--><!-- -- > d -->e<!--f')).toBe('ae');
  });

  it('has whole entities and characters where a text without a tag is long', async () => {
    for (const piece of [
      '&eacute;',
      '&CounterClockwiseContourIntegral;',
      '&#x1F600;',
      '&notin;',
      '&amp',
      '😀',
    ])
      for (let i = 0; i < piece.length; i++) {
        const text = (
          await textOf(`<p>${'x'.repeat(65_536 - piece.length + i)}${piece.repeat(2)} y`)
        ).replace(/\s/g, '');
        const [sign] = (await textOf(`<p>${piece}`)).split('\n');
        expect(text.replace(/x/g, '')).toBe(`${sign}${sign}y`);
      }
  });

  it('has its entities decoded, and nothing decoded twice', async () => {
    expect(
      await textOf(
        '<p>caf&eacute; &amp; &#8220;x&#x201d; &lt;b&gt; &amp;lt; &notanentity; AT&T &#0; &#xD800; &#x110000;',
      ),
    ).toBe('café & “x” < b> &lt; ¬anentity; AT&T � � �');
  });
});

describe('the structure of a page', () => {
  const blocksOf = async (body: string): Promise<Block[]> =>
    (await html(`<main>${article}${body}</main>`)).blocks.slice(6);
  const textsOf = async (body: string): Promise<string[]> => (await blocksOf(body)).map(shownBlock);

  it('is what each text stands under, and what introduces it', async () => {
    const [h2, p, one, inner, after, code] = await blocksOf(
      '<h2>Hire</h2><p>Bring:<ol start=3><li><p>A lamp<ul><li>charged</ul></li></ol><p>Then:</p><pre class="language-sh"><code>a  \n\tb\n</code></pre>',
    );
    expect(h2).toMatchObject({ kind: 'heading', level: 2, text: 'Hire', headings: [] });
    expect(p).toMatchObject({ kind: 'paragraph', text: 'Bring:', headings: ['Hire'] });
    expect(one).toMatchObject({ kind: 'item', marker: '3.', depth: 0, text: 'A lamp', leadIn: 'Bring:' });
    expect(inner).toMatchObject({ kind: 'item', marker: '•', depth: 1, text: 'charged', leadIn: 'A lamp' });
    expect(after).toMatchObject({ kind: 'paragraph', text: 'Then:', headings: ['Hire'] });
    expect(code).toMatchObject({ kind: 'code', language: 'sh', text: 'a\n\tb', leadIn: 'Then:' });
  });

  it.each([
    ['<h2>Hours<a class="hash-link" href="#hours" title="Direct link">\u200b#</a></h2>', 'Hours'],
    ['<h2><a href="#hours">¶</a> Hours</h2>', 'Hours'],
    [
      '<h2>Hours<span class="mw-editsection">[<a href="?edit">edit</a> | <a href="?source">edit source</a>]</span></h2>',
      'Hours',
    ],
    ['<h2><a href="#hours">Hours</a></h2>', 'Hours'],
    ['<h2>Hours [winter]</h2>', 'Hours [winter]'],
    ['<h2>[<a href="/x">2</a>]</h2>', '[2]'],
  ])('has headings without the marks for a mouse: %s', async (body, heading) => {
    expect(await textsOf(body)).toEqual([heading]);
  });

  it.each([
    [
      '<tr><th>Day<th>From<th>To<tr><td rowspan=2>Mon<td>9<td>12<tr><td>14<td>17',
      ['Mon – From: 9; To: 12', 'Mon – From: 14; To: 17'],
    ],
    [
      '<tr><th rowspan=2>Day<th colspan=2>Hours<tr><th>From<th>To<tr><td>Mon<td>9<td>12',
      ['Mon – Hours From: 9; Hours To: 12'],
    ],
    ['<thead><tr><td>Day<td>From<tbody><tr><td>Mon<td>9', ['Mon – From: 9']],
    ['<tr><th>Weight<td>2 kg<tr><th>Colour<td>red', ['Weight: 2 kg', 'Colour: red']],
    ['<tr><td>Mon<td>9<tr><td>Tue<td>10', ['Mon: 9', 'Tue: 10']],
    ['<tr><th>Day<th>From', ['Day: From']],
    ['<tr><th>Day<th>From<tr><td>Mon<td><tr><td><td>9', ['Mon', 'From: 9']],
  ])('has the rows of a table with their columns: %s', async (rows, texts) => {
    expect(await textsOf(`<table>${rows}</table>`)).toEqual(texts);
  });

  it('has terms with what is said of them', async () => {
    expect(
      await textsOf(
        '<dl><dt>Weight<dd>2 kg<dt>How long?<dd><p>A day.</p><p>Or two.</p><dt>Tools<dd><ul><li>A saw</ul></dl>',
      ),
    ).toEqual(['Weight: 2 kg', 'How long? A day.', 'Or two.', 'Tools', '• A saw']);
  });

  it('has lines of an address apart, and wrapped ones together', async () => {
    expect(
      await textsOf(
        `<p>Town hall<br>12 High Street</p><p>${PROSE}<br>and more<br><br>New.</p><p><b>Opening hours</b></p><p>9 to 5`,
      ),
    ).toEqual(['Town hall', '12 High Street', `${PROSE} and more`, 'New.', 'Opening hours', '9 to 5']);
  });

  it('is that of a text file where preformatted text is all of the page', async () => {
    const { blocks } = await html(`<pre>Title\n=====\n\n${PROSE}\n${PROSE}\n\n- one\n- two</pre>`);
    expect(blocks.map(({ kind }) => kind)).toEqual(['heading', 'paragraph', 'item', 'item']);
  });
});

describe('hidden text', () => {
  it.each([
    '<div hidden>SECRET</div>',
    '<div hidden=""><p>x</p>SECRET</div>',
    '<span aria-hidden="true">SECRET</span>',
    '<div style="display:none">SECRET</div>',
    '<div STYLE="Display : None ! important; color:red">SECRET</div>',
    '<div style="color:red;display:none!important">SECRET</div>',
    '<div style="display:/**/none">SECRET</div>',
    '<div style="d\\69 splay:none">SECRET</div>',
    '<div style="display&colon;none">SECRET</div>',
    '<p style="visibility:hidden">SECRET</p>',
    '<p style="opacity:0">SECRET</p>',
    '<p style="opacity:.01">SECRET</p>',
    '<p style="font-size:0">SECRET</p>',
    '<p style="font-size:1px">SECRET</p>',
    '<p style="font:0/0 a">SECRET</p>',
    '<p style="position:absolute;left:-9999px">SECRET</p>',
    '<p style="position:fixed; top: -200em">SECRET</p>',
    '<p style="text-indent:-9999px">SECRET</p>',
    '<p style="width:1px;height:1px;overflow:hidden">SECRET</p>',
    '<p style="height:0;overflow:hidden">SECRET</p>',
    '<p style="clip:rect(0,0,0,0);position:absolute">SECRET</p>',
    '<p style="clip-path: inset(50%)">SECRET</p>',
    '<p style="transform: scale(0)">SECRET</p>',
    '<p style="color:#fff;background:white">SECRET</p>',
    '<p style="color:transparent">SECRET</p>',
    '<p style="color: rgba(0, 0, 0, 0)">SECRET</p>',
    `<p style="${'a:b;'.repeat(6000)}display:none">SECRET</p>`,
    '<p class="sr-only">SECRET</p>',
    '<p class="x visually-hidden y">SECRET</p>',
    '<p class="hidden">SECRET</p>',
    '<template><p>SECRET</p></template>',
    '<noscript>SECRET</noscript>',
    '<script>SECRET</script>',
    '<script type="text/plain">SECRET <p>SECRET</script>',
    '<style>SECRET</style>',
    '<svg><title>SECRET</title><text>SECRET</text></svg>',
    '<iframe>SECRET</iframe>',
    '<object>SECRET</object>',
    '<textarea>SECRET</textarea>',
    '<select><option>SECRET</select>',
    '<!-- SECRET -->',
    '<!-- <p>SECRET</p> --!> -->',
    '<!SECRET>',
    '<?SECRET?>',
    '<![CDATA[SECRET]]>',
    '<p title="SECRET" data-x="SECRET" alt="SECRET">x</p>',
    '<img alt="SECRET">',
    '<input value="SECRET">',
    '<meta name="description" content="SECRET">',
    '<div style="display:none"><span>a</span><div>b</div> SECRET</div>',
    '<span style="display:none">a<span>b</span> SECRET</span>',
    '<div style="display:none"><p>SECRET<p>SECRET</div>',
  ])('is left out: %s', async (hidden) => {
    const text = await textOf(`<main>${article}${hidden}${article}</main>`);
    expect(text).not.toContain('SECRET');
    expect(text.match(/6\. The/g)).toHaveLength(2);
  });

  it.each([
    '<p class="hidden md:block">SHOWN</p>',
    '<p class="d-none d-lg-block">SHOWN</p>',
    '<p style="color:#fff;background:#000">SHOWN</p>',
    '<p style="font-size:12px;opacity:0.9;left:-5px">SHOWN</p>',
    '<p style="font: italic 12px/30px Georgia, serif">SHOWN</p>',
    '<p style="width:0;height:auto">SHOWN</p>',
    '<p hidden="until-found">SHOWN</p>',
    '<p aria-hidden="false">SHOWN</p>',
    '<p><b>SH</b>OWN</p>',
    '<b><p>SHOWN</b></p>',
  ])('is not what is merely styled: %s', async (shown) => {
    expect(await textOf(`<main>${article}${shown}${article}</main>`)).toContain('SHOWN');
  });

  it('has no invisible characters, not even by entity', async () => {
    const tags = [...'ignore all'].map((char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join('');
    const text = await textOf(
      `<p>a\u200bb\u200c\u200d\u2060\ufeffc&#x202e;d\u2066e&shy;f${tags}&#xE0041;g\ufe0f\u061c\u3164h&zwnj;`,
    );
    expect(text).toBe('abcdefgh');
  });
});

describe('metadata', () => {
  it.each([
    ['<title> The\n title </title>', { title: 'The title' }],
    ['<title>A &amp; B &lt;c></title>', { title: 'A & B <c>' }],
    ['<title>Site</title><meta property="og:title" content="Story">', { title: 'Story' }],
    ['<svg><title>icon</title></svg><h1>Head</h1>', { title: 'Head' }],
    [`<title>${'x'.repeat(999)}</title>`, { title: 'x'.repeat(300) }],
    ['<html lang="pt-BR">', { language: 'pt' }],
    ['<meta http-equiv="Content-Language" content="de, en">', { language: 'de' }],
    ['<meta property="og:locale" content="fr_FR">', { language: 'fr' }],
    ['<html lang="klingonish">', {}],
    [
      '<meta property="article:published_time" content="2024-05-03T23:20:30+0200">',
      { publishedAt: '2024-05-03T23:20:30+02:00' },
    ],
    [
      '<meta name="date" content="Fri, 03 May 2024 9:10:11 GMT">',
      { publishedAt: '2024-05-03T09:10:11.000Z' },
    ],
    ['<meta name="date" content="2024-05-03T24:00:00Z">', { publishedAt: '2024-05-03' }],
    ['<meta name="date" content="2024-05-03T24:00+02:00">', { publishedAt: '2024-05-03' }],
    ['<meta name="date" content="2024-05-03T7:30-0330">', { publishedAt: '2024-05-03T07:30:00-03:30' }],
    ['<meta name="date" content="2024-05-03">', { publishedAt: '2024-05-03' }],
    ['<meta name="date" content="2024-05-03 23:59">', { publishedAt: '2024-05-03' }],
    ['<meta name="date" content="May 3, 2024">', { publishedAt: '2024-05-03' }],
    ['<meta name="citation_date" content="2024/5/3">', { publishedAt: '2024-05-03' }],
    ['<meta itemprop="datePublished" content="2024-05-03">', { publishedAt: '2024-05-03' }],
    ['<time datetime="2024-05-03">3 May</time>', { publishedAt: '2024-05-03' }],
    // A byline names the day of the publication, or of an update. One after the last change is of an event.
    ...[
      ['3 May 2024', '2023-02-01', '2025-02-01'],
      ['Friday, May 3, 2024', '2025-02-01', '2025-02-01'],
      ['Updated May 3, 2024', '2023-02-01', '2024-05-03T10:00Z'],
      ['Event on May 3, 2024', '2023-02-01', '2023-02-01'],
    ].map(([byline, published, modified], i): [string, object] => [
      `<script type="application/ld+json">{"datePublished":"${published}","dateModified":"${modified}"}</script><h1>A</h1><p>${byline}</p>`,
      { title: 'A', publishedAt: i < 3 ? '2024-05-03' : '2023-02-01' },
    ]),
    ['<time datetime="2024-05-03">3 May</time><time datetime="2001-01-01">x</time>', {}],
    [
      '<time datetime="2024-05-03T09:00Z">Question</time><time datetime="2024-05-03T11:00+01:00">Answer</time>',
      { publishedAt: '2024-05-03T09:00:00.000Z' },
    ],
    ['<meta name="w-published-date" content="2024-05-03">', { publishedAt: '2024-05-03' }],
    ['<meta name="last-modified-date" content="2024-05-03">', {}],
    [
      `<title>Bread of rye - Mill</title><h2>Bread of rye</h2><p>12 May 2026</p>`,
      { title: 'Bread of rye - Mill', publishedAt: '2026-05-12' },
    ],
    [`<h1>A</h1><p>${PROSE}</p><p>12 May 2026</p>`, { title: 'A', publishedAt: '2026-05-12' }],
    ['<main><p>x</p></main><aside><time datetime="2019-02-01">1 Feb</time></aside>', {}],
    ['<a href="/x"><time datetime="2019-02-01">1 Feb</time></a>', {}],
    [
      '<script type="application/ld+json">[{"@type":"ImageObject","datePublished":"2019-02-01"}]</script>',
      {},
    ],
    [
      '<script type="application/ld+json">{"@graph":[{"@type":"ImageObject","datePublished":"2019-02-01"},{"@type":"Article","datePublished":"2024-05-03"}]}</script>',
      { publishedAt: '2024-05-03' },
    ],
    ['<h1>A</h1><p>By Ann Miller, published 12 May 2026</p>', { title: 'A', publishedAt: '2026-05-12' }],
    ['<p>Nachricht vom 12.05.2026</p><h1>A</h1>', { title: 'A', publishedAt: '2026-05-12' }],
    [
      '<meta name="date" content="2024-05-03"><h1>A</h1><p>12 May 2026</p>',
      { title: 'A', publishedAt: '2024-05-03' },
    ],
    ['<h1>A</h1><p>From 12 May 2026</p><p>to 14 May 2026</p>', { title: 'A' }],
    ['<h1>A</h1><p>31.02.2026</p>', { title: 'A' }],
    [`<h1>A</h1><p>${PROSE}</p><p>${PROSE}</p><p>12 May 2026</p>`, { title: 'A' }],
    ['<h2>A</h2><p>12 May 2026</p>', {}],
    [
      '<meta name="expiration.date" content="2030-01-02"><meta name="dc.date" content="2020-01-01">',
      { publishedAt: '2020-01-01' },
    ],
    [
      '<meta name="unpublish_date" content="2030-01-02"><meta name="publication-number" content="20240102">',
      {},
    ],
    ['<meta name="date" content="yesterday">', {}],
    ['<meta name="date" content="7">', {}],
    ['<meta name="date" content="0001-01-01">', {}],
    ['<meta name="date" content="2024-13-45">', {}],
    [
      '<script type="application/ld+json">{broken "datePublished":"2001-01-01"</script><script type="application/ld+json">{"@graph":[{"datePublished" : "2024-05-03T00:00:00Z"}]}</script>',
      { publishedAt: '2024-05-03T00:00:00.000Z' },
    ],
  ])('of %s', async (head, expected) => {
    const { blocks, ...metadata } = await html(`${head}<p>${PROSE}</p>`);
    expect(shown({ blocks })).toContain(PROSE);
    expect(metadata).toEqual(expected);
  });
});

it.each([
  ['2024/05/03/rye', '2024-05-03'],
  ['news-20240503.html', '2024-05-03'],
  ['2024-05-33/rye', undefined],
  ['orders/1202405031', undefined],
])('the date of a page that says none is that in its address: %s', async (path, publishedAt) => {
  const url = new URL(`https://mill.example/${path}`);
  expect((await extractPage({ type: 'text/html', body: Buffer.from(PROSE), url })).publishedAt).toBe(
    publishedAt,
  );
});

describe('characters', () => {
  const latin = Buffer.from('<p>caf\xe9 \x93x\x94</p>', 'latin1');
  it.each([
    ['header', 'text/html; charset=ISO-8859-1', latin, 'café “x”'],
    ['header in quotes', 'text/html; charset="windows-1252"', latin, 'café “x”'],
    ['meta', 'text/html', Buffer.concat([Buffer.from('<meta charset=iso-8859-1>'), latin]), 'café “x”'],
    [
      'http-equiv',
      null,
      Buffer.concat([
        Buffer.from('<meta http-equiv="Content-Type" content="text/html; charset=latin1">'),
        latin,
      ]),
      'café “x”',
    ],
    ['nothing, not UTF-8', 'text/html', latin, 'café “x”'],
    ['nothing, UTF-8', null, Buffer.from('<p>café</p>'), 'café'],
    ['an unknown name', 'text/html; charset=none-such', Buffer.from('<p>café</p>'), 'café'],
    ['byte order mark over header', 'text/html; charset=latin1', Buffer.from('\ufeff<p>café</p>'), 'café'],
    ['UTF-16 mark', null, Buffer.from('\ufeff<p>café</p>', 'utf16le'), 'café'],
    ['a lie about UTF-16', null, Buffer.from('<meta charset="utf-16"><p>café</p>'), 'café'],
    ['Shift_JIS', 'text/html; charset=shift_jis', Buffer.from('3c703e93fa967b3c2f703e', 'hex'), '日本'],
    [
      'GBK',
      'text/html',
      Buffer.concat([Buffer.from('<meta charset="gbk">'), Buffer.from('d6d0b9fa', 'hex')]),
      '中国',
    ],
  ])('are read by %s', async (_case, contentType, body, expected) => {
    expect(shown(await extractPage({ type: 'text/html', contentType, body }))).toBe(expected);
  });

  it('cut in the middle of one are still UTF-8', async () => {
    const body = Buffer.from('<p>日本語').subarray(0, -1);
    expect(shown(await extractPage({ type: 'text/html', contentType: null, body }))).toBe('日本');
  });
});

describe('plain text', () => {
  it('is passed on with its lines, without what nobody sees', async () => {
    const body = Buffer.from('Title\r\n\r\n\r\n\r\nA  line <b>\u200b&amp;\0\n\ttwo\u202e\n');
    expect(shown(await extractPage({ type: 'text/plain', body }))).toBe('Title\n\nA line < b>&amp; two');
  });
});

describe('any page', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...[
        '<p>',
        '</p>',
        '<div>',
        '</div>',
        '<a href=x>',
        '</a>',
        '<li>',
        '<ul>',
        '</ul>',
        '<td>',
        '<tr>',
        '<table>',
      ],
      ...[
        '</table>',
        '<script>',
        '</script>',
        '<title>',
        '</title>',
        '<b hidden>',
        '</b>',
        '<svg>',
        '<path/>',
        '</svg>',
      ],
      ...[
        '<!--',
        '-->',
        '<pre>',
        '</pre>',
        '<br>',
        '</br>',
        '</',
        '<',
        '&',
        '&amp;',
        '&#x1f600;',
        '<h1>',
        '<hr/>',
        '"',
        "'",
      ],
      ...[
        '<p style="',
        '<template>',
        '</template>',
        '<constructor>',
        '<__proto__ __proto__=x>',
        '<toString toString>',
      ],
    ),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constant(PROSE),
  );

  it('is read without an error, and yields text without tags of its own or hidden characters', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 60 }), async (pieces) => {
        const text = await textOf(pieces.join(''));
        expect(text).toBe(text.trim());
        expect(text).not.toMatch(/[\u200b-\u200f\u202a-\u202e\u{e0000}-\u{e007f}\0]/u);
      }),
    );
  });
});

describe('a heading', () => {
  // turndown 7.2.5 makes a shorter heading and a paragraph of it: findings/heading-with-a-line-break.sh
  it('stays one line where the page breaks it', async () => {
    const body = Buffer.from(`<main><h1>Annual report<br>2026</h1>${article}</main>`);
    const url = new URL('https://example.org/');
    const { text } = await extractPage({ type: 'text/html', contentType: 'text/html', body, url });
    expect(text!.split('\n')[0]).toBe('# Annual report 2026');
  });
});

describe('a feed', () => {
  // Each differs in a reader of feeds: findings/rss-parser-xhtml-order.sh (rss-parser 3.13.0), findings/feed-titles-as-numbers.sh and
  // findings/atom-link-is-the-enclosure.sh (@extractus/feed-extractor 8.0.3).
  it('keeps its words in order, its titles as they are, and links to pages', async () => {
    const feed = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>007</title><id>urn:feed</id>
      <entry><title>1.10</title><id>urn:1</id><link rel="enclosure" href="https://example.org/a.mp3"/><link rel="alternate" href="https://example.org/a"/>
      <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Do <b>not</b> open the valve</p></div></content></entry></feed>`;
    const page = await extractPage({
      type: 'application/atom+xml',
      contentType: 'application/atom+xml',
      body: Buffer.from(feed),
      url: new URL('https://example.org/feed'),
    });
    expect(page.text).toBe('# 007\n\n## [1.10](https://example.org/a)\n\nDo not open the valve');
  });
});

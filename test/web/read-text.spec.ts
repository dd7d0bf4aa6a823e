import { shownBlock, type Block } from '../../lib/web/blocks.js';
import { readDocument, readText } from '../../lib/web/read-text.js';
import { readMarkdown } from '../../lib/web/read-markdown.js';
import fc from 'fast-check';

const pause = (): undefined => undefined;
const read = (text: string): Promise<Block[]> => readText(text, pause);
const shown = async (text: string): Promise<string[]> => (await read(text)).map(shownBlock);

describe('readText', () => {
  it('reads the structure of HTML', async () => {
    const html =
      '<h2>Prices</h2><p>All <b>new</b>:</p><ul><li>one</li><li>two</li></ul><ol><li>a</li><li>b</li></ol>' +
      '<table><tr><th>Bike</th><th>Fee</th></tr><tr><td>City</td><td>£1</td></tr></table><script>x()</script>';
    expect((await read(html)).map((b) => [b.kind, shownBlock(b)])).toEqual([
      ['heading', 'Prices'],
      ['paragraph', 'All new:'],
      ['item', '• one'],
      ['item', '• two'],
      ['item', '1. a'],
      ['item', '2. b'],
      ['row', 'City – Fee: £1'],
    ]);
    expect((await read(html))[1]!.headings).toEqual(['Prices']);
  });

  it('reads a table of HTML the same however its source is laid out', async () => {
    const rows = ['City – Day: £9; Week: £40', 'Gravel – Day: £18; Week: a|b'];
    const cells = [
      ['th', 'Bike', 'Day', 'Week'],
      ['td', 'City', '£9', '<p>£40</p>'],
      ['td', 'Gravel', '£18', 'a|b'],
    ];
    const table = (open: string, gap: string): string =>
      `<table>${open}${cells
        .map(([tag, ...texts]) => {
          const row = texts.map((text) => `${gap}<${tag}>${gap}${text}${gap}</${tag}>`);
          return `${gap}<tr>${row.join('')}${gap}</tr>`;
        })
        .join('')}${gap}</table>`;
    for (const source of [
      table('', ''),
      table('', '\n'),
      table('<caption>All bikes</caption>\n<thead>', '\n\n    '),
      table('<thead>', '').replace('</tr>', '</tr></thead>\n<tbody>\n'),
      table('', '').replace(/<\/t[dhr]>/g, '\n'),
      `<table><tr><td><h1>Shop</h1><p>Welcome.</p>${table('', '\n')}</td></tr></table>`,
    ])
      expect((await read(source)).filter((b) => b.kind === 'row').map((b) => b.text)).toEqual(rows);
  });

  it('reads the paragraphs of a page that is laid out by a table', async () => {
    const text = 'The shop repairs all bikes. '.repeat(20).trim();
    expect(
      await shown(`<table><tr><td>\n<p>${text}</p>\n<p>Second.</p></td><td><p>Third.</p></td></tr></table>`),
    ).toEqual(expect.arrayContaining(['Second.', 'Third.']));
  });

  it.each([
    [
      'a cell with a list behind a paragraph',
      '<table><tr><td><a href="/">Home</a></td><td><p>Bring:</p><ul><li>a rope</li><li>a lamp</li></ul><p>Meet us.</p></td></tr></table>',
      ['Home', 'Bring:', '• a rope', '• a lamp', 'Meet us.'],
    ],
    [
      'a cell alone',
      '<table><tr><td>Dear guest,<br><br>your table is booked.<br><br>Rosa</td></tr></table><p>Bye.</p>',
      ['Dear guest,', 'your table is booked.', 'Rosa', 'Bye.'],
    ],
    [
      'a cell with a heading and a table',
      '<table><tr><td>Home</td><td><h1>Shop</h1><table><tr><th>Bike</th><th>Fee</th></tr><tr><td>City</td><td>£1</td></tr></table></td></tr></table>',
      ['Home', 'Shop', 'City – Fee: £1'],
    ],
  ])('takes a row with %s for the layout of a page', async (_, html, blocks) => {
    expect(await shown(html)).toEqual(blocks);
  });

  it('keeps the row of a table whose cells have paragraphs, lists and lines', async () => {
    const rows =
      '<tr><td><p>Anna</p></td><td><p>Mon</p><p>Tue</p></td></tr><tr><td>Bo</td><td><p>Only:</p><ul><li><p>Wed</p></li></ul></td></tr>' +
      '<tr><td colspan="2">Call<br>first</td></tr>';
    expect(await shown(`<table><tr><th>Who</th><th>When</th></tr>${rows}</table>`)).toEqual([
      'Anna – When: Mon Tue',
      'Bo – When: Only: Wed',
      'Call first',
    ]);
  });

  it.each([
    '<table><tr><td>Old</td>\n<td>\n\nFENCED\n\n</td></tr></table>\n\nAfter.',
    '<ul><li>Old\n\nFENCED\n\nAfter.',
    '<p>Old\nFENCED\nAfter.</p>',
  ])('ends code in HTML behind its fence: %j', async (html) => {
    const blocks = await read(html.replace('FENCED', '```js\na;\n```'));
    expect(blocks.map(({ kind, text }) => [kind, text])).toEqual([
      [expect.any(String), 'Old'],
      ['code', 'a;'],
      ['paragraph', 'After.'],
    ]);
  });

  it('reads a list of HTML the same however its source is laid out', async () => {
    const source =
      '<ol>\n  <li>\n    First\n    thing.\n  </li>\n\n  <li><p>Second.</p>\n<ul>\n<li>Inner.</li>\n</ul>\n</li>\n<li>Third.<br>\nMore.</ol>';
    for (const html of [source, source.replace(/\s+/g, ' '), source.replace(/<\/li>/g, '')])
      expect((await read(html)).map((b) => [shownBlock(b), b.leadIn])).toEqual([
        ['1. First thing.', undefined],
        ['2. Second.', undefined],
        ['• Inner.', 'Second.'],
        ['3. Third. More.', undefined],
      ]);
  });

  it('takes the lines of a heading or paragraph of HTML together, but not of code or of Markdown in HTML', async () => {
    expect(await shown('<h2>\n  Opening\n  Hours\n</h2>\n<p>\n  On Monday\n  None.\n</p>')).toEqual([
      'Opening Hours',
      'On Monday None.',
    ]);
    expect(await shown('<pre>On Monday\nNone.</pre>')).toEqual(['On Monday', 'None.']);
    expect(await shown('<p>\n\n# Title\n\n- a\n- b')).toEqual(['Title', '• a', '• b']);
  });

  it('leaves out comments', async () => {
    expect(await shown('<!-- ignore all\n\nprevious -->Text.')).toEqual(['Text.']);
  });

  it('reads a whole page without what stands around its text', async () => {
    const text = 'The shop repairs all bikes, old and new ones, every day. '.repeat(6).trim();
    const page = `<!doctype html><html><body><nav><a href="/">Home</a></nav><main><h1>Shop</h1><p>${text}</p></main><footer>Imprint</footer></body></html>`;
    expect(await shown(page)).toEqual(['Shop', text]);
  });

  it('keeps signs of less-than and code that are no tags', async () => {
    expect(
      await shown('<p>If a < b, use `Map<string, <div>>` or Promise<User>.</p>\n\n```html\n<p>x</p>\n```'),
    ).toEqual(['If a < b, use Map<string, < div>> or Promise<User>.', '< p>x< /p>']);
  });

  it('gives clean, non-empty text for anything', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }), async (pieces) => {
        for (const block of await read(pieces.join(''))) {
          expect(block.text.trim()).not.toBe('');
          expect(block.text).not.toMatch(/[\u200b\0]|<(?:img|[!/?])/);
          if (block.kind !== 'code') expect(block.text).not.toContain('\n');
        }
      }),
    );
  });
});

const PIECES = [
  ...[
    '#',
    ' ',
    '\n',
    '|',
    '-',
    '*',
    '_',
    '`',
    '```',
    '<',
    '>',
    '[',
    ']',
    '(',
    ')',
    'a',
    'Bo',
    '1.',
    '\u200b',
    '&lt;',
  ],
  ...[
    'img src=x',
    '</',
    '=',
    '!',
    '~',
    ':',
    '<td>',
    '<li>',
    '\t',
    '    ',
    '<table>',
    '<tr>',
    '<th>',
    '</table>',
    '<ul>',
  ],
  ...[
    '<ol>',
    '</ul>',
    '<p>',
    '<h2>',
    '</h2>',
    '<br>',
    '<pre>',
    '</pre>',
    '<b>',
    '</b>',
    '<dl><dt>',
    '<dd>',
    '</dl>',
    '\\',
  ],
];

describe('readDocument', () => {
  it.each([
    '<h2>C#</h2><p>1. is <b>no</b> list</p><p># nor * a * heading *</p><p>- x</p><p>[a](b) &amp;amp; `c` \\*</p>',
    '<table><tr><th>a|b</th><th></th></tr><tr><td>x</td><td>y|z</td></tr></table><table><tr><td>1</td><td>2</td></tr></table>',
    '<p>Bring:</p><ul><li><p>One</p><p>more</p></li><li>Two<ul><li>in</li></ul></li></ul><p>End.</p>',
    '<p>::: a</p><p>!!! b</p><p>{% c</p><p>%% d</p><p>[g]: h</p>',
    '<p><b>a*#*</b></p><p><b>snake_case ~ 2*3</b></p><p>snake_case</p>',
    '<pre><code class="language-ts">a\n  b();\n```\n</code></pre><p><b>Hours</b></p><blockquote><p>Said.</p></blockquote>',
  ])('says the same as the HTML: %s', async (html) => {
    const blocks = readMarkdown((await readDocument(html, pause)).text);
    expect(blocks.map(asRead)).toEqual((await read(html)).map(asRead));
  });

  it('keeps what stands behind a tag that its words name', async () => {
    const { text } = await readDocument(
      '# Guide\n\nPut the <script> tag last.\n\n## Install\n\nRun it.',
      pause,
    );
    expect(readMarkdown(text).map(shownBlock)).toEqual([
      'Guide',
      expect.stringContaining('tag last.'),
      'Install',
      'Run it.',
    ]);
  });

  it('loses no block of any HTML', async () => {
    const texts = (blocks: readonly Block[]): string =>
      blocks
        .map(shownBlock)
        .join(' ')
        .replace(/[^\p{L}\p{N}]+/gu, ' ');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }), async (pieces) => {
        const html = `<p>${pieces.join('')}`;
        expect(texts(readMarkdown((await readDocument(html, pause)).text))).toBe(texts(await read(html)));
      }),
    );
  });
});

const asRead = ({ kind, text, headings, leadIn, cells, columns, marker, language }: Block): object => ({
  ...{ kind, text, headings, leadIn, cells, columns, marker, language },
});

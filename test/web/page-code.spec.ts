import MarkdownIt from 'markdown-it';
import { marked, type Token } from 'marked';
import { readdirSync } from 'node:fs';
import { report, shownPage } from '../support/read-page.js';
import { faultsOfMarkdown } from '../support/rendered.js';

/** What a renderer shows as code, in order. */
const CODE_OF: Record<string, (markdown: string) => string[]> = {
  'markdown-it': (markdown) => {
    const visit = (tokens: readonly { type: string; content: string; children: unknown }[]): string[] =>
      tokens.flatMap(({ type, content, children }) =>
        /^(?:fence|code_block|code_inline)$/.test(type)
          ? [content.trimEnd()]
          : visit((children ?? []) as never),
      );
    return visit(new MarkdownIt().parse(markdown, {}));
  },
  marked: (markdown) => {
    const code: string[] = [];
    void marked.walkTokens(marked.lexer(markdown), (token: Token) => {
      if (token.type === 'code' || token.type === 'codespan')
        code.push((token as { text: string }).text.trimEnd());
    });
    return code;
  },
};

describe.each(Object.entries(CODE_OF))('code of a Markdown file, as %s shows it', (_name, codeOf) => {
  it.each(readdirSync('test/fixtures/reports').filter((file) => file.endsWith('.md')))(
    'is sign for sign that of %s',
    async (file) => {
      const source = report(file);
      const code = codeOf(source.replace(/^---\n[^]*?\n---\n/, ''));
      expect(code.length).toBeGreaterThan(0);
      // A `pre` of HTML is code as well.
      const shown = codeOf(await shownPage('text/markdown', source));
      expect(shown.filter((part) => code.includes(part))).toEqual(code);
    },
  );

  it.each([
    ['behind a paragraph', 'Text\n```html\n<b>x</b>\n```\nmore', '<b>x</b>'],
    ['without an end', 'Text\n\n```html\n<b>x</b>', '<b>x</b>'],
    ['with a fence in it', '~~~\n```\n<b>x</b>\n```\n~~~', '```\n<b>x</b>\n```'],
    [
      'in an item of an item',
      '- a\n  - b\n    ```\n    <b>x</b>\n\n      <i>y</i>\n    ```',
      '<b>x</b>\n\n  <i>y</i>',
    ],
    ['in an item of a quotation', '> 1. a\n>\n>    ```\n>    <b>x</b>\n>    ```\n> 2. b', '<b>x</b>'],
    ['with tabs', '```go\n\tif a < b {\n\t\treturn <-c\n\t}\n```', '\tif a < b {\n\t\treturn <-c\n\t}'],
    ['between two backquotes', 'See ``a ` <b>`` now', 'a ` <b>'],
    [
      // markdown-it 14.3.3 looks for a table before it looks for a fence.
      'behind a fence that looks like the head of a table',
      '````md | a\n| - | - |\n| <i>x</i> | y |\n````',
      '| - | - |\n| <i>x</i> | y |',
    ],
    ['in a cell', '| a | b |\n|---|---|\n| `x<b>` | y |', 'x<b>'],
    ['by its indentation', 'Text\n\n    <b>x</b>\n\nmore', '<b>x</b>'],
  ])('stays %s', async (_case, source, code) => {
    expect(codeOf(await shownPage('text/markdown', source))).toEqual([code]);
  });

  it.each([
    ['<pre><code>&lt;div class="a"&gt;\n```\n&lt;/div&gt;</code></pre>', '<div class="a">\n```\n</div>'],
    ['<p>A tag <code>&lt;img src="x"&gt;</code> here', '<img src="x">'],
    ['<p>Run <code>a ` &lt;b&gt;</code> here', 'a ` <b>'],
    ['<table><tr><th>a<th>b<tr><td><code>&lt;b&gt; | c</code><td>d</table>', '<b> | c'],
    [
      '<ol><li>a<ul><li>b<pre>&lt;b&gt;\n```\n\n  - c\n   ~~~</pre>d</li></ul></li><li>e</li></ol>',
      '<b>\n```\n\n  - c\n   ~~~',
    ],
  ])('stays in a page: %s', async (source, code) => {
    expect(codeOf(await shownPage('text/html', source))).toEqual([code]);
  });
});

it.each([
  ['text/markdown', 'Click [^1].\n\n[^1]: javascript\\:alert(1)'],
  ['text/markdown', 'Click [^1].\n\n[^1]: j&Tab;avascript:alert(1)'],
  ['text/markdown', 'Click [^1].\n\n[^1]: data\\:text/html,x "t"'],
  ['text/markdown', 'a `x | <img src=x onerror=alert(1)>` b\n- | -'],
  ['text/markdown', 'a | b\n-|-\n2. `x | <img src=x onerror=alert(1)>` y'],
  [
    'text/html',
    '<ul><li>a <code>x | &lt;img src=x onerror=alert(1)&gt;</code> b<ul><li>| -</li></ul></li></ul>',
  ],
])('nothing is live in %s %j, a footnote or a table for one renderer alone', async (type, source) => {
  const isOfPage = (url: string): boolean => url.startsWith('https://mill.example/');
  expect(faultsOfMarkdown(await shownPage(type, source), isOfPage)).toEqual([]);
});

it('a footnote of two words stays one', async () => {
  const source = 'Said so.[^1]\n\n[^1]: The source says so.';
  expect(await shownPage('text/markdown', source)).toBe(source);
});

it('links and definitions of a Markdown file lead where they led; others are text', async () => {
  const source =
    'See [a][1], [b](guide.md "T"), <https://c.example/> and [d](javascript:alert(1)).[^1]\n\n' +
    '[1]: https://a.example/\n[2]: ./two.md\n[3]: javascript:x\n\n[^1]: The note.';
  expect(await shownPage('text/markdown', source)).toBe(
    'See [a][1], [b](https://mill.example/docs/guide.md "T"), <https://c.example/> and [d]\\(javascript :alert(1)).[^1]\n\n' +
      '[1]: https://a.example/\n[2]: https://mill.example/docs/two.md\n[3]\\: javascript :x\n\n[^1]: The note.',
  );
});

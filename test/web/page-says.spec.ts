import MarkdownIt from 'markdown-it';
import { marked } from 'marked';
import { readPage, report, shownPage } from '../support/read-page.js';

const PROSE = 'Bread made with a long cold rise keeps its crumb soft for days, and the crust stays thin.';
const WORDS = 'The mill stands by the brook, and its wheel turns all year but for the weeks of hard frost.';
const OTHERS =
  'A barn of stone stands across the yard, and the miller keeps his flour and his two mules in it.';
const shown = (html: string): Promise<string> =>
  shownPage('text/html', `<main><h1>T</h1><p>${PROSE}</p>${html}</main>`);
/** What of a page stands behind its first paragraph. */
const rest = async (html: string): Promise<string> => (await shown(html)).split(`${PROSE}\n\n`)[1] ?? '';

const RENDERERS: Record<string, (markdown: string) => string> = {
  marked: (markdown) => marked.parse(markdown, { async: false }),
  'markdown-it': (markdown) => new MarkdownIt({ html: true }).render(markdown),
};
const wordsOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(
      /&(lt|gt|amp|quot|#39);/g,
      (_, name: string) => ({ lt: '<', gt: '>', amp: '&', quot: '"' })[name] ?? "'",
    )
    .replace(/\s+/g, ' ')
    .trim();

describe('a page says in Markdown what it says', () => {
  it.each([
    [
      'sup-sub.html',
      ['10^10 cells', '10^6 in', '2019[1] and', '2021[2].', '25 m^2', 'CO₂', '10^−9', '2^8', '5th'],
    ],
    ['katex.html', ['is E=mc^2, and the rate is 3/4 of it, as x^3 shows']],
    [
      'strike.html',
      [
        '~~80 €~~ 70 €',
        '~~Monday~~ Tuesday',
        '~~Ann~~ Bob',
        '~~new~~ old',
        '- [x] Flour ordered\n- [ ] Salt ordered',
      ],
    ],
    [
      'orders.html',
      [
        'He said "yes" and',
        '3. gold three\n2. gold two\n1. gold one',
        '1. flour\n2. water\n\n1) heat\n2) wait',
      ],
    ],
    [
      'aria-roles.html',
      [
        '# Rooms of the mill\n',
        '## The tools\n\n- A wooden peel\n- A brass scale',
        '| Name | Weight |\n|---|---|\n| Peel | 2 kg |',
      ],
    ],
    ['code-in-divs.html', ['```\nif oven:\n    print(123)\n    print(456)\n```']],
    ['line-numbers.html', ['\n\n```javascript\nconst a = 1;\n\nconsole.log(a);\n```']],
    ['lists.html', ['1. Download it\n   1. for Linux\n   2. for macOS\n2. Unpack it']],
    ['table-inner.html', ['| outer in1 in2 | right |\n| second | last |']],
    ['table-bar.html', ['| c\\\\\\|d | either |']],
  ])('in %s', async (file, parts) => {
    const content = await shownPage('text/html', report(file));
    for (const part of parts) expect(content).toContain(part);
    if (file === 'line-numbers.html') expect(content).not.toContain('1\n2\n3');
  });

  it.each([
    ['x<sub>i+1</sub>, a<sub>n</sub>', 'x\\_(i+1), a_n'],
    ['H<sub>2</sub>SO<sub>4</sub> and CO<sub>2</sub>', 'H₂SO₄ and CO₂'],
    ['10<sup><i>n</i></sup>, e<sup>ix</sup>, 2<sup>n+1</sup>', '10^n, e^ix, 2^(n+1)'],
    ['1<sup>1</sup>/<sub>2</sub> cups, <sup>3</sup>&frasl;<sub>4</sub> cup', '1 1/2 cups, 3⁄4 cup'],
    ['x<sup>2</sup>/<sub>3</sub>', 'x^2/3'],
    ['the end.<sup>4</sup> Next', 'the end.[4] Next'],
    ['the 2<sup>nd</sup>, le 1<sup>er</sup>, 3<sup>a</sup>, Mill<sup>®</sup>', 'the 2nd, le 1er, 3a, Mill®'],
    ['word<sup><a href="#n1">a</a></sup> next', 'word[a] next'],
    ['was <del>€100</del><ins>€80</ins> now', 'was ~~€100~~ €80 now'],
    ['<s>both <b>words</b></s>, rest', '~~both words~~, rest'],
    [
      '<math><msqrt><mi>x</mi></msqrt><mo>+</mo><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac></math>',
      '√x+(a+b)/2',
    ],
    [
      '<math><semantics><mi>x</mi><annotation encoding="application/x-tex">\\frac{3}{4}</annotation></semantics></math>',
      '\\frac{3}{4}',
    ],
    [
      '<span style="display: none"><math></math></span><img aria-hidden="true" alt="{\\displaystyle E=mc^{2}}"> by <script type="math/tex">x^2</script>',
      'E=mc^{2} by x^2',
    ],
    ['$19<sup>99</sup>, $<b>1.299</b>,<sup>00</sup>, $1.299<sup>00</sup>', '$19.99, $1.299,00, $1.299,00'],
    ['$19<sup>98</sup>, £4<sup>97</sup>, $10<sup>88</sup>', '$19.98, £4.97, $10.88'],
    [
      '<sup>$</sup>3<sup>47</sup>, $<strong>698</strong><sup>.00</sup>, 2<sup>.5</sup>',
      '$3.47, $698.00, 2^.5',
    ],
    [
      '$3.50<sup>12</sup>, $1,000<sup>6</sup>, $4<a href="#n"><sup>12</sup></a>',
      '$3.50[12], $1,000[6], $4[12]',
    ],
    ['$30<sup>12</sup> million, $30<sup>12</sup> each, 2<sup>47</sup>', '$30[12] million, $30.12 each, 2^47'],
    ['19<sup>99</sup> €, 5,<sup>49</sup>&nbsp;€, 10<sup>24</sup> cells', '19.99 €, 5,49 €, 10^24 cells'],
    [
      '10<sup>12</sup> $, $10<sup>15</sup>, 10<sup>99</sup> €, 19<sup>12</sup> €',
      '10^12 $, $10^15, 10.99 €, 19.12 €',
    ],
    ['by <sup>14</sup>C, (<sup>235</sup>U), a<sup>2</sup>B', 'by ¹⁴C, (²³⁵U), a^2B'],
    ['a <sup>14</sup>CO<sub>2</sub> of <sup>23</sup>NaCl', 'a ¹⁴CO₂ of ²³NaCl'],
    ['<sup>2</sup>Note of a table', '[2]Note of a table'],
    ['So it was. <sup>2</sup>The next verse', 'So it was. [2]The next verse'],
    ['Li <sup>1</sup>University of Rome', 'Li [1]University of Rome'],
    ['x<sub>i</sub><sup>2</sup>, as said<sup>1,2</sup> and<sup>3–5</sup>', 'x_i^2, as said[1,2] and[3–5]'],
    ['Mill<sup>TM</sup>', 'Mill™'],
    ['read of <a href="/x">E=mc<sup>2</sup></a> there', 'read of [E=mc^2](https://mill.example/x) there'],
    [
      'read of <a href="/x">CO<sub>2</sub> <b>now</b></a> there',
      'read of [CO₂ now](https://mill.example/x) there',
    ],
    [
      'read of <a href="/x">a</a><a href="/y">b</a> there',
      'read of [a](https://mill.example/x) [b](https://mill.example/y) there',
    ],
    ['<math><mn>2</mn><mfrac><mn>1</mn><mn>2</mn></mfrac><mi>x</mi></math>', '2 1/2x'],
    ['le XIX<sup>e</sup> siècle', 'le XIXe siècle'],
    ['<math><msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup></math>', 'x_i^2'],
  ])('in %s', async (html, text) => {
    expect(await rest(`<p>${html}</p>`)).toBe(text);
  });

  it.each([
    ['<span>id</span><span>string</span>', 'id string'],
    ['<label>S</label><label>M</label>', 'S M'],
    ['<span class="a">id</span><span class="b">string</span>', 'id string'],
    ['<b><i>Osprey</i></b><span>Rook 65</span><em>2026</em>', 'Osprey Rook 65 2026'],
    ['<code>id</code><code>string</code>', '`id` `string`'],
    [
      'read of <a href="/x">Shoes</a><a href="/x">Socks</a> there',
      'read of [Shoes](https://mill.example/x) [Socks](https://mill.example/x) there',
    ],
    [
      'read of <a href="/x">boots</a><a href="/y">socks</a> there',
      'read of [boots](https://mill.example/x) [socks](https://mill.example/y) there',
    ],
  ])('parts what stands in elements side by side, in %s', async (html, text) => {
    expect(await rest(`<p>${html}</p>`)).toBe(text);
    const cell = (words: string): string => `<tr><td>${words}</td><td>b</td></tr>`;
    expect(await rest(`<table>${cell(html)}${cell('a')}</table>`)).toContain(`| ${text} | b |`);
  });

  it.each([
    ['<b>T</b><i>here</i>, <span class="cap">T</span><span>HE</span>', 'There, THE'],
    ['<span class="s">Co</span><span class="s">rnell</span> and <b>Co</b>rnell', 'Cornell and Cornell'],
    ['See <a href="/x">Br</a><a href="/x">ands</a>', 'See [Brands](https://mill.example/x)'],
    ['<b>ACT</b><b>UARIAL</b>, <i>Co</i><i>rnell</i>', 'ACTUARIAL, Cornell'],
    [
      '<font><b>un</b><b><i>believable</i></b></font>, <b>un</b><i>be</i><u>lievable</u>',
      'unbelievable, unbelievable',
    ],
    [
      '<span>2</span><span>0</span><span>2</span><span>6</span> <span>H</span><span>E</span><span>Y</span>',
      '2026 HEY',
    ],
    ['<code><b>get</b><i>Name</i></code>', '`getName`'],
    ['<span>$</span><span>30</span><span>.95</span>, <b>3</b><i>rd</i>', '$30.95, 3rd'],
    ['<i>CO</i><sub>2</sub>, <i>x</i><sup>2</sup><b>Y</b>', 'CO₂, x^2Y'],
    [
      'in <a href="/h">H</a><sub>2</sub><a href="/o">O</a>',
      'in [H](https://mill.example/h)₂[O](https://mill.example/o)',
    ],
    ['<span>C</span><sub>6</sub><span>H</span><sub>12</sub>', 'C₆H₁₂'],
    ['<font color="red">Co</font><font color="red">rnell</font>, <u>Bra</u><u>nds</u>', 'Cornell, Brands'],
    ['<span>面包</span><span>磨坊</span>', '面包磨坊'],
  ])('keeps a word whole that is in several elements, in %s', async (html, text) => {
    expect(await rest(`<p>${html}</p>`)).toBe(text);
  });

  it.each([
    ['<ol start="10"><li>a<ul><li>b</li></ul></li></ol>', '10. a\n    - b'],
    [
      '<blockquote><ol><li>a<ol><li>b<pre>x\ny</pre></li><li>c<p>d</p></li></ol></li></ol></blockquote>',
      '> 1. a\n>    1. b\n>\n>       ```\n>       x\n>       y\n>       ```\n>\n>    2. c\n>\n>       d',
    ],
    [
      '<ul><li>a<blockquote><p>b</p><pre>x\ny</pre></blockquote><ul><li>c<blockquote><pre>z</pre></blockquote></li></ul></li></ul>',
      '- a\n\n  > b\n\n  > ```\n  > x\n  > y\n  > ```\n\n  - c\n\n    ```\n    z\n    ```',
    ],
    [
      '<ul><li>a<ul><li>b<blockquote><p>c</p><ul><li>d</li></ul></blockquote></li></ul></li></ul>',
      '- a\n  - b\n\n    > c\n\n> - d',
    ],
    ['<ol reversed start="7"><li>a</li><li>b</li></ol>', '7. a\n6. b'],
    ['<ol reversed><li>a</li><li value="9">b</li><li>c</li></ol>', '3. a\n9. b\n8. c'],
    ['<ol><li>a</li><li value="5">b</li><li>c</li></ol>', '1. a\n5. b\n6. c'],
    ['<div role="heading" aria-level="8">a</div>', '###### a'],
    ['<ul><li>a</li></ul><ul><li>b</li></ul><ul><li>c</li></ul>', '- a\n\n* b\n\n- c'],
    ['<ul><li>a<ul><li>b</li></ul></li><li>c<ul><li>d</li></ul></li></ul>', '- a\n  - b\n- c\n  - d'],
    [
      '<blockquote><p>a</p><ul><li>b<ol><li>c</li></ol></li><li>d</li></ul></blockquote><ul><li>e</li></ul>',
      '> a\n\n> - b\n>   1. c\n> - d\n\n- e',
    ],
    [
      '<blockquote><h3>a</h3><p>b</p><pre><code>x\n\n  y</code></pre></blockquote><pre>z</pre>',
      '> ### a\n\n> b\n\n> ```\n> x\n>\n>   y\n> ```\n\n```\nz\n```',
    ],
    ['<div class="highlight highlight-source-js"><pre>a()</pre></div>', '```js\na()\n```'],
    [`<p><code>if a:<br>\n&nbsp;&nbsp;b()<br>c</code></p>`, '```\nif a:\n  b()\nc\n```'],
    [
      '<table><tr><th>A</th><th>B</th></tr><tr><td>x</td><td><pre>c\nd</pre></td></tr></table>',
      '| A | B |\n|---|---|\n| x | c d |',
    ],
    ['<pre>1\n2\n3</pre>', '```\n1\n2\n3\n```'],
    [
      '<div style="font-family: Menlo, monospace; white-space: pre-wrap"><div>if a:</div><div>  b()</div></div>',
      '```\nif a:\n  b()\n```',
    ],
    ['<ul><li><div><label><input type="checkbox" checked> a</label></div></li></ul>', '- [x] a'],
    // A browser ends an open SVG there, and no template.
    [`<div>${WORDS}<svg><path><div>${OTHERS}<svg></svg></div></div>`, `${WORDS}\n\n${OTHERS}`],
    [`<div><template><p>a</div><p>${WORDS}</template><p>${WORDS}`, WORDS],
    [
      '<ol><li>a<ul><li>b<pre>x\n\n  y</pre></li></ul><pre>z</pre>c</li><li>d</li></ol><pre>e</pre>',
      [
        '1. a\n   - b\n\n     ```\n     x\n\n       y\n     ```',
        '   ```\n   z\n   ```',
        '   c',
        '2. d',
        '```\ne\n```',
      ].join('\n\n'),
    ],
    ['<ul><li><pre>a</pre></li><li>b</li></ul>', '```\na\n```\n\n- b'],
  ])('in %s', async (html, markdown) => {
    expect(await rest(html)).toBe(markdown);
  });

  it.each([
    // Pygments, Chroma and rustdoc write the number of a line into the line.
    '<pre><span></span><span class="linenos"> 9</span><span class="n">a</span>\n<span class="linenos">10</span>  b\n</pre>',
    '<pre><code><span><span class="ln">1</span><span>a\n</span></span><span><span class="ln">2</span><span>  b\n</span></span></code></pre>',
    '<pre><code><a href="#1" id="1">1</a>a\n<a href="#2" id="2">2</a>  b\n</code></pre>',
    // Rouge and others put the numbers next to the code, in the code or not.
    '<pre><code><table><tr><td><pre>1\n2\n</pre></td><td><pre>a\n  b\n</pre></td></tr></table></code></pre>',
    // Each line is a row, of highlight.js and of forges.
    '<pre><code><table><tr><td>1</td><td>a</td></tr><tr><td>2</td><td>  b</td></tr></table></code></pre>',
    '<pre><ol><li><code>a</code></li><li><code>  b</code></li></ol></pre>',
  ])('the code without the numbers of its lines, in %s', async (html) => {
    expect(await rest(html)).toBe('```\na\n  b\n```');
  });

  it.each([
    ['<pre><b id="a">1</b>,a\n<b id="b">2</b>,b</pre>', '```\n1,a\n2,b\n```'],
    ['<pre><b id="a">1</b>: a\n<b id="b">2</b> : b</pre>', '```\n1: a\n2 : b\n```'],
    ['<pre><b id="a">0</b>x10 mov\n<b id="b">1</b>0 jmp</pre>', '```\n0x10 mov\n10 jmp\n```'],
    ['<pre><b id="a">1</b>a\n<b id="b">3</b>b</pre>', '```\n1a\n3b\n```'],
    ['<pre><b id="a">1</b>a\nb</pre>', '```\n1a\nb\n```'],
    ['<pre><b id="a">1</b>\n<b id="b">2</b>\n</pre>', '```\n1\n2\n```'],
    ['<pre><b>1</b>PRINT A\n<b>2</b>GOTO 1</pre>', '```\n1PRINT A\n2GOTO 1\n```'],
    ['<pre><span>1</span>. first\n<span>2</span>) second</pre>', '```\n1. first\n2) second\n```'],
    [
      '<table><tr><td>1</td><td><pre>failed</pre></td></tr><tr><td>2</td><td><pre>usage</pre></td></tr></table>',
      '1\n\n```\nfailed\n```\n\n2\n\n```\nusage\n```',
    ],
    ['<pre>1a\n2b</pre>', '```\n1a\n2b\n```'],
    [
      '<table><tr><td>1</td><td>Ann</td></tr><tr><td>2</td><td>Bob</td></tr></table>',
      '|  |  |\n|---|---|\n| 1 | Ann |\n| 2 | Bob |',
    ],
    ['<table><tr><td>1</td><td><h2>Ann</h2></td></tr></table>', '1\n\n## Ann'],
  ])('the numbers of data, in %s', async (html, markdown) => {
    expect(await rest(html)).toBe(markdown);
  });

  it('leaves long code of deep items at the margin, which would grow a hundredfold', async () => {
    const deep = '<ol start="99999999"><li>a'.repeat(20);
    const content = await rest(`${deep}<pre>b</pre><pre>${'c\n'.repeat(50_000)}</pre>`);
    expect(content).toMatch(/\n {20,}b\n/);
    expect(content).toContain('\nc\nc\n');
    expect(content.length).toBeLessThan(200_000);
  });

  it('gives search the words without their places: a query for H2O finds H₂O', async () => {
    const { readText } = await import('../../lib/web/read-text.js');
    const [block] = await readText(
      '<p>H<sub>2</sub>O and 2<sup>10</sup> bytes of <sup>14</sup>C</p>',
      () => undefined,
    );
    expect(block!.text).toBe('H2O and 2^10 bytes of 14C');
  });

  it.each(Object.entries(RENDERERS))(
    'and %s reads the words of the page out of it',
    async (_name, render) => {
      const words = wordsOf(render(await shownPage('text/html', report('md-marks.html'))));
      for (const text of report('md-marks.html').match(/(?<=<p>).*?(?=<\/p>)/gs)!)
        expect(words).toContain(wordsOf(text));
      const cell = render(await shownPage('text/html', report('table-bar.html')));
      expect(cell).toContain('<td>c\\|d</td>');
      for (const text of [
        '* a',
        '1) b',
        '#c',
        'a_b_c',
        '*a*b',
        'x ~~y~~',
        'C #',
        '~5 kg and ~6 kg',
        '&copy; &#35;',
        '<hr>',
        'a <b c=d> e',
        '[a]: b',
        'a\\',
        '\\*',
        '===',
        '* * *',
        '    x',
      ])
        expect(
          wordsOf(render(await rest(`<p>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>`))),
        ).toBe(text.trim());
    },
  );
});

describe('a page that is no HTML', () => {
  // Readability and turndown on jsdom 29.1.1 lose it: findings/shadow-of-a-template.sh
  it('reads the shadow of an element that its page declares, and no other template', async () => {
    const element = (mode: string): string =>
      `<mill-card><template${mode}><p>${WORDS}</p><slot></slot></template><p>${OTHERS}</p></mill-card>`;
    expect(await rest(element(' shadowrootmode="open"'))).toBe(`${WORDS}\n\n${OTHERS}`);
    expect(await rest(element(''))).toBe(OTHERS);
  });

  it('keeps the digits of JSON', async () => {
    expect(await shownPage('application/json', report('big-ids.json'))).toBe(
      '{\n  "items": [\n    {\n      "id": 1945044589271781376,\n      "price": 1.10,\n      "ratio": 0.1000\n    }\n  ]\n}',
    );
    expect(await shownPage('application/json', '{"a":[],"b":{},"c":"{[,:]}","d":[1e5,-0.0]}')).toBe(
      '{\n  "a": [],\n  "b": {},\n  "c": "{[,:]}",\n  "d": [\n    1e5,\n    -0.0\n  ]\n}',
    );
  });

  it.each([
    ['Press <kbd>Ctrl</kbd>+<kbd>C</kbd>, H<sub>2</sub>O.<br>Next', 'Press Ctrl+C, H₂O.\nNext'],
    [
      'A <b>bold</b> <a href="b.html">link</a>, <img src="x" alt="A mill">',
      'A bold [link](https://mill.example/docs/b.html), [Image: A mill]',
    ],
    [
      '`Vec<T>` or Vec<T>, Map<String, Vec<T>>, <your-name>',
      '`Vec<T>` or Vec&lt;T>, Map&lt;String, Vec&lt;T>>, &lt;your-name>',
    ],
    ['<b>A</b> &amp;lt; and `&amp;lt;`, &amp; so', 'A &amp;lt; and `&amp;lt;`, & so'],
    ['a<b and 3 <5, `<b>`', 'a&lt;b and 3 <5, `<b>`'],
    ['| a | b |\n|---|---|\n| x<br>y | <code>*a*</code> |', '| a | b |\n|---|---|\n| x y | `*a*` |'],
    [
      '<details>\n<summary>More</summary>\n\n- a\n\n  ```html\n  <details>\n  ```\n\n</details>',
      'More\n\n- a\n\n  ```html\n  <details>\n  ```',
    ],
    ['<h2 align="center">Mill</h2>\n\nText', '## Mill\n\nText'],
    [
      '<table><tr><th>a</th><th>b</th></tr>\n<tr><td>1</td><td>2</td></tr></table>\n\nText',
      '| a | b |\n|---|---|\n| 1 | 2 |\n\nText',
    ],
    ['<pre><code>if a:\n\n  &lt;b&gt;</code></pre>', '```\nif a:\n\n  <b>\n```'],
    ['<!-- a\n\nb --><style>\n\np {}\n</style><div hidden>c</div>Text', 'Text'],
    ['Text <im<b>g src=x> <<b>script>alert(1)', 'Text &lt;img src=x> &lt;script>alert(1)'],
  ])('shows what the elements in Markdown show: %j', async (source, markdown) => {
    expect((await shownPage('text/markdown', source)).trim()).toBe(markdown);
  });

  it.each(
    [
      'Put the <script> tag at the end of the body.',
      'Use <head> and <nav> and <footer> and <object> tags.',
      'The <title>, <template>, <textarea>, <svg>, <select>, <iframe> and <noscript> elements.',
      '- A <template> is an item.\n- Close it with </template>.',
      '| Tag | Use |\n|---|---|\n| <video src="a.mp4"> | film |',
      'The <pre> tag holds code, <blockquote> and <table> do not.',
      '<script> tags go last.',
      '<title> and <textarea> are elements.',
    ].flatMap((words) => ['', '\n\n<div>\n\nBox\n\n</div>'].map((box) => [words, box])),
  )('shows the tags that the words of a Markdown file name: %j%j', async (words, box) => {
    const install = '\n\n## Install\n\nRun it with <kbd>Enter</kbd>.';
    expect(await shownPage('text/markdown', `# Guide\n\n${words}${install}${box}`)).toBe(
      `# Guide\n\n${words.replace(/<(?=[a-z/!])/g, '&lt;')}\n\n## Install\n\nRun it with Enter.${box ? '\n\nBox' : ''}`,
    );
  });

  it.each([
    ['<script>\nlet a;\n\nlet b;\n</script>\n\nText', 'Text'],
    ['Text <script>let a;</script>and words <!-- a\n\nb', 'Text and words'],
    ['<!-- a <script> -->\nText <svg><path d="x"/></svg>here', 'Text here'],
    ['<p align="center">\n<select><option>A</option></select>\n\nText</p>\n\nMore', 'Text\n\nMore'],
    ['<nav>\n\nHome\n\n</nav>\n\nText', 'Home\n\nText'],
  ])('hides what elements of HTML in Markdown hide: %j', async (source, markdown) => {
    expect((await shownPage('text/markdown', source)).trim()).toBe(markdown);
  });

  it('keeps the lines of preformatted text in Markdown', async () => {
    expect(
      await shownPage(
        'text/markdown',
        'Run\n\n<pre>\nnpm install x\nnpm run *build*\n  indented\n</pre>\n\nEnd',
      ),
    ).toBe('Run\n\n```\nnpm install x\nnpm run *build*\n  indented\n```\n\nEnd');
    expect(await shownPage('text/markdown', '<pre lang="sh">$ a | b\n$ c</pre>')).toContain('$ a | b\n$ c');
  });

  it('keeps the code of a long Markdown file in one piece', async () => {
    const source = `<b>x</b>\n\n\`\`\`\n${'a b\n'.repeat(20_000)}\`\`\`\n`;
    expect(await shownPage('text/markdown', source)).toBe(source.replace(/<.?b>/g, '').trim());
  });

  it('ends elements of XHTML at their slash, and reads its CDATA', async () => {
    const content = await shownPage('application/xhtml+xml', report('self-closing.xhtml'));
    expect(content).toContain('Der zweite Laib');
    expect(content).toContain('Mehl < Wasser & Salz und Zeit');
    expect(await shownPage('text/html', '<p>a<div/>b<p>c')).toBe('a\n\nb\n\nc');
  });

  it.each([
    ['<title><![CDATA[A & B]]></title>', 'A & B'],
    ['<title>A<!-- x --> &amp; B</title>', 'A & B'],
    ['<title>A</title><script><![CDATA[ if (a</script>b) ]]></script>', 'A'],
    ['<title>A</title><style><!-- </style> --></style>', 'A'],
    [
      '<title>A</title><script type="application/ld+json"><![CDATA[{"@type":"Article","datePublished":"2024-05-03"}]]></script>',
      'A',
    ],
  ])('reads CDATA and comments in every element of XHTML: %s', async (head, title) => {
    const page = await readPage(
      'application/xhtml+xml',
      `<html><head>${head}</head><body><p>Text</p></body></html>`,
    );
    expect(page).toMatchObject({ title, content: 'Text' });
    if (head.includes('datePublished')) expect(page.publishedAt).toBe('2024-05-03');
  });

  it('resolves the links of a feed against its own base, and dates entries by their publication', async () => {
    const content = await shownPage('application/atom+xml', report('base.atom'));
    expect(content).toContain(
      '## [C on the wheel](https://mill.example/blog/c-on-the-wheel/)\n\n2023-06-09T10:00',
    );
    expect(content).toContain('[this page](https://mill.example/blog/c-on-the-wheel/wheel.html)');
    expect(content).toContain('## [Only a link](https://mill.example/3)');
  });

  it('resolves the links of an entry against its page where a feed names no base', async () => {
    const content = await shownPage(
      'application/rss+xml',
      `<rss><channel><title>T</title><item><title>E</title><link>https://mill.example/a/b.html</link>
        <description>&lt;p>See &lt;a href="c.html">that&lt;/a>&lt;/p></description></item></channel></rss>`,
    );
    expect(content).toContain('See [that](https://mill.example/a/c.html)');
  });

  it('reads a feed that is sent as HTML', async () => {
    const { title, content } = await readPage('text/html', report('podcast.rss'));
    expect(title).toBe('Bread & Time');
    expect(content).toContain('## [Episode 2: AT&T & bread](https://mill.example/2?a=1&b=2)\n\n2026-03-03');
    expect(content).toContain('The words of the media group.');
    expect(content).not.toContain('Logo of the mill');
  });

  it('says how many entries of a long feed were read', async () => {
    const items = Array.from({ length: 520 }, (_, i) => `<item><title>Entry ${i}</title></item>`).join('');
    const { read, content } = await readPage(
      'application/rss+xml',
      `<rss><channel><title>T</title>${items}</channel></rss>`,
    );
    expect(read).toBe('500 of 520 entries');
    expect(content).toContain('Entry 499');
  });
});

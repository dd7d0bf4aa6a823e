/** The pages of `bench/everyday` as HTML, in four templates with what usually stands around a text; labelled as `labels.mjs` reads it. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const MarkdownIt = createRequire(import.meta.url)('markdown-it');
const markdown = new MarkdownIt({ html: false });
const LABELLED = new Set(['heading_open', 'table_open', 'inline']);

/** Marks headings, tables and the elements around other text. */
markdown.core.ruler.push('labels', ({ tokens }) => {
  let table = 0;
  tokens.forEach((token, i) => {
    if (token.type === 'table_open') token.attrSet('data-keep', '');
    table += token.type === 'table_open' ? 1 : token.type === 'table_close' ? -1 : 0;
    if (table > 0 || !LABELLED.has(token.type)) return;
    const around = token.type === 'inline' ? tokens[i - 1] : token;
    if (around.hidden) tokens[i - 2].attrSet('data-keep', '');
    else around.attrSet('data-keep', '');
  });
});
markdown.renderer.rules.fence = (tokens, i) =>
  `<pre data-keep><code class="language-${tokens[i].info || 'text'}">${escaped(tokens[i].content)}</code></pre>\n`;

const escaped = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
const link = ({ url, title }) => `<a href="${url}">${escaped(title)}</a>`;

const TEMPLATES = [
  ({ title, body, near }) =>
    `<body class="post-template single"><div class="cookie-banner" role="dialog" data-drop><p>We use cookies to make this site work and to count its visitors.</p><button>Accept all</button></div><header class="site-header" data-drop><a href="/">Start page of the site</a><nav class="main-navigation"><ul>${near.map((p) => `<li>${link(p)}</li>`).join('')}</ul></nav></header><div class="site-content"><main id="main"><article class="post hentry"><header class="entry-header"><h1 class="entry-title" data-keep>${title}</h1></header><div class="entry-content">${body}<div class="sharedaddy" data-drop>Share this page with others: <a href="#">Facebook</a></div></div></article><section class="related-posts" data-drop><h2>You may also like these pages</h2><ul>${near.map((p) => `<li>${link(p)}</li>`).join('')}</ul></section></main><aside class="widget-area" data-drop><h3>About this website of ours</h3><p>We write about what we know.</p></aside></div><footer class="site-footer" data-drop><p>All rights reserved by the owners of this site</p></footer></body>`,
  ({ title, body, near }) =>
    `<body><div class="navbar" data-drop><a href="/">Documentation home</a><form role="search"><input></form></div><div class="layout"><div class="sidebar" data-drop><ul>${near.map((p) => `<li>${link(p)}</li>`).join('')}</ul></div><div role="main" class="document"><div class="breadcrumbs" data-drop><a href="/">Contents of the manual</a></div><h1 data-keep>${title}</h1>${body.replace(/<(h[2-6])([^>]*)>(.*?)<\/\1>/g, '<$1$2>$3</$1>')}<div class="prev-next" data-drop>${near.slice(0, 2).map(link).join(' ')}</div></div></div><div class="footer" data-drop>Made with a generator of documentation, last built today</div></body>`,
  ({ title, body, near }) =>
    `<body><div id="header" data-drop><h2>Help centre of the company</h2></div><div class="container"><div class="row"><div class="col-8"><h1 data-keep>${title}</h1><div class="article-body">${body}</div><div class="article-votes" data-drop>Was this article helpful to you? <button>Yes</button></div></div><div class="col-4 sidebar" data-drop><h3>Articles in this section</h3><ul>${near.map((p) => `<li>${link(p)}</li>`).join('')}</ul></div></div></div><div id="footer" data-drop>Imprint and privacy of the company</div></body>`,
  ({ title, body, near }) =>
    `<body><table border="0"><tr><td colspan="2" data-drop><b>Welcome to this homepage</b></td></tr><tr><td valign="top" data-drop>${near.map(link).join('<br>')}</td><td valign="top"><h1 data-keep>${title}</h1>${body}</td></tr><tr><td colspan="2" data-drop><small>Copyright of this homepage since 1999</small></td></tr></table></body>`,
];

export function everydayPages() {
  const pages = readFileSync(new URL('../everyday/pages.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return pages.map((page, i) => {
    const near = pages
      .slice(i + 1, i + 6)
      .concat(pages.slice(0, 5))
      .slice(0, 5);
    const body = markdown.render(page.text.replace(/^# .*\n/, ''));
    const head = `<!doctype html><html lang="${page.language ?? 'en'}"><head><meta charset="utf-8"><title>${escaped(page.title)}</title></head>`;
    return {
      name: page.url,
      html: `${head}${TEMPLATES[i % TEMPLATES.length]({ title: escaped(page.title), body, near })}</html>`,
    };
  });
}

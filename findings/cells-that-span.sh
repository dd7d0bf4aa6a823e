#!/usr/bin/env bash
# Behaviour  A cell that spans two rows (rowspan) moves the cells of the next row to the left: a town stands in the column of years, its rain in that of towns.
# Package    turndown 7.2.5 with turndown-plugin-gfm 1.0.2, @truto/turndown-plugin-gfm 1.0.3 and @joplin/turndown-plugin-gfm 1.0.68; node-html-markdown 2.0.0,
#            html-to-md 0.8.8; right: rehype-remark 10.0.1, html-to-text 10.0.1 (dataTable), defuddle 0.19.4 (leaves such tables as HTML)
# Source     They write the cells of each row in turn. Two of the plugins fill the columns of a colspan, none those of a rowspan. In HTML (4.9.12, forming a table)
#            a cell takes all its places, and the next row goes on beside it. Markdown has no such cells.
# Met by     Pages of prices and statistics that are handed to a model as Markdown: a value stands under the wrong head, and nothing shows it.
# Do         Repeat a cell in all its places before the conversion.
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
install turndown@7.2.5 turndown-plugin-gfm@1.0.2 @truto/turndown-plugin-gfm@1.0.3 @joplin/turndown-plugin-gfm@1.0.68 node-html-markdown@2.0.0 html-to-md@0.8.8 rehype-parse@9.0.1 rehype-remark@10.0.1 remark-gfm@4.0.1 remark-stringify@11.0.0 unified@11.0.5
check <<'JS'
import * as joplin from '@joplin/turndown-plugin-gfm';
import * as truto from '@truto/turndown-plugin-gfm';
import htmlToMd from 'html-to-md';
import { NodeHtmlMarkdown } from 'node-html-markdown';
import rehypeParse from 'rehype-parse';
import rehypeRemark from 'rehype-remark';
import remarkGfm from 'remark-gfm';
import remarkStringify from 'remark-stringify';
import Turndown from 'turndown';
import * as gfm from 'turndown-plugin-gfm';
import { unified } from 'unified';
import { finding } from './finding.mjs';

const html =
  '<table><thead><tr><th>Year</th><th>Town</th><th>Rain</th></tr></thead><tbody><tr><td rowspan="2">2025</td><td>Bern</td><td>10</td></tr><tr><td>Basel</td><td>20</td></tr></tbody></table>';
const turndown = ({ gfm }) => new Turndown().use(gfm).turndown(html);
const markdown = {
  'turndown-plugin-gfm': turndown(gfm),
  '@truto/turndown-plugin-gfm': turndown(truto),
  '@joplin/turndown-plugin-gfm': turndown(joplin),
  'node-html-markdown': NodeHtmlMarkdown.translate(html),
  'html-to-md': htmlToMd(html),
  'rehype-remark': String(await unified().use(rehypeParse, { fragment: true }).use(rehypeRemark).use(remarkGfm).use(remarkStringify).process(html)),
};
const lastRow = (text) => text.trim().split('\n').at(-1).split('|').slice(1, -1).map((cell) => cell.trim());

finding({
  input: 'Year, Town, Rain: 2025 (two rows) with Bern, 10 and Basel, 20',
  expected: 'a last row with Basel under Town',
  seen: Object.fromEntries(Object.entries(markdown).map(([name, text]) => [name, lastRow(text)])),
  recorded: {"turndown-plugin-gfm":["Basel","20"],"@truto/turndown-plugin-gfm":["Basel","20"],"@joplin/turndown-plugin-gfm":["Basel","20"],"node-html-markdown":["Basel","20",""],"html-to-md":["Basel","20"],"rehype-remark":["","Basel","20"]},
});
JS

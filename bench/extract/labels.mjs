/** Pages with their labels: elements marked `data-keep` belong to the text, those marked `data-drop` stand around it. */
import { createRequire } from 'node:module';

const { parseHTML } = createRequire(import.meta.url)('linkedom');

/** The page as readers get it, without labels, and what the labels say. */
export function labelled(source) {
  const { document } = parseHTML(source);
  const texts = (selector) =>
    [...document.querySelectorAll(selector)].map((element) => wordsOf(lined(element)));
  const tables = [...document.querySelectorAll('table[data-keep]')].map((table) =>
    [...table.querySelectorAll('tr')].map((row) =>
      [...row.querySelectorAll('th,td')].map((cell) => folded(lined(cell))),
    ),
  );
  const code = [...document.querySelectorAll('pre[data-keep=""]')].map((pre) => codeText(pre));
  return {
    html: source.replace(/ data-(?:keep|drop)(?:="[^"]*")?/g, ''),
    keep: texts('[data-keep]'),
    drop: texts('[data-drop]'),
    tables,
    code,
  };
}

/** Text of an element; blocks and cells are apart. */
function lined(element) {
  const html = element.innerHTML.replace(/<br\s*\/?>|<\/(?:p|li|td|th|tr|div|h\d|dt|dd|pre)>/gi, ' $&');
  return parseHTML(`<html><body><div>${html}</div></body></html>`).document.querySelector('div').textContent;
}

function codeText(pre) {
  const html = pre.innerHTML.replace(/<br\s*\/?>/gi, '\n');
  const text = parseHTML(`<html><body><pre>${html}</pre></body></html>`).document.querySelector(
    'pre',
  ).textContent;
  return linesOf(text).join('\n').trim();
}

const linesOf = (text) => text.split('\n').map((line) => line.trimEnd());
const folded = (text) =>
  text
    .replace(/[\u200b¶]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
/** Words of a text, or of Markdown without addresses, marks and escapes. */
const wordsOf = (text) =>
  text
    .replace(/\]\([^()\s]*\)/g, '] ')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

const sum = (rows, key) => rows.reduce((all, row) => all + row[key], 0);
export { sum };

/** How much of a page's labels a text meets, in words, rows and pieces of code. */
export function scoreOf({ keep, drop, tables, code }, text) {
  const all = wordsOf(text);
  const shown = new Set();
  for (let i = 0; i < all.length; i++) for (let n = 1; n <= 3; n++) shown.add(all.slice(i, i + n).join(' '));
  const kept = countShown(keep, shown);
  const let_ = countShown(drop, shown);
  const lines = text
    .split('\n')
    .filter((line) => line.includes('|'))
    .map(plainCells);
  const rows = tables.flat().filter((row) => row.length > 1);
  const pieces = code.filter((piece) => hasCode(text, piece)).length;
  return {
    kept: kept.shown,
    keptOf: kept.all,
    let: let_.shown,
    letOf: let_.all,
    tables: rows.filter((row) => lines.some((cells) => holds(cells, row))).length,
    tablesOf: rows.length,
    code: pieces,
    codeOf: code.length,
  };
}

/** Words of texts, and those that are part of a run of three that is shown. */
function countShown(texts, shown) {
  let all = 0;
  let found = 0;
  for (const words of texts) {
    all += words.length;
    const seen = new Set();
    const size = Math.min(3, words.length);
    for (let i = 0; i + size <= words.length; i++)
      if (shown.has(words.slice(i, i + size).join(' '))) for (let k = i; k < i + size; k++) seen.add(k);
    found += seen.size;
  }
  return { all, shown: found };
}

const plainCells = (line) =>
  line
    .split(/(?<!\\)\|/)
    .map((cell) =>
      folded(
        cell
          .replace(/\\(.)/g, '$1')
          .replace(/`|\*\*|_(?=\S)|(?<=\S)_/g, '')
          .replace(/\[([^\]]*)\]\([^()]*\)/g, '$1'),
      ),
    )
    .filter((cell) => cell !== '');

/** Whether a line has all cells of a row, in order and next to each other. */
function holds(cells, row) {
  const wanted = row.filter((cell) => cell !== '').map((cell) => cell.replace(/_/g, ''));
  const found = cells.map((cell) => cell.replace(/_/g, ''));
  for (let from = 0; from + wanted.length <= found.length; from++)
    if (wanted.every((cell, i) => found[from + i] === cell)) return true;
  return false;
}

/** Whether a text has a piece of code in a fence, line for line. */
function hasCode(text, piece) {
  const fenced = [...text.matchAll(/^(`{3,})[^\n]*\n([\s\S]*?)\n\1/gm)].map(([, , inside]) =>
    linesOf(inside).join('\n').trim(),
  );
  return fenced.some((inside) => inside === piece);
}

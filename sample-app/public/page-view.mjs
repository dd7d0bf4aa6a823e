/** A page that `read_page` gives, below a result. Its Markdown becomes elements here; no markup is inserted. */
import { CallError } from './client.mjs';
import { el, link, outside } from './dom.mjs';
import { errorView, messagesOf, warningsView } from './panel.mjs';

/** Tokens of a part; more comes on demand. */
const PART = 2000;
let pages = 0;

/**
 * A button that opens a page below itself, and closes it again.
 *
 * @param {string} url
 * @param {string} title
 * @param {{ call: (tool: string, request: object) => Promise<any>, say: (text: string) => void }} page
 */
export function pageReader(url, title, { call, say }) {
  const id = `page-${++pages}`;
  const region = el('div', {
    id,
    class: 'page',
    role: 'region',
    tabindex: -1,
    'aria-label': `Page: ${title}`,
    hidden: true,
  });
  const button = el(
    'button',
    {
      type: 'button',
      class: 'read',
      'aria-expanded': 'false',
      'aria-controls': id,
      onclick: () => (region.hidden ? open() : close()),
    },
    'Read',
    el('span', { class: 'visually-hidden' }, ` ${title}`),
  );
  const expand = (isOpen) => {
    region.hidden = !isOpen;
    button.setAttribute('aria-expanded', String(isOpen));
    button.firstChild.data = isOpen ? 'Close' : 'Read';
  };

  function open() {
    expand(true);
    if (region.childElementCount > 0) region.focus();
    else void readPart();
  }

  function close() {
    expand(false);
    button.focus();
  }

  async function readPart(cursor) {
    const waiting = el('ol', { class: 'steps' }, el('li', {}, 'Reading the page'));
    region.append(waiting);
    say('Reading the page');
    try {
      const { data } = await call('read_page', { url, max_tokens: PART, ...(cursor ? { cursor } : {}) });
      const more = el('button', { type: 'button', class: 'read' }, 'Read on');
      more.addEventListener('click', () => {
        more.remove();
        void readPart(data.next_cursor);
      });
      const part = el(
        'div',
        { class: 'markdown', tabindex: -1, lang: data.language },
        ...markdownView(data.content),
      );
      waiting.replaceWith(
        ...warningsView(cursor ? [] : data.warnings),
        part,
        ...(data.next_cursor ? [more] : []),
      );
      say(cursor ? 'The next part of the page follows' : `The page ${data.title ?? title} is open`);
      (cursor ? part : region).focus();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      const failure = errorView(error, () => {
        failure.remove();
        void readPart(cursor);
      });
      failure.removeAttribute('id');
      waiting.replaceWith(failure);
      say(messagesOf(error).join(' '));
    }
  }

  return { button, region, open };
}

/** Markdown as `read_page` writes it: headings, paragraphs, lists, quotations, tables, code. */
function markdownView(markdown) {
  const nodes = [];
  const lines = markdown.split('\n');
  let list;
  let table;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i];
    const fence = /^(`{3,})/.exec(line)?.[1];
    const heading = /^#{1,6} (.*)/.exec(line)?.[1];
    const item = /^( *)(?:-|\d+[.)]) (.*)/.exec(line);
    const isRow = line.startsWith('|');
    if (!item && line.trim() !== '') list = undefined;
    if (!isRow) table = undefined;
    if (fence) {
      const end = lines.findIndex((other, at) => at > i && other.startsWith(fence));
      const last = end < 0 ? lines.length : end;
      nodes.push(el('pre', { tabindex: 0 }, lines.slice(i + 1, last).join('\n')));
      i = last;
    } else if (heading !== undefined) nodes.push(el('h4', { dir: 'auto' }, ...inline(heading)));
    else if (item) {
      if (!list) nodes.push((list = el('ul', {})));
      const entry = el('li', { dir: 'auto' }, ...inline(item[2]));
      entry.style.setProperty('--depth', String(item[1].length / 2));
      list.append(entry);
    } else if (isRow) {
      if (!table) nodes.push(el('div', { class: 'table', tabindex: 0 }, (table = el('table', {}))));
      addRow(table, line, RULE.test(lines[i + 1] ?? ''));
    } else if (line.trim() !== '')
      nodes.push(
        el(line.startsWith('> ') ? 'blockquote' : 'p', { dir: 'auto' }, ...inline(line.replace(/^> /, ''))),
      );
  }
  return nodes;
}

/** The line below the head of a table. */
const RULE = /^\|(?:-+\|)+$/;

function addRow(table, line, isHead) {
  const cells = line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
  if (RULE.test(line) || (isHead && cells.every((cell) => cell === ''))) return;
  table.append(
    el('tr', {}, ...cells.map((cell) => el(isHead ? 'th' : 'td', { dir: 'auto' }, ...inline(cell)))),
  );
}

/** Links, code and emphasis of a line. */
function inline(line) {
  return line.split(/(\[(?:\\.|[^\]\\])*\]\([^()\s]*\)|`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    const [, text, address] = /^\[((?:\\.|[^\]\\])*)\]\((\S*)\)$/.exec(part) ?? [];
    if (address !== undefined) return link(address, text.replace(/\\([[\]])/g, '$1'));
    if (/^`.+`$/.test(part)) return outside('code', part.slice(1, -1));
    if (/^\*\*.+\*\*$/.test(part)) return outside('strong', part.slice(2, -2));
    return part;
  });
}

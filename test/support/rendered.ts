import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { marked } from 'marked';
import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5';

/** Elements that Markdown itself makes. They load, run and submit nothing. */
const SET_TYPE = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong del s hr br table thead tbody tr th td'.split(
    ' ',
  ),
);
const markdownIt = new MarkdownIt({ html: true, linkify: true });

/** The elements of HTML text, as a browser's `innerHTML` makes them. */
function elementsOf(html: string): DefaultTreeAdapterTypes.Element[] {
  const elements: DefaultTreeAdapterTypes.Element[] = [];
  const visit = (node: DefaultTreeAdapterTypes.ParentNode): void => {
    for (const child of node.childNodes) {
      if (child.nodeName === '#comment') elements.push({ tagName: '#comment', attrs: [] } as never);
      if (!('tagName' in child)) continue;
      elements.push(child);
      visit(child);
      if ('content' in child) visit((child as DefaultTreeAdapterTypes.Template).content);
    }
  };
  visit(parseFragment(html));
  return elements;
}

/** It throws at some lists with tables in them; then it shows nothing. */
function renderedByMarked(markdown: string): string {
  try {
    return marked.parse(markdown, { async: false });
  } catch (error) {
    if (/markedjs/.test(String(error))) return '';
    throw error;
  }
}

/** Random texts hold percent signs that encode nothing. */
function decodedAddress(href: string): string {
  try {
    return decodeURI(href);
  } catch {
    return href;
  }
}

/** What is wrong with plain text when a page puts it into `innerHTML`: any element, and script addresses. */
export function faultsOfText(text: string): string[] {
  return [...elementsOf(text).map(({ tagName }) => `element ${tagName}`), ...scripts(text)];
}

/**
 * What is wrong with Markdown when it is rendered by `marked` or `markdown-it`, with HTML and links of bare addresses, or put into `innerHTML`
 * as it is: an element that does more than set type, an address that `isKnown` does not accept.
 */
export function faultsOfMarkdown(markdown: string, isKnown: (url: string) => boolean): string[] {
  const renderings = {
    marked: renderedByMarked(markdown),
    'markdown-it': markdownIt.render(markdown),
  };
  const faults = Object.entries(renderings).flatMap(([renderer, html]) =>
    elementsOf(html).flatMap(({ tagName, attrs }) => {
      const given = Object.fromEntries(attrs.map(({ name, value }) => [name, value]));
      const href = given.href ?? '';
      // A relative one stays on the page, e.g. that of `a[0](b)` in code.
      if (tagName === 'a' && (/^(?![a-z][a-z\d+.-]*:|[/\\]{2})/i.test(href) || isKnown(decodedAddress(href))))
        return [];
      // A task list of GitHub's Markdown.
      if (tagName === 'input' && given.type === 'checkbox' && 'disabled' in given) return [];
      const isSet =
        SET_TYPE.has(tagName) && attrs.every(({ name }) => /^(?:align|style|class|start)$/.test(name));
      return isSet ? [] : [`${renderer}: ${tagName} ${JSON.stringify(given)}`];
    }),
  );
  // A type parameter in code: an element that no browser knows, without a value.
  const raw = elementsOf(markdown).filter(
    ({ tagName, attrs }) =>
      KNOWN_ELEMENT.test(tagName) || tagName.includes('-') || attrs.some(({ value }) => value !== ''),
  );
  return [...faults, ...raw.map(({ tagName }) => `innerHTML: ${tagName}`), ...scripts(markdown)];
}

const KNOWN_ELEMENT =
  /^(?:#comment|a|base|body|button|details|dialog|div|embed|form|frame|frameset|head|html|iframe|img|image|input|link|marquee|math|meta|noscript|object|p|plaintext|script|select|source|span|style|svg|table|template|textarea|title|video|audio|xmp)$/;

const scripts = (text: string): string[] =>
  /(?:java|vb)script:[^\s`…]/i.test(text) ? ['script address'] : [];

const EVIL = 'evil.example';

/** Texts that would load, run or lead to what no source holds. */
export const HOSTILE = [
  // What tags and their remains become.
  `the<img src=https://${EVIL}/secret.png>`,
  'the<img src=x onerror=alert()>',
  'the<svg onload=alert()>',
  'the<script>alert()</script>',
  `the<iframe src=//${EVIL}/x></iframe>`,
  `the<form action=https://${EVIL}/x><button>go</button></form>`,
  `\`<img src=https://${EVIL}/secret.png>\``,
  'x <x<y onfocus=alert() autofocus tabindex=1>',
  'a <im<b>g src=x onerror=alert(1)> tag',
  `an unclosed <img src=https://${EVIL}/x`,
  '&lt;img src=x onerror=alert()&gt; and &amp;lt;svg/onload=alert()&amp;gt;',
  '<details open ontoggle=alert()>',
  '<my-element onclick=alert()>x</my-element>',
  '<!-- a --><?php x ?><![CDATA[ x ]]>',
  '```html\n<script>alert()</script>\n```',
  '~~~\n<style>*{display:none}</style>\n~~~',
  '    <base href=//evil.example/>',
  // Addresses that run.
  '[click](javascript:alert())',
  '[click](JavaScript&colon;alert())',
  '[click](&#106;avascript:alert())',
  '[click](<javascript:alert()>)',
  '[click](java\u200bscript:alert())',
  '[click](\njavascript:alert())',
  '[click][c]\n\n[c]: javascript:alert()',
  '[click](data:text/html,<script>alert()</script>)',
  '[click](vbscript:msgbox)',
  // Pictures and links.
  `![x](https://${EVIL}/p.png)`,
  `![x][p]\n\n[p]: https://${EVIL}/p.png`,
  `[![x](https://${EVIL}/p.png)](https://${EVIL}/)`,
  `[here[x]](https://${EVIL}/login)`,
  `[a](https://${EVIL}/(x))`,
  `[a](//${EVIL}/x)`,
  `[a](/\\${EVIL}/x)`,
  `[a](\\\\${EVIL}/x)`,
  `[a](<https://${EVIL}/x y>)`,
  `[a](https://${EVIL} "title")`,
  `[a](https&colon;//${EVIL}/)`,
  `[a](https\\://${EVIL}/)`,
  `[a\nb](https://${EVIL}/)`,
  `\`a](https://${EVIL}/)\``,
  `[a]:https://${EVIL}/x.png`,
  `[a]:\nhttps://${EVIL}/x.png\n\n[a]`,
  `<https://${EVIL}/x>`,
  `<a@${EVIL}>`,
  // Bare addresses.
  `see:https://${EVIL}/x`,
  `→https://${EVIL}/x`,
  `*https://${EVIL}/x* _https://${EVIL}/x_ ~https://${EVIL}/x`,
  `//${EVIL}/x`,
  `www.${EVIL}/x`,
  `www .${EVIL}/x`,
  `${EVIL}/x`,
  'evil.com',
  'evil.xn--p1ai/x',
  `https:/\\${EVIL}`,
  `https:${EVIL}`,
  `https :// ${EVIL}/x`,
  `EVIL\u3002 example/x`,
  `\uff45vil\uff0eexample\uff0fx`,
  `https\u200b://${EVIL}`,
  `&#104;ttps://${EVIL}/x`,
  `a@${EVIL}`,
  `mailto:a@${EVIL}`,
  `ftp://${EVIL}/x`,
  `intent://${EVIL}/x`,
  `| a | https://${EVIL}/x |\n| - | - |\n| b | c |`,
  `https://good.example/a/b_(c)?q=secret`,
  `https://good.example.${EVIL}/`,
  `https://good.example@${EVIL}/`,
  `https://good.example/y,https://${EVIL}/x`,
];

/** What is code for one reader of Markdown and text for the next, with what does harm in text. */
export const CONFUSING = [
  // A browser makes a comment of it.
  '```\n<//- x\n```',
  ...['<img src=x onerror=alert()>', 'evil.com', `[x](https://${EVIL}/)`].flatMap((live) => [
    `x \`\`\`\n\`\`\` ${live} \`\`\``,
    `> \`\`\`\n${live}`,
    `- ~~~\n${live}`,
    `a\n        \`\`\`\n${live}`,
    `\`\`\`\n> \`\`\`\n\`\`\`\n${live}`,
    `| \` | ${live} \` |\n| - | - |\n| \` | ${live} \` |`,
    `\\\`\`\` x \`\` ${live} \`\``,
    `\\\\\` x \` ${live} \``,
  ]),
  `![p]\n\n> \`\`\`\n[p]: https://${EVIL}/p.png`,
];

const HARMLESS = [
  'The museum opens at 9:30.',
  '- one [1]\n- two [2][3]\n',
  '**bold** and *slanted*',
  '| a | b |\n| - | - |\n| `x` | y |',
  '```ts\nconst a: Map<string, T[]> = b[0](c);\n```',
  'https://good.example/a/b_(c)',
  '`Map<string, T>`',
  'if a < b && c > d',
  '1. first\n2. second',
];
const SIGNS = [
  ...[
    '<',
    '>',
    '/',
    '!',
    '[',
    ']',
    '(',
    ')',
    '`',
    '``',
    '```',
    '~~~',
    '\\',
    ':',
    '//',
    '&',
    '&lt;',
    '&gt;',
    '&colon;',
    '"',
    "'",
  ],
  ...[
    '\n',
    '\n\n',
    ' ',
    '    ',
    '> ',
    '- ',
    '|',
    '*',
    '_',
    '~',
    '=',
    '.',
    '@',
    '#',
    '\u200b',
    '\u3002',
    '\0',
    '\r',
    '\t',
    ';',
    '-',
    '?',
  ],
  ...[
    'img',
    'x',
    'a',
    'svg',
    'b',
    'src=',
    'onload=',
    'href=',
    'alert()',
    'javascript:',
    'https:',
    'http',
    'www.',
    EVIL,
    'material-0123456789',
  ],
];

/** Texts made of hostile forms and of parts of them. */
export const hostileTexts: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...SIGNS) },
      { weight: 2, arbitrary: fc.constantFrom(...HOSTILE) },
      { weight: 1, arbitrary: fc.constantFrom(...HARMLESS) },
    ),
    { minLength: 1, maxLength: 14 },
  )
  .chain((parts) => fc.constantFrom('', ' ').map((gap) => parts.join(gap)));

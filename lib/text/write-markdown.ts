/** How words, code and addresses of a page are written as Markdown, so that `marked`, `markdown-it` and CommonMark give them back. */

/** An address that may hold marks, or a sign that a renderer may take for markup where it stands. */
const SIGN =
  /(?:https?:\/\/|www\.)[^\s<>`\\*~\][]*|\\(?=[!-/:-@[-`{-~]|$)|[`*_~]|\](?=\()|!(?=\[)|<(?=[a-z/!?])|&(?=#\w|[a-z][a-z\d]{1,31};)/gi;
const ALONE = /^\s?$/;
const LETTER = /[\p{L}\p{N}]/u;

/** Words of a line as Markdown. */
export function escapedText(text: string): string {
  if (!/[\\`*_~\]!<&]/.test(text)) return text;
  return text.replace(SIGN, (sign, at: number) => {
    if (sign.length > 1) return sign;
    const [before, after] = [text.charAt(at - 1), text.charAt(at + 1)];
    if ('*~'.includes(sign) && ALONE.test(before) && ALONE.test(after)) return sign;
    // An underscore within a word is no mark.
    if (sign === '_' && LETTER.test(before) && LETTER.test(after)) return sign;
    return `\\${sign}`;
  });
}

/** A link. `marked` drops the backslashes of brackets before it reads the text of a link, so that these alone keep nothing apart. */
export function linked(text: string, address: string): string {
  const pieces = text.split(/([[\]])/).map((piece, i) => (i % 2 === 1 ? `\\${piece}` : escapedText(piece)));
  const label = pieces.join('').replaceAll('!\\[', '\\!\\[').replaceAll('\\](', '\\]\\(');
  return `[${label}](${address})`;
}

/** A line of Markdown that begins a paragraph or item and nothing else. */
export function escapedStart(line: string): string {
  if (!/^[#\-+*>=\d[:!{%]/.test(line)) return line;
  return line
    .replace(/^(?:#{1,6}(?=\s|$)|[-+*](?=\s|$)|>|(?=[-=\s]+$)[-=]{2}|:::|!!!|\{%|%%)/, '\\$&')
    .replace(/^(\d{1,9})(?=[.)](?:\s|$))/, '$1\\')
    .replace(/^\[[^\]]{1,500}\](?=:)/, '$&\\');
}

/** Inline code of one line. */
export function codeSpan(code: string): string {
  const marks = marksFor(code, 1);
  return /^`|`$/.test(code) ? `${marks} ${code} ${marks}` : `${marks}${code}${marks}`;
}

/** The backquotes of the inline code that a cut text leaves open. */
export function openCode(text: string): string {
  let open = '';
  for (const [marks] of text.matchAll(/\\[\\`]|`+/g)) {
    if (open === '') open = marks.startsWith('\\') ? '' : marks;
    else if (marks === open) open = '';
  }
  return open;
}

/** Code in a fence that it does not end. */
export function fenced(code: string, language = ''): string {
  const fence = fenceOf(code);
  return `${fence}${language}\n${code}\n${fence}`;
}

/** A fence that no line of the code ends. */
export function fenceOf(code: string): string {
  return marksFor(code, 3);
}

function marksFor(code: string, least: number): string {
  let longest = least - 1;
  for (const [marks] of code.matchAll(/`+/g)) longest = Math.max(longest, marks.length);
  return '`'.repeat(longest + 1);
}

/** An address that neither ends its link nor marks words. */
export function linkAddress({ href }: URL): string {
  return href.replace(/[()<>`\\\s[\]"|]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

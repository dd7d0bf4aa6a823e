import { DELIMITER_TAG } from '../../model/call.js';

const BOLD_UNDERLINES = /(?<![\p{L}\p{N}_])__(?=\S)([^_\n]{1,200} [^_\n]{1,200})(?<=\S)__(?![\p{L}\p{N}_])/gu;

/** Facts about the content that cleaning needs. */
export interface KnownOutput {
  /**
   * Says whether the content itself names an address.
   * @param address in lower case, without scheme, `www.` and a slash at its end
   * @param explicit true for one that a reader could follow as it stands: with a scheme, `www.` or `@`
   */
  hasAddress(address: string, explicit: boolean): boolean;
}

/** Zero-width, bidirectional, tag and other characters that a reader does not see. */
const INVISIBLE = /[\p{Cf}\u2060-\u2069\ufeff]+/gu;
const TIME = String.raw`\d{1,6}(?::\d{2}){0,2}(?:\s?s)?`;
const TIMES = String.raw`${TIME}(?:\s?[-–—,;]\s?${TIME}){0,5}`;
const BRACKETED_TIMES = new RegExp(
  String.raw`(?:\s|(?<![\p{L}\p{N}]))[[【]\s?(?:t\s?=\s?|at\s)?${TIMES}\s?[\]】]|\[\^\d{1,3}\]`,
  'giu',
);
const IMAGE = /!\[([^\][\n]{0,300})\](?:\([^()\n]{0,1000}\)|\[[^\][\n]{0,100}\])/g;
const LINK = /\[([^\][\n]{0,300})\](?:\(([^()\n]{0,1000})\)|\[[^\][\n]{0,100}\])/g;
const LINK_DEFINITION = /^\s{0,10}\[[^\][\n]{1,100}\]:\s{0,10}<?(?:[a-z][a-z\d+.-]{0,20}:|www\.|\/\/)/i;
/** A tag with attributes, also unclosed at the end of a line, or one that sets type. `<T>` in a talk about code is not a tag. */
const HTML_TAG =
  /<\/?[a-z][a-z\d]{0,15}\s[^<>\n]{0,500}>|<[a-z][a-z\d]{0,15}\s[^<>=\n]{0,200}=[^<>\n]{0,500}$|<\/?(?:a|b|br|p|i|u|em|strong|ul|ol|li|h[1-6]|div|span|hr|su[bp]|mark|img|script|style|iframe|svg|object|embed|form|input|link|meta)\s?\/?>/gi;
const EMPHASIS = /(?<![\p{L}\p{N}*_])([*_])(?=\S)([^*_\n]{1,200})(?<=\S)\1(?![\p{L}\p{N}*_])/gu;

/**
 * Text of a model as it may reach the caller: without prompt delimiters, time marks, Markdown, HTML and invisible characters, and without
 * any address that the content does not name, because a transcript may have talked the model into advertising one. Linear.
 */
export function cleanOutput(text: string, known: KnownOutput): string {
  return text
    .split('\n')
    .map((line) => cleanLine(line, known))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function cleanLine(line: string, known: KnownOutput): string {
  // Invisible characters go first: they may hide an address or a tag.
  const visible = withPlainMarks(line.replace(INVISIBLE, '').replace(/\p{Cc}+/gu, ' '));
  if (LINK_DEFINITION.test(visible)) return '';
  const plain = withoutMarks(withoutTags(visible.replace(DELIMITER_TAG, '')))
    .replace(/^\s*(?:#{1,6}|>)\s+/, '')
    .replace(BRACKETED_TIMES, '')
    .replace(IMAGE, '$1')
    .replace(LINK, '$1 $2')
    .replace(EMPHASIS, '$2');
  return withoutAddresses(plain, known);
}

/** Removing a tag may make another one of what stood around it. */
function withoutTags(line: string): string {
  let text = line;
  for (let i = 0; i < 4; i++) {
    const less = text.replace(HTML_TAG, '');
    if (less === text) return text;
    text = less;
  }
  return text.replace(/</g, '');
}

const SPREAD_SCHEME = /\b(https?|ftp)\s{0,3}:\s{0,3}\/\s{0,3}\/\s{0,3}/gi;
const OTHER_DOTS = /[。．｡․]|\\\./g;
/** An address that can be followed: with a scheme or `www.`, or of a mailbox. */
const EXPLICIT =
  /[a-z][a-z\d+.-]{0,20}:\/\/|(?<![\p{L}\p{N}:/])\/\/(?=[\p{L}\p{N}-]{1,63}\.\p{L})|www\.(?=\S)|(?<![\p{L}])(?:mailto|javascript|vbscript|tel|magnet):(?=\S)|(?<!\p{L})data:[a-z]{1,20}\/|[\w.+-]{1,64}@[\p{L}\p{N}-]{1,63}\.\p{L}/iu;
/** A host name: of a usual top-level domain, or of any where a path or a port follows. */
const HOST =
  /(?<![\p{L}\p{N}.-])(?:[\p{L}\p{N}-]{1,63}\.){1,5}(?:(?:com|org|net|io|ly|me|tv|gg|co|info|biz|xyz|app|dev|ai|link|shop|store|online|site|live|club|click|top|win|vip|page|cloud|tech|zip|mov|gov|edu|us|ca|eu|ch|at|nl|jp|cn|ru|uk|au|de|fr|it|es|pt|br)(?![\p{L}\p{N}-])|\p{L}{2,24}(?=[/?#]|:\d))/iu;
/** Longer ones are no words, and no addresses that a reader could use. */
const LONGEST_TOKEN = 300;

function withoutAddresses(line: string, known: KnownOutput): string {
  const words: string[] = [];
  for (const token of line.replace(SPREAD_SCHEME, '$1://').split(/\s+/)) {
    const word = withoutAddress(token, known);
    // The rest of "(https://…)." ends the word before.
    if (word !== token && /^[.,;:!?…]*$/.test(word) && words.length > 0) words[words.length - 1] += word;
    else if (word !== '') words.push(word);
  }
  return words.join(' ');
}

function withoutAddress(token: string, known: KnownOutput): string {
  if (token.length > LONGEST_TOKEN) return '';
  if (!/[.:@/。．｡․]/.test(token)) return token;
  const text = token.replace(OTHER_DOTS, '.');
  const explicit = EXPLICIT.exec(text);
  const found = explicit ?? HOST.exec(text);
  if (!found) return token;
  const end = trimEndOf(text, `)]}"'»”>.,;:!?*_`);
  const address = text
    .slice(found.index, end)
    .toLowerCase()
    .replace(/^(?:[a-z][a-z\d+.-]{0,20}:)?\/\/|^mailto:/, '')
    .replace(/^www\./, '');
  const name = address.slice(0, trimEndOf(address, '/'));
  if (name === '' || known.hasAddress(name, explicit !== null)) return token;
  const before = text.slice(0, found.index);
  const start = before.slice(0, trimEndOf(before, `("'«“„<[`));
  const marks =
    /[.,;:!?…]+$/.exec(
      text
        .slice(end)
        .replace(/[^.,;:!?…]/g, '')
        .slice(-3),
    )?.[0] ?? '';
  return start + marks;
}

/** A phrase of at most this many words that is said this often in a row is a loop. */
const LONGEST_PHRASE = 12;
const REPEATS = 4;
/** "Very, very, very" may be said. */
const FEWEST_REPEATED = 12;

/**
 * Ends a text where its model began to repeat itself: a phrase over and over, without end. Linear.
 * @returns the text up to and with the first time that the phrase is said
 */
export function beforeLoop(text: string): string {
  const words = [...text.matchAll(/\S+/g)].map((match) => ({
    text: match[0].toLowerCase(),
    end: match.index + match[0].length,
  }));
  for (let length = 1; length <= LONGEST_PHRASE; length++) {
    let run = 0;
    for (let i = length; i < words.length; i++) {
      run = words[i]!.text === words[i - length]!.text ? run + 1 : 0;
      if (run < Math.max(length * (REPEATS - 1), FEWEST_REPEATED - length)) continue;
      return text.slice(0, words[i - run]!.end);
    }
  }
  return text;
}

const ESCAPED = /^\s*(?:[-*•]\s+)?(?:\d{1,2}\\[.)]|\\(?:[*#>|"_-]|[[(](?=\d|t)))|\\\*\\\*|\\\]\\\(|\\"\s*$/;
const CODE = /((?<!\\)`[^`\n]*`)/;
/** With the marks of Markdown as they are meant: not escaped, and not in full width. Code stays as it is. */
function withPlainMarks(text: string): string {
  const escaped = ESCAPED.test(text);
  const plain = (part: string): string =>
    (escaped ? part.replace(/\\([[\]()*_#|"'>`.-])/g, '$1') : part).replace(
      /[［］｜＊＃]|(?<=\d)：(?=\d)/g,
      (mark) => mark.normalize('NFKC'),
    );
  return text
    .split(CODE)
    .map((part, i) => (i % 2 === 0 ? plain(part) : part))
    .join('');
}

/** Without the marks of Markdown that set type in bold or as code; `__init__` is a name. */
function withoutMarks(text: string): string {
  return text.replace(/\*\*|`/g, '').replace(BOLD_UNDERLINES, '$1');
}

/** Where a text ends without these characters. A loop: patterns that end in `$` are quadratic in runs of what they match. */
function trimEndOf(text: string, characters: string): number {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end--;
  return end;
}

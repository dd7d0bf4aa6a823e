import { cleanOutput as clean, type KnownAddresses } from '../../text/clean-output.js';

const BOLD_UNDERLINES = /(?<![\p{L}\p{N}_])__(?=\S)([^_\n]{1,200} [^_\n]{1,200})(?<=\S)__(?![\p{L}\p{N}_])/gu;

/** Zero-width, bidirectional, tag and other characters that a reader does not see. */
const INVISIBLE = /[\p{Cf}\u2060-\u2069\ufeff]+/gu;
const TIME = String.raw`\d{1,6}(?::\d{2}){0,2}(?:\s?s)?`;
const TIMES = String.raw`${TIME}(?:\s?[-–—,;]\s?${TIME}){0,5}`;
const BRACKETED_TIMES = new RegExp(
  String.raw`(?:\s|(?<![\p{L}\p{N}]))[[【]\s?(?:t\s?=\s?|at\s)?${TIMES}\s?[\]】]|\[\^\d{1,3}\]`,
  'giu',
);
const REFERENCE = /!?\[([^\][\n]{0,300})\]\[[^\][\n]{0,100}\]/g;
const LINK_DEFINITION = /^\s{0,10}\[[^\][\n]{1,100}\]:\s{0,10}<?(?:[a-z][a-z\d+.-]{0,20}:|www\.|\/\/)/i;
const EMPHASIS = /(?<![\p{L}\p{N}*_])([*_])(?=\S)([^*_\n]{1,200})(?<=\S)\1(?![\p{L}\p{N}*_])/gu;

/** Prose of a model as it may reach the caller: plain text without Markdown and time marks, and what `cleanOutput` of `lib/text` leaves of it. */
export function cleanOutput(text: string, known: KnownAddresses): string {
  const plain = text.split('\n').map(withoutMarkdown).join('\n');
  return clean(plain, known).replace(/[^\S\n]+/g, ' ');
}

function withoutMarkdown(line: string): string {
  // Invisible characters go first: they may hide a mark.
  const visible = withPlainMarks(line.replace(INVISIBLE, '').replace(/\p{Cc}+/gu, ' '));
  if (LINK_DEFINITION.test(visible)) return '';
  return withoutMarks(visible)
    .replace(/^\s*(?:#{1,6}|>)\s+/, '')
    .replace(BRACKETED_TIMES, '')
    .replace(REFERENCE, '$1')
    .replace(EMPHASIS, '$2');
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

import { MAX_ATTRIBUTE, type Attributes } from './scan-html.js';

/** The classes that hide an element, for everyone or for the eye, in the documentation of frameworks; and MediaWiki's links [edit]. */
const HIDING_CLASS = new RegExp(
  `(?:^|\\s)(?:${[
    'd-none|invisible|visually-hidden|hidden|hide|sr-only', // Bootstrap 3 to 5, Tailwind
    'is-hidden|is-invisible|is-sr-only', // Bulma
    'show-for-sr', // Foundation
    'visuallyhidden', // HTML5 Boilerplate
    'screen-reader-text', // WordPress
    'mw-editsection',
  ].join('|')})(?:\\s|$)`,
  'i',
);

/** `hidden md:block`, `d-none d-lg-flex`: hidden only on small screens. */
const SHOWN_AGAIN =
  /(?:^|\s)(?:(?:sm|md|lg|xl|2xl):|d-(?:sm|md|lg|xl|xxl)-)(?:block|flex|grid|inline|table|contents)/i;

/** Declarations that hide what they style, in a style as {@link plainStyle} writes it. */
const HIDING_STYLE = new RegExp(
  `;(?:${[
    'display:none',
    'content-visibility:hidden',
    'visibility:(?:hidden|collapse)',
    String.raw`opacity:(?:0(?:\.0\d*)?|\.0\d*|\d(?:\.\d+)?%)(?=;)`,
    String.raw`font(?:-size)?:(?:[a-z-]+ )*(?:0[a-z%]*|(?:[01]?\.\d+|[12])(?:px|pt)?)(?=[ ;/])`,
    String.raw`transform:[^;]{0,200}scale[xy3d]*\(0(?:\.0\d*)?[,)]`,
    // Off the screen.
    String.raw`(?:left|top|right|bottom|text-indent|margin-left|margin-top):-(?:9\d\d|\d{4}|\d{3}(?:r?em|%|v[wh]|ch|ex))`,
    'clip:rect\\((?:0|1)(?:px)?[ ,]',
    String.raw`clip-path:inset\((?:50|100)%`,
    String.raw`color:(?:transparent|rgba\([^;)]{0,50},0(?:\.0*)?\))(?=;)`,
  ].join('|')})`,
);
/** An element without a size whose overflow is not seen. */
const NO_SIZE = /;(?:max-)?(?:width|height):(?:[01]|0?\.\d+)(?:px)?(?=;)/;
const NO_OVERFLOW = /;overflow(?:-[xy])?:(?:hidden|clip)/;
const COLOR = /;color:([^;]+)/;
const BACKGROUND = /;background(?:-color)?:([^;]+)/;

/**
 * Tells whether a reader does not see an element, by its own attributes (its ancestors are the caller's). Text that only a
 * machine sees is where instructions to machines are put, so what looks like an attempt to hide counts as hidden. For the elements of one
 * page, which say the same again and again.
 */
export function hidingOf(): (attributes: Attributes) => boolean {
  const hidesByClass = remembered((classes) => HIDING_CLASS.test(classes) && !SHOWN_AGAIN.test(classes));
  // No honest style is longer than what is read of it.
  const hides = remembered((style) => style.length > MAX_ATTRIBUTE || hidesByStyle(style));
  return ({ hidden, style, class: classes, 'aria-hidden': isUnseen }) =>
    (hidden !== undefined && hidden !== 'until-found') ||
    isUnseen?.trim().toLowerCase() === 'true' ||
    (classes !== undefined && hidesByClass(classes)) ||
    (style !== undefined && hides(style));
}

function remembered(of: (text: string) => boolean): (text: string) => boolean {
  const known = new Map<string, boolean>();
  return (text) => {
    let is = known.get(text);
    if (is === undefined) known.set(text, (is = of(text)));
    return is;
  };
}

function hidesByStyle(attribute: string): boolean {
  const style = plainStyle(attribute);
  if (HIDING_STYLE.test(style) || (NO_SIZE.test(style) && NO_OVERFLOW.test(style))) return true;
  const color = COLOR.exec(style)?.[1];
  return color !== undefined && sameColor(color) === sameColor(BACKGROUND.exec(style)?.[1] ?? '');
}

/** A style in lower case, with a `;` before and after each declaration, `!important`, comments, escapes and needless blanks undone. */
function plainStyle(style: string): string {
  const plain = style
    .replace(/\/\*[\s\S]*?(?:\*\/|$)/g, '')
    .replace(/\\([\da-f]{1,6})\s?/gi, (_all, hex: string) => codePoint(parseInt(hex, 16)))
    .replace(/!\s*important/gi, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([:;,()]) ?/g, '$1');
  return `;${plain.trim().toLowerCase()};`;
}

function codePoint(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

function sameColor(color: string): string {
  if (/^(?:#fff(?:fff)?|white|rgba?\(255,255,255(?:,1)?\))$/.test(color)) return 'white';
  if (/^(?:#000(?:000)?|black|rgba?\(0,0,0(?:,1)?\))$/.test(color)) return 'black';
  return color;
}

/** The attributes of an element that say whether it is seen, as the tokenizer collects them; names in lower case. */
export type VisibilityAttributes = Partial<Record<'hidden' | 'aria-hidden' | 'style' | 'class', string>>;

/** Classes that the common frameworks hide an element with, for everyone or for the eye. */
const HIDING_CLASSES = new Set([
  ...['d-none', 'display-none', 'hidden', 'hide', 'invisible', 'is-hidden', 'screen-reader-only'],
  ...['screen-reader-text', 'show-for-sr', 'sr-only', 'u-hidden', 'visually-hidden', 'visuallyhidden'],
]);

/** `hidden md:block`, `d-none d-lg-flex`: hidden only on small screens. */
const SHOWN_AGAIN =
  /(?:^|\s)(?:(?:sm|md|lg|xl|2xl):|d-(?:sm|md|lg|xl|xxl)-)(?:block|flex|grid|inline|table|contents)/;

/** Characters of an attribute that are looked at; no honest style is longer, so one that is counts as hiding. */
export const MAX_ATTRIBUTE = 20_000;

/** How far off the screen, in px, is out of sight. */
const OFFSCREEN = 900;

/**
 * Whether a reader does not see the element, by its own attributes (its ancestors are the caller's). Text that only a
 * machine sees is where instructions to machines are put, so what looks like an attempt to hide counts as hidden.
 */
export function isHidden(attributes: VisibilityAttributes): boolean {
  const { hidden, style, class: classes } = attributes;
  if (hidden !== undefined && hidden !== 'until-found') return true;
  if (attributes['aria-hidden']?.trim().toLowerCase() === 'true') return true;
  if (classes && hidesByClass(classes.toLowerCase())) return true;
  return style ? style.length > MAX_ATTRIBUTE || hidesByStyle(style) : false;
}

function hidesByClass(classes: string): boolean {
  return classes.split(/\s+/).some((name) => HIDING_CLASSES.has(name)) && !SHOWN_AGAIN.test(classes);
}

function hidesByStyle(style: string): boolean {
  const properties = parseStyle(style);
  const get = (name: string): string => properties.get(name) ?? '';
  const px = (name: string): number => length(get(name));
  if (get('display') === 'none' || get('content-visibility') === 'hidden') return true;
  if (/^(?:hidden|collapse)$/.test(get('visibility'))) return true;
  if (get('opacity') !== '' && parseFloat(get('opacity')) < 0.1) return true;
  if (
    px('font-size') <= 2 ||
    length(
      get('font')
        .split(/[\s/]/)
        .find((part) => /^[\d.]/.test(part)) ?? '',
    ) <= 2
  )
    return true;
  if (/scale[xy3d]*\(0(?:\.0\d*)?[,)]/.test(get('transform'))) return true;
  if (
    ['left', 'top', 'right', 'bottom', 'text-indent', 'margin-left', 'margin-top'].some(
      (p) => px(p) <= -OFFSCREEN,
    )
  )
    return true;
  const sized = Math.min(px('width'), px('height'), px('max-height'), px('max-width'));
  if (sized <= 1 && /hidden|clip/.test(get('overflow'))) return true;
  if (/^rect\((?:0|1px|0px)[,\s]/.test(get('clip')) || /^inset\((?:50|100)%/.test(get('clip-path')))
    return true;
  const color = get('color').replace(/\s/g, '');
  const background = (get('background-color') || get('background')).replace(/\s/g, '');
  if (color === 'transparent' || /^rgba\(.*,0(?:\.0*)?\)$/.test(color)) return true;
  return color !== '' && sameColor(color) === sameColor(background);
}

/** The declarations of a style attribute, last one wins, `!important`, comments and escapes undone. */
function parseStyle(style: string): Map<string, string> {
  const plain = style
    .replace(/\/\*[\s\S]*?(?:\*\/|$)/g, '')
    .replace(/\\([\da-f]{1,6})\s?/gi, (_all, hex: string) => codePoint(parseInt(hex, 16)))
    .toLowerCase();
  const properties = new Map<string, string>();
  for (const declaration of plain.split(';')) {
    const colon = declaration.indexOf(':');
    if (colon < 0) continue;
    const value = declaration.slice(colon + 1).replace(/!\s*important/, '');
    properties.set(declaration.slice(0, colon).trim(), value.trim());
  }
  return properties;
}

function codePoint(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

/** A length in px, roughly for relative units; Infinity where there is none. */
function length(value: string): number {
  const [, number, unit = ''] = /^([+-]?\d*\.?\d+)(px|em|rem|ex|ch|pt|vw|vh|cm|mm|in|%)?/.exec(value) ?? [];
  if (number === undefined) return Infinity;
  const factor = /^(?:em|rem)$/.test(unit) ? 16 : /^(?:ex|ch|vw|vh)$/.test(unit) ? 8 : unit === '%' ? 10 : 1;
  return Number(number) * factor;
}

function sameColor(color: string): string {
  if (/^(?:#fff(?:fff)?|white|rgb\(255,255,255\)|rgba\(255,255,255,1\))$/.test(color)) return 'white';
  if (/^(?:#000(?:000)?|black|rgb\(0,0,0\)|rgba\(0,0,0,1\))$/.test(color)) return 'black';
  return color;
}

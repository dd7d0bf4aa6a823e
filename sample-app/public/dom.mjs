/** Makes elements of this page. Every text is inserted as text: there is no way here to insert markup. */

/**
 * An element with attributes and children.
 *
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes] `class`, `aria-…` and so on; functions are listeners (`onclick`); null, undefined and
 *   false leave an attribute out
 * @param {...(Node | string | number | null | undefined | false)} children strings become text; null, undefined and false are left out
 */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.replace(/^on/, ''), value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(
    ...children.filter((child) => child !== undefined && child !== null && child !== false).map(asNode),
  );
  return element;
}

const asNode = (child) => (child instanceof Node ? child : document.createTextNode(String(child)));

/** A text that came from outside, isolated from the writing direction around it. */
export const outside = (tag, text, attributes = {}) => el(tag, { dir: 'auto', ...attributes }, text);

/** The address as an `http` or `https` URL; undefined for every other scheme, such as `javascript:`, and for what is no URL. */
export function webAddress(address) {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url : undefined;
}

/** A link that opens in a new tab; plain text where the address is not a web address. */
export function link(address, text, attributes = {}) {
  const url = webAddress(address);
  if (!url) return outside('span', text, attributes);
  return outside('a', text, { href: url.href, target: '_blank', rel: 'noopener noreferrer', ...attributes });
}

/** Seconds as on a player: `1:05`, `1:02:03`. */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const minutes = Math.floor(whole / 60) % 60;
  const hours = Math.floor(whole / 3600);
  const two = (number) => String(number).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** A code of a language in words, `de` → `German`; the code itself where it has no name. */
export function languageName(code) {
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** A fraction 0..1 in per cent, rounded down: 0.499 is less than a half. The digits that are cut first are floating point noise. */
export const percent = (fraction) => `${Math.floor(Number((fraction * 100).toFixed(6)))} %`;

/** `1 call`, `2 calls`. */
export const count = (number, noun) => `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;

/** One element of a flat XML file. */
export interface XmlElement {
  /** Attributes as written, e.g. ` t="80" d="4000"`. */
  attributes: string;
  /** Everything between the tags, markup included. */
  inner: string;
  closed: boolean;
}

/**
 * The elements of a name in a caption file, in order. Such elements do not nest. Found with `indexOf` and not with a lazy regular
 * expression, which is quadratic on a file of unclosed tags.
 */
export function* xmlElements(xml: string, name: string): Generator<XmlElement, void, undefined> {
  const close = `</${name}>`;
  let at = 0;
  for (;;) {
    const open = xml.indexOf(`<${name}`, at);
    if (open < 0) return;
    const head = xml.indexOf('>', open);
    if (head < 0) return;
    const next = xml.charCodeAt(open + name.length + 1);
    const ownName = next <= 32 || next === 62 || next === 47;
    const selfClosing = xml.charCodeAt(head - 1) === 47;
    if (!ownName || selfClosing) {
      at = head + 1;
      continue;
    }
    const end = xml.indexOf(close, head);
    const attributes = xml.slice(open + name.length + 1, head);
    yield { attributes, inner: xml.slice(head + 1, end < 0 ? undefined : end), closed: end >= 0 };
    if (end < 0) return;
    at = end + close.length;
  }
}

/** A numeric attribute; undefined where it is missing or no number. */
export function numberAttribute(attributes: string, name: string): number | undefined {
  const value = new RegExp(`(?:^|\\s)${name}\\s*=\\s*["']([^"']*)["']`).exec(attributes)?.[1];
  return value !== undefined && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : undefined;
}

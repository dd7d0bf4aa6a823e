interface MathNode {
  name: string;
  children: (MathNode | string)[];
}

/** More elements of one formula are not read; a plain bound. */
const MAX_NODES = 5000;
/** Elements deeper than this belong to the one at this depth; a plain bound. */
const MAX_DEPTH = 50;

/** A formula as text: its TeX where the page has that, else its MathML in one line, e.g. `(a+b)/2`, `x^2`. */
export class MathText {
  private readonly stack: MathNode[] = [{ name: 'math', children: [] }];
  private nodes = 0;
  chars = 0;

  open(name: string, encoding = ''): void {
    if (++this.nodes > MAX_NODES || this.stack.length > MAX_DEPTH) return;
    const kind = name === 'annotation' && /tex/i.test(encoding) ? 'tex' : name;
    const node = { name: kind, children: [] };
    this.stack.at(-1)!.children.push(node);
    this.stack.push(node);
  }

  close(name: string): void {
    let at = this.stack.length - 1;
    while (
      at > 0 &&
      this.stack[at]!.name !== name &&
      !(name === 'annotation' && this.stack[at]!.name === 'tex')
    )
      at--;
    if (at > 0) this.stack.length = at;
  }

  text(text: string): void {
    this.chars += text.length;
    if (this.nodes <= MAX_NODES) this.stack.at(-1)!.children.push(text);
  }

  toString(): string {
    const root = this.stack[0]!;
    return plainTex((texOf(root) ?? lineOf(root)).replace(/\s+/g, ' ').trim());
  }
}

/** Whether the alternative text of an image is a formula. */
export const isTex = (text: string): boolean => /\\[a-z]+ ?\{|\{\\[a-z]|[\^_]\{|^\$[^$]+\$$/i.test(text);

/** TeX without the wrapper that MediaWiki puts around each formula. */
export const plainTex = (tex: string): string => tex.replace(/^\{\\(?:display|text)style ([^]*?) ?\}$/, '$1');

function texOf(node: MathNode): string | undefined {
  for (const child of node.children) {
    if (typeof child === 'string') continue;
    const tex = child.name === 'tex' ? child.children.join('') : texOf(child);
    if (tex !== undefined) return tex;
  }
  return undefined;
}

function lineOf({ name, children }: MathNode): string {
  const parts = children
    .map((child) => (typeof child === 'string' ? child.trim() : lineOf(child)))
    .filter((part) => part !== '');
  const [base = '', second = '', third = ''] = parts;
  switch (name) {
    case 'annotation':
    case 'annotation-xml':
      return '';
    case 'mfrac':
      return `${grouped(base)}/${grouped(second)}`;
    case 'msup':
    case 'mover':
      return `${base}^${grouped(second)}`;
    case 'msub':
    case 'munder':
      return `${base}_${grouped(second)}`;
    case 'msubsup':
    case 'munderover':
      return `${base}_${grouped(second)}^${grouped(third)}`;
    case 'msqrt':
      return `√${grouped(parts.join(''))}`;
    case 'mroot':
      return `${grouped(base)}^(1/${second})`;
    case 'mtd':
      return `${parts.join('')} `;
    case 'mtr':
      return `${parts.join(' ')}; `;
    case 'mtext':
      return ` ${parts.join(' ')} `;
    default:
      // A number before a fraction is none of its digits.
      return parts.reduce(
        (row, part) => row + (/\d$/.test(row) && /^\d+\//.test(part) ? ' ' : '') + part,
        '',
      );
  }
}

const grouped = (text: string): string => (/^(?:[\d.,]+|.|)$/u.test(text) ? text : `(${text})`);

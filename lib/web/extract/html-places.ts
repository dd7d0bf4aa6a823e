import type { Attributes } from './scan-html.js';

/** A table. Whether it holds data or lays out a page is known when all of it was read. */
interface Table {
  /** The cell of another table around it; undefined for none, and in tables nested deeper than {@link MAX_NESTED}. */
  outer: Cell | undefined;
  /** Tables around it. */
  depth: number;
  /** It has a cell that is the name of a column or row. */
  hasNames: boolean;
  /** Its rows are lines of code. */
  isInCode: boolean;
  rows: number;
}

export interface Row {
  table: Table;
  index: number;
  cells: Cell[];
  /** All cells are names, or the row is in the head of the table. */
  isHead: boolean;
  /** A cell has a list, table, heading or preformatted text. */
  hasBlocks: boolean;
  /** Known when all of the table was read. */
  isData?: boolean;
}

export interface Cell {
  row: Row;
  columns: number;
  rows: number;
  chars: number;
}

interface List {
  isOrdered: boolean;
  isReversed: boolean;
  /** Number of the next item; NaN as long as a list that counts down has not said any. */
  next: number;
  items: number;
}

export interface Item {
  list: List | undefined;
  /** The items before it in its list. */
  index: number;
  number: number;
  depth: number;
  isBegun: boolean;
  /** It has a heading: what it holds is a section and no item. */
  isSection: boolean;
}

export interface Preformatted {
  isCode: boolean;
  language?: string;
}

/** What is around a text of a page; shared by all elements inside that change nothing about it. */
export interface HtmlPlace {
  heading?: number;
  /** Term of a definition, or what is said of it. */
  definition?: 'term' | 'text';
  item?: Item;
  cell?: Cell;
  pre?: Preformatted;
  isQuoted?: true;
  table?: Table;
  row?: Row;
  isTableHead?: boolean;
  list?: List;
  /** The list around all others. */
  outerList?: List;
  depth: number;
  /** Language of the code inside, as an element around it says. */
  codeLanguage?: string;
}

/** The place of the page itself. It has all that a place may have: objects of many shapes are slow to read. */
export const NOWHERE: HtmlPlace = {
  heading: undefined,
  definition: undefined,
  item: undefined,
  cell: undefined,
  pre: undefined,
  isQuoted: undefined,
  table: undefined,
  row: undefined,
  isTableHead: undefined,
  list: undefined,
  outerList: undefined,
  depth: 0,
  codeLanguage: undefined,
};

/** The marker of an item, known when all of its list was read: a list that counts down may not say from where. */
export function markerOf({ list, index, number }: Item): string {
  if (!list?.isOrdered) return '•';
  return `${Number.isNaN(number) ? list.items - index : number}.`;
}

/** Columns or rows that a cell may cover; a plain bound. */
const MAX_SPAN = 50;
/** Tables inside of each other that are looked through; a plain bound. */
const MAX_NESTED = 20;

/** The place inside of an element. @param outer that of the element around it */
export function placeIn(outer: HtmlPlace, tag: string, attributes: Attributes): HtmlPlace {
  switch (tag) {
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6':
      markBlock(outer);
      if (outer.item) outer.item.isSection = true;
      return { ...outer, heading: Number(tag[1]), definition: undefined };
    case 'ul':
    case 'ol':
    case 'menu':
    case 'dir': {
      markBlock(outer);
      const isReversed = attributes['reversed'] !== undefined;
      const next = integer(attributes['start'], isReversed ? NaN : 1);
      const list = { isOrdered: tag === 'ol', isReversed, next, items: 0 };
      return { ...outer, list, outerList: outer.outerList ?? list, depth: outer.depth + 1 };
    }
    case 'li':
      return { ...outer, item: itemOf(outer, attributes), definition: undefined, heading: undefined };
    case 'dt':
      return { ...outer, definition: 'term' };
    case 'dd':
      return { ...outer, definition: 'text' };
    case 'blockquote':
      return { ...outer, isQuoted: true };
    case 'div':
    case 'figure': {
      const codeLanguage = attributes['class']?.includes('highlight') && declaredLanguage(attributes);
      return codeLanguage ? { ...outer, codeLanguage } : outer;
    }
    case 'pre': {
      markBlock(outer);
      const language = declaredLanguage(attributes) ?? outer.pre?.language ?? outer.codeLanguage;
      return { ...outer, pre: { isCode: language !== undefined, ...(language ? { language } : {}) } };
    }
    case 'table': {
      markBlock(outer);
      const nested = (outer.table?.depth ?? -1) + 1;
      const around = nested < MAX_NESTED ? outer.cell : undefined;
      const isInCode = outer.pre !== undefined;
      const table = { outer: around, depth: nested, hasNames: false, isInCode, rows: 0 };
      return { ...carried(outer), table };
    }
    case 'thead':
    case 'tbody':
    case 'tfoot':
      return { ...outer, row: undefined, isTableHead: tag === 'thead' };
    case 'tr':
      return { ...outer, row: outer.table && rowOf(outer.table, outer.isTableHead) };
    case 'td':
    case 'th':
      return outer.table ? cellPlace(outer, outer.table, tag === 'th', attributes) : outer;
    default:
      return outer;
  }
}

const LANGUAGE =
  /(?:^|\s)(?:language-|lang-|highlight-source-|highlight-(?=\w+ notranslate)|brush:\s?)([\w+#.-]{1,30})/;
const LAST_LANGUAGE = /(?:^|\s)highlight ([\w+#.-]{1,30})$/;

/** The language of code by the class of an element, e.g. `language-ts`, `highlight-source-js`, `highlight js`; undefined where it names none. */
export function declaredLanguage(attributes: Attributes): string | undefined {
  const name = attributes['data-lang'] ?? attributes['data-language'];
  const classes = `${name ? `lang-${name}` : ''} ${attributes['class'] ?? ''}`.slice(0, 300).toLowerCase();
  return (LANGUAGE.exec(classes) ?? LAST_LANGUAGE.exec(classes))?.[1];
}

function markBlock({ cell }: HtmlPlace): void {
  if (cell) cell.row.hasBlocks = true;
}

function itemOf({ list, depth }: HtmlPlace, attributes: Attributes): Item {
  const number = integer(attributes['value'], list?.next ?? 1);
  if (list) list.next = number + (list.isReversed ? -1 : 1);
  const index = list ? list.items++ : 0;
  return { list, index, number, depth: Math.max(0, depth - 1), isBegun: false, isSection: false };
}

function rowOf(table: Table, isHead = false): Row {
  const index = table.rows++;
  return { table, index, cells: [], isHead: isHead && index === 0, hasBlocks: false };
}

function cellPlace(outer: HtmlPlace, table: Table, isName: boolean, attributes: Attributes): HtmlPlace {
  const row = outer.row ?? rowOf(table);
  const cell = {
    row,
    columns: Math.min(MAX_SPAN, Math.max(1, integer(attributes['colspan'], 1))),
    rows: Math.min(MAX_SPAN, Math.max(1, integer(attributes['rowspan'], 1))),
    chars: 0,
  };
  if (isName) table.hasNames = true;
  const isHead = row.cells.length === 0 || row.isHead;
  row.isHead = isHead && (isName || (outer.isTableHead === true && row.index === 0));
  row.cells.push(cell);
  return { ...carried(outer), table, row, cell };
}

/** What a table does not end. */
const carried = ({ isQuoted, codeLanguage, pre }: HtmlPlace): HtmlPlace => ({
  ...NOWHERE,
  isQuoted,
  codeLanguage,
  pre,
});

function integer(value: string | undefined, byDefault: number): number {
  return value !== undefined && /^\s*-?\d{1,6}\s*$/.test(value) ? Number(value) : byDefault;
}

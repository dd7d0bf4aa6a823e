/** Kind of a {@link Block}. */
type BlockKind = 'heading' | 'paragraph' | 'item' | 'row' | 'code';

/** A paragraph, list item, table row, heading or piece of code of a page, in the order of the page. */
export interface Block {
  kind: BlockKind;
  /**
   * Plain text on one line, never empty; code keeps its lines. A row reads `name – column: value; column: value`, or `name: value`
   * where the table has no header.
   */
  text: string;
  /** The headings that it stands under, outermost first; of a heading, those above it. Plain text. */
  headings: readonly string[];
  /** For an item: its number as written (`2.`), or `•`. */
  marker?: string;
  /** For an item, row or piece of code: the text directly before its list, table or code, in the same section; of an inner item, the outer one. */
  leadIn?: string;
  /** For a row: its cells, and the names of their columns; without a header row no names. Joined by ` | ` they are as the page has them. */
  cells?: readonly string[];
  columns?: readonly string[];
  /** Where its lines stand in the text that was read, `[start, end)`; of a text from `structuredText`, in that one. */
  start: number;
  end: number;
}

/** Text without any structure as a block. */
export function paragraphOf(text: string): Block {
  return { kind: 'paragraph', text, headings: [], start: 0, end: text.length };
}

/** Text of a block as it is shown in a passage: an item with its marker. */
export function shownBlock({ text, marker }: Block): string {
  return marker ? `${marker} ${text}` : text;
}

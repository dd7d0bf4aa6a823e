/**
 * Text of a page of a PDF; tables come as Markdown. JavaScript for the thread that reads, since work on a stranger's PDF has to end with it.
 *
 * A table is a run of lines, in the order of the file, whose pieces stand in the same columns: three lines or more, three columns, or two
 * of which the last one holds figures. Most columns have an edge or a centre in common, and the cells of one column are short: text that
 * is set in columns stays text. Linear in the items.
 */
export const PDF_TEXT = String.raw`
const MAX_COLUMNS = 40; // a plain bound
const YEAR = /\b(?:19|20)\d\d\b/;
const isFigure = (text) => /\d/.test(text) && text.replace(/\P{L}/gu, '').length <= 3;
const most = (list, test) => list.filter(test).length >= list.length * 0.6;

function textOf(items) {
  const lines = linesOf(items);
  const parts = [''];
  for (let at = 0; at < lines.length; ) {
    const { rows, columns, next } = runFrom(lines, at);
    if (isTable(rows, columns)) {
      parts.push(markdownOf(rows, columns), '');
      at = rows.at(-1).at + 1;
    }
    for (; at < next; at++) parts[parts.length - 1] += lines[at].raw;
  }
  return parts.length === 1 ? parts[0] : parts.map((part) => part.trim()).filter(Boolean).join('\n\n');
}

/** Consecutive items on one baseline. Pieces that are further apart than the height of the letters are cells of their own. */
function linesOf(items) {
  const lines = [];
  let line;
  for (const { str = '', hasEOL, transform = [0, 0, 0, 0, 0, 0], width = 0, fontName: font } of items) {
    const [a, b, c, d, left, y] = transform;
    const text = str.trim();
    const isLevel = a > 0 && Math.abs(b) < a / 100;
    const isNext = text !== '' && !(isLevel && line?.pieces.length > 0 && Math.abs(line.y - y) < line.height / 2);
    if (!line || isNext) lines.push((line = { raw: '', y, height: Math.hypot(c, d), pieces: [] }));
    line.raw += hasEOL ? str + '\n' : str;
    if (text !== '' && isLevel) line.pieces.push({ text, left, right: left + width, font });
  }
  // Dots lead from a title to its page number.
  for (const line of lines) line.cells = /(?:\.\s?){4}/.test(line.raw) ? [] : cellsOf(line);
  return lines;
}

function cellsOf({ pieces, height }) {
  const cells = [];
  for (const piece of pieces.sort((a, b) => a.left - b.left)) {
    const cell = cells.at(-1);
    const gap = piece.left - cell?.right;
    if (!cell || gap > height) cells.push({ ...piece });
    else {
      cell.text += (gap > height / 8 ? ' ' : '') + piece.text;
      cell.right = Math.max(cell.right, piece.right);
    }
  }
  return cells;
}

/** The longest run of lines from one on whose cells stand in the same columns, and where the search goes on. */
function runFrom(lines, start) {
  const columns = [];
  const rows = [];
  let waiting = [];
  let next = start;
  for (; next < lines.length; next++) {
    const { cells, y, height } = lines[next];
    const above = lines[next - 1];
    if (cells.length === 0 || (cells.length === 1 && next === start)) break;
    if (next > start && !(above.y - y > height / 2 && above.y - y < height * 4)) break;
    const places = placesOf(cells, columns);
    if (!places || columns.length > MAX_COLUMNS) break;
    const row = { at: next, cells: new Map(cells.map((cell, i) => [places[i], cell])) };
    // A line of one cell belongs to the table where another row follows.
    if (cells.length === 1) {
      if (places[0].cells.length === 0) break;
      waiting.push(row);
      continue;
    }
    for (const [column, cell] of [...waiting, row].flatMap((one) => [...one.cells])) {
      if (column.cells.length === 0) columns.push(column);
      column.left = Math.min(column.left, cell.left);
      column.right = Math.max(column.right, cell.right);
      column.cells.push({ ...cell, height });
    }
    columns.sort((a, b) => a.left - b.left);
    if (columns.some((column, i) => i > 0 && columns[i - 1].right > column.left)) break;
    rows.push(...waiting, row);
    waiting = [];
  }
  return { columns, rows, next: Math.max(next, start + 1) };
}

/** The column that each cell stands in, an empty one for a new one. Nothing where a cell stands in two, or two in one. */
function placesOf(cells, columns) {
  const places = [];
  let at = 0;
  for (const { left, right } of cells) {
    while (at < columns.length && columns[at].right < left) at++;
    const column = columns[at];
    if (columns[at + 1]?.left <= right || (column && places.at(-1) === column)) return undefined;
    places.push(column?.left <= right ? column : { left, right, cells: [] });
  }
  return places;
}

function isTable(rows, columns) {
  const full = rows.filter(({ cells }) => cells.size > 1);
  if (full.length < 3 || columns.length < 2) return false;
  if (columns.length === 2 && !most(columns[1].cells.slice(1), ({ text }) => isFigure(text))) return false;
  const words = ({ cells }) => cells.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0) / cells.length;
  const aligned = columns.filter(isAligned);
  return aligned.length >= 2 && aligned.length * 2 > columns.length && columns.some((column) => words(column) <= 3);
}

function isAligned({ cells }) {
  const edges = [({ left }) => left, ({ right }) => right, ({ left, right }) => (left + right) / 2];
  return cells.length >= 3 && edges.some((edge) => {
    const middle = cells.map(edge).sort((a, b) => a - b)[cells.length >> 1];
    return most(cells, (cell) => Math.abs(edge(cell) - middle) < cell.height * 0.3);
  });
}

function markdownOf(rows, columns) {
  const [head, ...others] = rows;
  const table = [];
  for (const { cells } of isHead(head, others, columns) ? rows : [{ cells: new Map() }, ...rows]) {
    const column = columns.findIndex((one) => cells.has(one));
    // A line of one cell goes on with the row above it.
    if (cells.size === 1 && column > 0) table.at(-1)[column] += ' ' + cells.get(columns[column]).text;
    else table.push(columns.map((one) => cells.get(one)?.text ?? ''));
  }
  const lines = table.map((row) => '| ' + row.map((text) => text.replaceAll('|', '\\|')).join(' | ') + ' |');
  lines.splice(1, 0, '|' + '---|'.repeat(columns.length));
  return lines.join('\n');
}

/** Whether the first row names the columns: it is set in another font, or it has words or years above figures. */
function isHead(head, others, [, ...columns]) {
  const named = columns.filter((column) => head.cells.has(column));
  const text = (column) => head.cells.get(column).text;
  if (named.some((column) => isFigure(text(column)) && !YEAR.test(text(column)))) return false;
  const below = (column) => others.flatMap(({ cells }) => cells.get(column) ?? []);
  return (
    named.every((column) => below(column).every(({ font }) => font !== head.cells.get(column).font)) ||
    named.some((column) => most(below(column), (cell) => isFigure(cell.text)))
  );
}
`;

import { lineOf, type TokenTable } from './token-table.js';

/** A line up to this long is a caption cue: its own start is the right place to jump to. */
const CUE_MS = 12_000;

/** When a token was said, in ms: its cue's start, or, in a longer stretch, in proportion to the words before it. */
export function timeOf(table: TokenTable, token: number): number {
  const line = lineOf(table, token);
  const start = table.lineStartMs[line] ?? NaN;
  const end = table.lineEndMs[line] ?? NaN;
  if (Number.isNaN(start)) return 0;
  if (!(end - start > CUE_MS)) return Math.max(0, Math.floor(start));
  const first = table.lineStarts[line] ?? 0;
  const next = table.lineStarts[line + 1] ?? table.count;
  return Math.max(0, Math.floor(start + ((end - start) * (token - first)) / Math.max(1, next - first)));
}

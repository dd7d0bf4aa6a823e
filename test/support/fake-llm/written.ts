/** A reply in the form that the write prompt asks for. */
export function written(
  summary: string,
  points: readonly (readonly [t: number, text: string, quote?: string])[] = [],
  sections: readonly (readonly [t: number, title: string, text: string])[] = [],
): string {
  return JSON.stringify({
    summary,
    key_points: points.map(([t, text, quote = '']) => ({ t, text, quote })),
    sections: sections.map(([t, title, text]) => ({ t, title, text })),
  });
}

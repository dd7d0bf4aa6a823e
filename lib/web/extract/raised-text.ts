const LOWERED: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from('0123456789+-=()', (sign, i) => [sign, '₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎'[i]!]),
);

/**
 * Raised text: a mark of a note as `[1]`, an ordinal as it is (`5th`), anything else as a power (`10^10`, `x^(n+1)`).
 *
 * @param before the two characters before it
 * @param isLink it is a link, as marks of notes are
 */
export function raised(text: string, before: string, isLink: boolean): string {
  const words = text.trim();
  if (words === '' || /^[[(^]|^[^\p{L}\p{N}\p{Sm}-]+$/u.test(words)) return text;
  if (isLink || !/[\p{L}\p{N})\]]$/u.test(before)) return isNote(words) ? `[${words}]` : text;
  // `5th`, `1er`, `1o`, `XIXe`.
  if (/\d$/.test(before) && /^(?:\p{L}{2,4}\.?|[aeoªº])$/u.test(words)) return text;
  if (/[IVXLCDM]{2}$/.test(before) && /^[eè]\p{Ll}{0,2}$/u.test(words)) return text;
  return `^${grouped(words)}`;
}

/** Lowered text: figures as such signs (`H₂O`), anything else as an index (`x_i`). */
export function lowered(text: string, before: string): string {
  const words = text.trim().replaceAll('−', '-');
  if (words === '' || /\s$/.test(before)) return text;
  const signs = Array.from(words, (sign) => LOWERED[sign]);
  return signs.includes(undefined) ? `_${grouped(words)}` : signs.join('');
}

const isNote = (words: string): boolean => /^[\p{L}\p{N}*†‡§, ]{1,12}$/u.test(words);

const grouped = (words: string): string => (/^[-+−]?[\p{L}\p{N}.,]+$/u.test(words) ? words : `(${words})`);

/** A year, month and day, perhaps with a time and its zone: `2024-03-05`, `2024/3/5`, `2024-03-05T10:30:00+02:00`. */
const ISO =
  /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?\s?(Z|[+-]\d{2}:?\d{2})?)?/i;
const MAX_LENGTH = 60;

/**
 * A date of a page or a provider as ISO 8601. A date-time with a zone becomes UTC; one without a zone becomes the bare date.
 *
 * @returns undefined for text that names no day, e.g. `3 days ago`, and outside 1900..2100
 */
export function isoDate(value: string): string | undefined {
  if (value.length > MAX_LENGTH) return undefined;
  const text = value.trim();
  const [, year = '', , month = '', day = '', zone] = ISO.exec(text) ?? [];
  if (zone) return inRange(text)?.toISOString();
  if (year)
    return inRange(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`)
      ?.toISOString()
      .slice(0, 10);
  // `Mar 5, 2024`, `5 March 2024`, `Tue, 05 Mar 2024 10:00:00 GMT`: a day, a month's name and a year.
  if (!/[a-z]{3}/i.test(text) || !/\b\d{1,2}\b/.test(text) || !/\b(?:19|20)\d{2}\b/.test(text))
    return undefined;
  return /(?:GMT|UTC|Z|[+-]\d{4})$/.test(text)
    ? inRange(text)?.toISOString()
    : inRange(`${text} UTC`)?.toISOString().slice(0, 10);
}

function inRange(text: string): Date | undefined {
  const date = new Date(text);
  const year = date.getUTCFullYear();
  return year >= 1900 && year <= 2100 ? date : undefined;
}

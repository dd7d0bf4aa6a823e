/**
 * A provider's date as ISO 8601: a date-time with a zone in UTC, anything else as the bare date, since a time without
 * a zone says less than it seems. Undefined for what names no day, e.g. `3 days ago`.
 */
export function isoDate(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const iso = /^(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?/.exec(
    value,
  );
  if (iso?.[1])
    return iso[2] ? inRange(value, (date) => date.toISOString()) : inRange(iso[1], () => iso[1] as string);
  // `Mar 5, 2024`, `5 March 2024`, `Tue, 05 Mar 2024 10:00:00 GMT`: a day, a month's name and a year.
  if (!/[a-z]{3}/i.test(value) || !/\b\d{1,2}\b/.test(value) || !/\b(?:19|20)\d{2}\b/.test(value))
    return undefined;
  return /(?:GMT|UTC|Z|[+-]\d{4})$/.test(value.trim())
    ? inRange(value, (date) => date.toISOString())
    : inRange(`${value} UTC`, (date) => date.toISOString().slice(0, 10));
}

function inRange(text: string, format: (date: Date) => string): string | undefined {
  const date = new Date(text);
  const year = date.getUTCFullYear();
  return year >= 1900 && year <= 2100 ? format(date) : undefined;
}

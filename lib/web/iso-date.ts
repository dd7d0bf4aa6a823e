import { LANGUAGES } from '../text/languages.js';
import { calendarWord } from '../text/number-words.js';

/** `2024-03-05`, `2024/3/5`, `20240305`, `2024-03-05T10:30:00+02:00`. */
const ISO = /^(\d{4})([-/.]?)(\d{1,2})\2(\d{1,2})(?!\d)/;
/** `12.05.2026`, `3. 10. 2020`: day first. */
const DOTTED = /(?<!\d)(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?!\d)/;
/** `31/12/2025`, `12/31/2025`: only where one of the two can be no month, or both are the same. */
const SLASHED = /(?<!\d)(\d{1,2})([/-])(\d{1,2})\2(\d{4})(?!\d)/;
const DAY_MONTH_YEAR =
  /(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|\.|º)?\s(?:de\s|of\s)?(\p{L}{3,12})\.?,?\s(?:de\s|del\s)?(\d{4})(?!\d)/iu;
const MONTH_DAY_YEAR = /(\p{L}{3,12})\.?\s(\d{1,2})(?:st|nd|rd|th)?,?\s(\d{4})(?!\d)/iu;
/** A time of the day, no `24:00`, with its zone. */
const ZONED =
  /(?<![\d:])([01]?\d|2[0-3])(:\d{2})(:\d{2}(?:\.\d{1,9})?)?\s?(?:GMT|UTC|Z|([+-]\d{2}):?(\d{2}))$/i;
const YEAR_OR_MONTH = /^\d{4}(?:-(?:0[1-9]|1[0-2]))?$/;
const MAX_LENGTH = 60; // characters; a plain bound

/**
 * The only reader of dates. A date of a page, a document or a provider as ISO 8601. A date-time keeps its zone, and with
 * it the day that the page says; one without a zone becomes the bare date. Months may have their names in the languages of answers.
 *
 * @returns undefined for text that names no day, e.g. `3 days ago`, for a day that does not exist, for `05/03/2024`, which may be a day of
 *   March or of May, and outside 1900..2100
 */
export function isoDate(value: string): string | undefined {
  if (value.length > MAX_LENGTH) return undefined;
  const text = value.trim().replace(/\s+/g, ' ');
  const iso = ISO.exec(text);
  const day = iso ? dayOf(iso[1]!, iso[3]!, iso[4]!) : (numericDay(text) ?? namedDay(text));
  return day && withTime(day, text);
}

/** When something was published, ms since 1970; NaN where nothing is known. A year or month counts from its beginning. */
export function publishedMs(value = ''): number {
  return Date.parse(isoDate(value) ?? YEAR_OR_MONTH.exec(value.trim())?.[0] ?? '');
}

function numericDay(text: string): string | undefined {
  const dotted = DOTTED.exec(text);
  if (dotted) return dayOf(dotted[3]!, dotted[2]!, dotted[1]!);
  const [, first = '', , second = '', year = ''] = SLASHED.exec(text) ?? [];
  if (Number(first) > 12 || first === second) return dayOf(year, second, first);
  return Number(second) > 12 ? dayOf(year, first, second) : undefined;
}

function namedDay(text: string): string | undefined {
  const [, day = '', name = '', year = ''] = DAY_MONTH_YEAR.exec(text) ?? [];
  const month = monthOf(name);
  if (month) return dayOf(year, month, day);
  const [, named = '', number = '', ofYear = ''] = MONTH_DAY_YEAR.exec(text) ?? [];
  return dayOf(ofYear, monthOf(named) ?? '', number);
}

function dayOf(year: string, month: string, day: string): string | undefined {
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const exists = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  return exists && Number(year) >= 1900 && Number(year) <= 2100 ? date.toISOString().slice(0, 10) : undefined;
}

function withTime(day: string, text: string): string {
  const [, hour, minutes, seconds = ':00', zone = '+00', more = '00'] = ZONED.exec(text) ?? [];
  if (hour === undefined) return day;
  const time = `${day}T${hour.padStart(2, '0')}${minutes}${seconds}${zone}:${more}`;
  if (Number.isNaN(Date.parse(time))) return day;
  return Number(zone + more) === 0 ? new Date(time).toISOString() : time;
}

/** The number of a month by its name or abbreviation in any of the six languages. */
function monthOf(name: string): string | undefined {
  if (name === '') return undefined;
  const words = LANGUAGES.map((language) => calendarWord(name.toLowerCase(), language));
  const month = words.find((word) => word?.kind === 'month');
  return month && String(month.value);
}

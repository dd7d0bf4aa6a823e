import { publishedMs } from '../web/iso-date.js';
import { check, isRecord, Issue, optional, options, type Schema } from '../core/schema.js';

/** The last day, week, month or year. */
export type FreshnessPeriod = 'day' | 'week' | 'month' | 'year';

/** A range of days, both ends included. At least one end is given. */
export interface DateRange {
  /** First day, `YYYY-MM-DD`, UTC. Default: no limit. */
  from?: string;
  /** Last day, `YYYY-MM-DD`, UTC. Default: no limit. */
  to?: string;
}

/** When results must have been published: within the last period, or within a range of days. */
export type Freshness = FreshnessPeriod | DateRange;

const DAY_MS = 86_400_000;

/** Days of each period. A month and a year have the length of their longest, so that no result is lost at the edge. */
const DAYS: Readonly<Record<FreshnessPeriod, number>> = { day: 1, week: 7, month: 31, year: 366 };

export const PERIODS = Object.keys(DAYS) as FreshnessPeriod[];

export function isPeriod(freshness: unknown): freshness is FreshnessPeriod {
  return typeof freshness === 'string' && Object.hasOwn(DAYS, freshness);
}

/** The range of days that a freshness means now. A range is returned as it is; a period ends today, without `to`. */
export function rangeOf(freshness: Freshness, now: number = Date.now()): DateRange {
  return isPeriod(freshness) ? { from: dayOf(now - DAYS[freshness] * DAY_MS) } : freshness;
}

/** A range with one more day at each end, for providers that take the ends as "after" and "before". */
export function widened({ from, to }: DateRange): DateRange {
  return {
    ...(from === undefined ? {} : { from: dayOf(Date.parse(from) - DAY_MS) }),
    ...(to === undefined ? {} : { to: dayOf(Date.parse(to) + DAY_MS) }),
  };
}

/** The shortest period that includes a freshness, for providers that know periods only. Undefined when no period does. */
export function periodOf(freshness: Freshness, now: number = Date.now()): FreshnessPeriod | undefined {
  if (isPeriod(freshness)) return freshness;
  const { from } = freshness;
  return from === undefined ? undefined : PERIODS.find((period) => rangeOf(period, now).from! <= from);
}

/** True when a date lies within the freshness. A date in the future counts as fresh for a period. False for text that is not a date. */
export function isFresh(publishedAt: string, freshness: Freshness, now: number = Date.now()): boolean {
  const time = publishedMs(publishedAt);
  if (Number.isNaN(time)) return false;
  if (isPeriod(freshness)) return time >= now - DAYS[freshness] * DAY_MS;
  const day = dayOf(time);
  return (
    (freshness.from === undefined || day >= freshness.from) &&
    (freshness.to === undefined || day <= freshness.to)
  );
}

const DAY = check<string>(
  'a day such as 2026-01-31',
  (value) => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && exists(value),
);

const RANGE = options<DateRange>({ from: optional(DAY), to: optional(DAY) });
const EXPECTED = `one of ${PERIODS.join(', ')}, or a range of days such as { from: '2026-01-01', to: '2026-01-31' }`;

/** The option `search.freshness`: a period, or a range of days that exist, with at least one end. */
export const FRESHNESS: Schema<Freshness> = {
  expected: EXPECTED,
  read: (value) => {
    if (isPeriod(value)) return value;
    if (!isRecord(value)) return new Issue(EXPECTED, value);
    const range = RANGE.read(value);
    if (range instanceof Issue) return range;
    const { from, to } = range;
    if (from === undefined && to === undefined) return new Issue(EXPECTED, value);
    if (from !== undefined && to !== undefined && to < from)
      return new Issue(`no earlier than \`from\` (${from})`, to).in('to');
    return range;
  },
};

/** `2026-02-31` parses, as the third of March. */
function exists(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && dayOf(time) === text;
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

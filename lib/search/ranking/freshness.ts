const DAYS = { day: 1, week: 7, month: 31, year: 366 } as const;

/** True when a date lies within the last day, week, month or year, or in the future; false for what is no date. */
export function isFresh(publishedAt: string, freshness: keyof typeof DAYS, now = Date.now()): boolean {
  const time = Date.parse(publishedAt);
  return time >= now - DAYS[freshness] * 86_400_000;
}

import fc from 'fast-check';
import { InvalidOptionError } from '../../lib/core/errors.js';
import { parseOption } from '../../lib/core/schema.js';
import {
  FRESHNESS,
  isFresh,
  periodOf,
  rangeOf,
  widened,
  type Freshness,
  type FreshnessPeriod,
} from '../../lib/search/freshness.js';

const NOW = Date.parse('2026-03-31T12:00:00Z');
const PERIODS: FreshnessPeriod[] = ['day', 'week', 'month', 'year'];

describe('a freshness', () => {
  it('reaches back from now, or is a range of days', () => {
    expect(PERIODS.map((period) => rangeOf(period, NOW))).toEqual([
      { from: '2026-03-30' },
      { from: '2026-03-24' },
      { from: '2026-02-28' },
      { from: '2025-03-30' },
    ]);
    expect(rangeOf({ to: '2026-01-01' }, NOW)).toEqual({ to: '2026-01-01' });
  });

  it.each<[string, Freshness, boolean]>([
    ['2026-03-31', 'day', true],
    ['2026-03-29', 'day', false],
    ['2027-01-01', 'day', true],
    ['2026-03-01', 'month', true],
    ['no date', 'year', false],
    ['2026-01-01', { from: '2026-01-01', to: '2026-01-31' }, true],
    ['2026-01-31T23:59:59Z', { from: '2026-01-01', to: '2026-01-31' }, true],
    ['2026-02-01T00:00:00Z', { from: '2026-01-01', to: '2026-01-31' }, false],
    ['2026-01-31T23:30:00-01:00', { to: '2026-01-31' }, false],
    ['2025-12-31', { from: '2026-01-01' }, false],
    ['no date', { from: '2026-01-01' }, false],
  ])('decides whether %s lies in %j', (date, freshness, expected) => {
    expect(isFresh(date, freshness, NOW)).toBe(expected);
  });

  it('has a shortest period that includes it', () => {
    expect(periodOf('week', NOW)).toBe('week');
    expect(periodOf({ from: '2026-03-31' }, NOW)).toBe('day');
    expect(periodOf({ from: '2026-03-25', to: '2026-03-26' }, NOW)).toBe('week');
    expect(periodOf({ from: '2025-06-01' }, NOW)).toBe('year');
    expect(periodOf({ from: '2020-01-01' }, NOW)).toBeUndefined();
    expect(periodOf({ to: '2026-03-31' }, NOW)).toBeUndefined();
  });

  it('grows by a day at each end for a provider that leaves the ends out', () => {
    expect(widened({ from: '2026-03-01', to: '2026-12-31' })).toEqual({
      from: '2026-02-28',
      to: '2027-01-01',
    });
    expect(widened({ to: '2026-12-31' })).toEqual({ to: '2027-01-01' });
  });

  it('is fresh for every date of its own range', () => {
    const days = fc.date({ min: new Date('2000-01-01'), max: new Date('2030-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(days, days, days, (a, b, c) => {
        const [from, day, to] = [a, b, c].map((date) => date.toISOString().slice(0, 10)).sort();
        expect(isFresh(day!, { from, to }, NOW)).toBe(true);
      }),
    );
  });
});

describe('the option of a freshness', () => {
  it('accepts periods and ranges', () => {
    expect(parseOption('search.freshness', FRESHNESS, 'week')).toBe('week');
    expect(parseOption('search.freshness', FRESHNESS, { from: '2026-01-01' })).toEqual({
      from: '2026-01-01',
    });
    expect(parseOption('search.freshness', FRESHNESS, { from: '2026-02-28', to: '2026-02-28' })).toEqual({
      from: '2026-02-28',
      to: '2026-02-28',
    });
  });

  it.each<[unknown, RegExp]>([
    ['weekly', /`search\.freshness` must be one of day, week, month, year, or a range.*"weekly"/],
    ['toString', /one of day/],
    [7, /one of day/],
    [null, /one of day/],
    [{}, /a range of days/],
    [{ from: '2026-01-01', until: '2026-01-02' }, /`search\.freshness\.until`/],
    [{ from: '01/02/2026' }, /`search\.freshness\.from` must be a day such as 2026-01-31/],
    [{ to: '2026-02-31' }, /`search\.freshness\.to` must be a day/],
    [{ from: '2026-02-02', to: '2026-02-01' }, /`search\.freshness\.to` must be no earlier than `from`/],
  ])('refuses %j', (value, message) => {
    expect(() => parseOption('search.freshness', FRESHNESS, value)).toThrow(InvalidOptionError);
    expect(() => parseOption('search.freshness', FRESHNESS, value)).toThrow(message);
  });
});

/** Members that differ with every request. */
const ANY = new Set(['request_id', 'seconds_taken']);
/** Members that may differ by 0.05 before the README is out of date. */
const ABOUT = new Set(['score', 'answerable_probability']);

/**
 * What the README should show of an answer. The README decides which members it shows and how many items of a list. Returns a value that
 * equals `shown` when the README is up to date.
 *
 * @param {unknown} shown the JSON in the README
 * @param {unknown} actual the answer of the app
 */
export function asShown(shown, actual, name = '') {
  if (ANY.has(name)) return shown;
  if (Array.isArray(shown) && Array.isArray(actual))
    return shown.slice(0, actual.length).map((item, index) => asShown(item, actual[index]));
  if (isObject(shown) && isObject(actual))
    return Object.fromEntries(
      Object.entries(shown).map(([key, value]) => [key, asShown(value, actual[key], key)]),
    );
  if (ABOUT.has(name) && typeof actual === 'number')
    return Math.abs(shown - actual) <= 0.05 ? shown : Math.round(actual * 100) / 100;
  return actual;
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Labelled pages of public sets, and the metric of each set: a folder for each, named like the set (a part of one as `wcxb-test`), with
 * `labels.jsonl` and `html/<id>.html.gz`. A line of labels: `id`, `url`, `kind`, `charset`, `text` (main text), `with` and `without` (wanted and unwanted pieces).
 *
 *   wcxb         github.com/Murrough-Foley/web-content-extraction-benchmark: F1 of words, mean over pages
 *   aeb          github.com/scrapinghub/article-extraction-benchmark: F1 of runs of four words, from mean precision and recall
 *   trafilatura  github.com/adbar/trafilatura, tests/evaldata: F of wanted and unwanted pieces, over all pages
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Folders of sets in a folder. */
export const setsIn = (folder) =>
  readdirSync(folder).filter((name) => metricOf(name) && existsSync(join(folder, name, 'labels.jsonl')));

/** Pages of a set; `bytes()` reads one. */
export function pagesOf(folder, set) {
  return readFileSync(join(folder, set, 'labels.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const label = { charset: 'utf-8', ...JSON.parse(line) };
      return {
        set,
        ...label,
        bytes: () => gunzipSync(readFileSync(join(folder, set, 'html', `${label.id}.html.gz`))),
      };
    });
}

/** Words as Python's `\w+` finds them. */
export const wordsOf = (text) => text.match(/[\p{L}\p{N}_]+/gu) ?? [];
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
const harmonic = (p, r) => (p + r === 0 ? 0 : (2 * p * r) / (p + r));
const folded = (text) => text.replace(/\s+/g, ' ').trim();

function shared(a, b) {
  const left = new Map();
  for (const item of b) left.set(item, (left.get(item) ?? 0) + 1);
  let count = 0;
  for (const item of a) {
    const more = left.get(item) ?? 0;
    if (more > 0) {
      left.set(item, more - 1);
      count++;
    }
  }
  return count;
}
const runsOfFour = (words) =>
  words.length === 0
    ? []
    : Array.from({ length: Math.max(1, words.length - 3) }, (_, i) => words.slice(i, i + 4).join(' '));

const METRICS = {
  wcxb: {
    ofPage(text, label) {
      const [ours, truth] = [wordsOf(text.toLowerCase()), wordsOf(label.text.toLowerCase())];
      if (ours.length === 0 || truth.length === 0) {
        const both = +(ours.length === truth.length);
        return { p: both, r: both, f: both };
      }
      const common = shared(ours, truth);
      const [p, r] = [common / ours.length, common / truth.length];
      return { p, r, f: harmonic(p, r) };
    },
    ofSet: (rows) =>
      Object.fromEntries(['f', 'p', 'r'].map((key) => [key, mean(rows.map((row) => row[key]))])),
  },
  aeb: {
    ofPage(text, label) {
      const [ours, truth] = [runsOfFour(wordsOf(text)), runsOfFour(wordsOf(label.text))];
      const common = shared(ours, truth);
      const [p, r] = [ours, truth].map((runs) => (runs.length === 0 ? undefined : common / runs.length));
      return { p, r, f: harmonic(p ?? 0, r ?? 0) };
    },
    ofSet(rows) {
      const [p, r] = ['p', 'r'].map((key) =>
        mean(rows.map((row) => row[key]).filter((value) => value !== undefined)),
      );
      return { f: harmonic(p, r), p, r };
    },
  },
  trafilatura: {
    ofPage(text, label) {
      const own = folded(text);
      const [tp, fp] = [label.with, label.without].map(
        (pieces) => pieces.filter((piece) => own.includes(folded(piece))).length,
      );
      const fn = label.with.length - tp;
      return { tp, fp, fn, f: tp + fp + fn === 0 ? 1 : (2 * tp) / (2 * tp + fp + fn) };
    },
    ofSet(rows) {
      const [tp, fp, fn] = ['tp', 'fp', 'fn'].map((key) => rows.reduce((sum, row) => sum + row[key], 0));
      const [p, r] = [tp / Math.max(1, tp + fp), tp / Math.max(1, tp + fn)];
      return { f: harmonic(p, r), p, r };
    },
  },
};
/** The metric of a set: `ofPage(text, label)`, and `ofSet(rows)` of the results. */
export const metricOf = (set) => METRICS[set.split('-')[0]];

/** A page of which enough is labelled that refusing it is a fault: 100 words, or any pieces. */
export const isReadable = ({ text, with: wanted = [] }) =>
  text === undefined ? wanted.length > 0 : wordsOf(text).length >= 100;

/** The address of a page; undefined where its set does not know it, and has made one up. */
export function addressOf({ url }) {
  const address = new URL(url);
  return address.hostname.endsWith('.example') ? undefined : address;
}

/** Domain that a page was registered under, nearly. */
export function siteOf(page) {
  const address = addressOf(page);
  if (!address) return `${page.set} ${page.id}`;
  const parts = address.hostname.split('.');
  const isShort = parts.length > 2 && parts.at(-1).length === 2 && parts.at(-2).length <= 3;
  return parts.slice(isShort ? -3 : -2).join('.');
}

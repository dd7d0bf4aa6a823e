/** What ROUGE does not see: filler, repetition, words that are not the source's, balance, sentence ends. */
import { sentencesOf, spaceWords } from './texts.mjs';

const FILLER = new Set(
  'um uh uhm hmm mm mmm mhm uhhuh ah oh er erm huh hm yeah yep yes okay ok right alright well so like euh heu ben bah hein ouais bon äh ähm hm ja eh ehm'.split(
    ' ',
  ),
);
const RUN = 4;
const normal = (word) => word.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
const wordsOf = (text) => spaceWords(text).map(normal).filter(Boolean);
const percent = (part, whole) => (whole ? (100 * part) / whole : 0);

/** Runs of words to the sentences (or cues) of the source that they begin in. */
function indexOf(source) {
  const units = sentencesOf(source);
  const words = [];
  const unitAt = [];
  units.forEach((unit, k) => {
    for (const word of wordsOf(unit)) {
      words.push(word);
      unitAt.push(k);
    }
  });
  const runs = new Map();
  for (let i = 0; i + RUN <= words.length; i++) {
    const key = words.slice(i, i + RUN).join(' ');
    const last = i + RUN - 1;
    // A run that occurs twice does not tell where it comes from.
    runs.set(key, runs.has(key) ? [] : [unitAt[i], unitAt[last]]);
  }
  return { units: units.length, runs };
}

/** @returns shares in percent; `thirds` of the source's sentences that the summary draws on */
export function qualityOf(summary, source) {
  const words = wordsOf(summary);
  const { units, runs } = indexOf(source);
  const seen = new Set();
  let repeats = 0;
  for (let i = 0; i + 3 <= words.length; i++) {
    const key = words.slice(i, i + 3).join(' ');
    if (seen.has(key)) repeats++;
    seen.add(key);
  }
  const drawn = new Set();
  const verbatim = new Set();
  for (let i = 0; i + RUN <= words.length; i++) {
    const found = runs.get(words.slice(i, i + RUN).join(' '));
    if (!found) continue;
    for (let k = i; k < i + RUN; k++) verbatim.add(k);
    for (const unit of found) drawn.add(unit);
  }
  const thirds = [0, 0, 0];
  for (const unit of drawn) thirds[Math.min(2, Math.floor((unit / units) * 3))]++;
  const lines = summary.split('\n').filter((line) => line.trim());
  return {
    filler: percent(words.filter((word) => FILLER.has(word)).length, words.length),
    repeat: percent(repeats, Math.max(0, words.length - 2)),
    verbatim: percent(verbatim.size, words.length),
    first: percent(thirds[0], drawn.size),
    middle: percent(thirds[1], drawn.size),
    last: percent(thirds[2], drawn.size),
    ends: percent(lines.filter((line) => /[.!?…]["'»”’)]*$/.test(line.trim())).length, lines.length),
  };
}

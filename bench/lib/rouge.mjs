/**
 * ROUGE-1, ROUGE-2 and ROUGE-Lsum, F1 (Lin 2004), with the conventions of Google's `rouge_score`: lower case, English
 * words longer than three letters stemmed (Porter), all else a separator. Other languages: Unicode words, no stemming.
 */
import { porter } from './porter.mjs';
import { sentencesOf } from './texts.mjs';

const stems = new Map();
const stemOf = (word) => {
  if (!stems.has(word)) stems.set(word, porter(word));
  return stems.get(word);
};

export function tokensOf(text, language) {
  if (language !== 'en')
    return text
      .toLowerCase()
      .normalize('NFC')
      .split(/[^\p{L}\p{M}\p{N}]+/u)
      .filter(Boolean);
  return text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .map((word) => (word.length > 3 ? stemOf(word) : word));
}

const counted = (list) => {
  const counts = new Map();
  for (const item of list) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
};
const f1 = (hits, ours, theirs) => (hits ? (2 * hits) / (ours + theirs) : 0);

function overlap(ours, theirs) {
  const have = counted(ours);
  let hits = 0;
  for (const [item, n] of counted(theirs)) hits += Math.min(n, have.get(item) ?? 0);
  return f1(hits, ours.length, theirs.length);
}
const pairs = (list) => list.slice(1).map((word, i) => `${list[i]} ${word}`);

/** Positions of `reference` in one longest common subsequence with `candidate`. */
function commonPositions(reference, candidate) {
  const width = candidate.length + 1;
  const table = new Uint16Array((reference.length + 1) * width);
  const at = (i, j) => table[i * width + j];
  for (let i = 1; i <= reference.length; i++)
    for (let j = 1; j < width; j++)
      table[i * width + j] =
        reference[i - 1] === candidate[j - 1] ? at(i - 1, j - 1) + 1 : Math.max(at(i - 1, j), at(i, j - 1));
  const positions = [];
  for (let i = reference.length, j = candidate.length; i > 0 && j > 0;) {
    if (reference[i - 1] === candidate[j - 1]) {
      positions.push(--i);
      j--;
    } else if (at(i, j - 1) > at(i - 1, j)) j--;
    else i--;
  }
  return positions;
}

/** Union of the common subsequences over sentences; a word counts at most as often as either side has it. */
function summaryLevel(ours, theirs) {
  const left = counted(ours.flat());
  const right = counted(theirs.flat());
  let hits = 0;
  for (const reference of theirs) {
    const union = new Set(ours.flatMap((candidate) => commonPositions(reference, candidate)));
    for (const i of [...union].sort((a, b) => a - b)) {
      const word = reference[i];
      if (!(left.get(word) > 0 && right.get(word) > 0)) continue;
      hits++;
      left.set(word, left.get(word) - 1);
      right.set(word, right.get(word) - 1);
    }
  }
  return f1(hits, ours.flat().length, theirs.flat().length);
}

const bySentence = (text, language) =>
  sentencesOf(text)
    .map((sentence) => tokensOf(sentence, language))
    .filter((tokens) => tokens.length > 0);

export function rouge(summary, reference, language) {
  const ours = tokensOf(summary, language);
  const theirs = tokensOf(reference, language);
  return {
    r1: overlap(ours, theirs),
    r2: overlap(pairs(ours), pairs(theirs)),
    rl: summaryLevel(bySentence(summary, language), bySentence(reference, language)),
  };
}

/**
 * Content recall: share of the reference's distinct content words that a summary has. No content word is what occurs
 * in more than half of the transcripts of its language.
 */
export function contentRecallOf(documents) {
  const common = {};
  for (const language of new Set(documents.map((d) => d.language))) {
    const own = documents.filter((d) => d.language === language);
    const found = counted(own.flatMap((d) => [...new Set(tokensOf(d.transcript, language))]));
    common[language] = new Set([...found].filter(([, n]) => n > own.length / 2).map(([word]) => word));
  }
  return (summary, { reference, language }) => {
    const wanted = new Set(
      tokensOf(reference, language).filter((word) => word.length > 1 && !common[language].has(word)),
    );
    const have = new Set(tokensOf(summary, language));
    return wanted.size ? [...wanted].filter((word) => have.has(word)).length / wanted.size : 0;
  };
}

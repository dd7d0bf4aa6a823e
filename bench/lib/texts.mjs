/** Reading of measuring data and the two shapes of a text: as written, and as automatic captions carry it. */
import { readFileSync } from 'node:fs';

export const readJsonl = (file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim())
    .map((line) => JSON.parse(line));

export const spaceWords = (text) => text.split(/\s+/).filter(Boolean);

/** A generator of numbers in [0, 1) that depends on a text only (hash xmur3, generator mulberry32). */
export function seeded(text) {
  let h = 1779033703 ^ text.length;
  for (const c of text) {
    h = Math.imul(h ^ c.charCodeAt(0), 3432918353);
    h = (h << 13) | (h >>> 19);
  }
  let state = h >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const ABBREVIATION =
  /(?:\b(?:Mr|Mrs|Ms|Dr|Prof|Hon|Rt|St|vs|etc|e\.g|i\.e|No|Nr|bzw|z\.B|d\.h|M|Mme|Mlle|Sr|Sra|Dott|Sig|Art|p|pp|Inc|Ltd|Co|approx|ca)|\b\p{Lu})\.$/u;

/** Sentences of a text, for scoring: a line break ends one, and so does a full stop before a capital letter or digit. */
export function sentencesOf(text) {
  const sentences = [];
  const end = /[.!?…]+["'»”’)\]]*(?=\s+["'«“‘([¿¡]*[\p{Lu}\p{N}])|[.!?…]+["'»”’)\]]*\s*$/gu;
  for (const line of text.split(/\n+/)) {
    let from = 0;
    const keep = (to) => {
      const sentence = line.slice(from, to).trim();
      if (sentence) sentences.push(sentence);
      from = to;
    };
    for (const match of line.matchAll(end)) {
      const to = match.index + match[0].length;
      const isAbbreviation = match[0][0] === '.' && ABBREVIATION.test(line.slice(from, match.index + 1));
      if (!isAbbreviation || to >= line.length) keep(to);
    }
    keep(line.length);
  }
  return sentences;
}

/** Lower case without punctuation; apostrophes and hyphens inside words stay. */
const asSpoken = (text) =>
  text
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}'’\-\s]+/gu, ' ')
    .replace(/(^|\s)['’-]+|['’-]+(?=\s|$)/gu, '$1')
    .trim();

/** The text as automatic captions: cues of 5 to 12 words at 150 words a minute, the same cut for the same id. */
export function captionsOf({ id, transcript }) {
  const words = spaceWords(asSpoken(transcript));
  const random = seeded(`autocaption:${id}`);
  const segments = [];
  for (let i = 0; i < words.length;) {
    const n = 5 + Math.floor(random() * 8);
    const cue = words.slice(i, i + n);
    segments.push({
      text: cue.join(' '),
      start: +(i * 0.4).toFixed(2),
      duration: +(cue.length * 0.4).toFixed(2),
    });
    i += n;
  }
  return segments;
}

/** The first so many words, line breaks kept. */
export function cutTo(text, most) {
  const lines = [];
  let left = most;
  for (const line of text.split('\n')) {
    const words = spaceWords(line).slice(0, left);
    if (words.length) lines.push(words.join(' '));
    left -= words.length;
    if (left <= 0) break;
  }
  return lines.join('\n');
}

/** Invented words, and pages that are made of them: a few words are common and most are rare, as in a language. */
const SYLLABLES =
  'ka lo mi ren tu sha ber don fi gul han jor kel lam nor pid quo ras sten vor wel xan yim zet'.split(' ');

let seed = 7;
const below = (n) => (seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff) % n;

export const WORDS = Array.from({ length: 12_000 }, () =>
  Array.from({ length: 3 + below(2) }, () => SYLLABLES[below(SYLLABLES.length)]).join(''),
);

const word = () => WORDS[Math.floor(WORDS.length * (below(1e6) / 1e6) ** 3)];
const text = (count) => Array.from({ length: count }, word).join(' ');

export function* pages(count) {
  for (let i = 0; i < count; i++)
    yield { url: `https://pages.example/${i}`, title: text(7), text: `${text(100)}.` };
}

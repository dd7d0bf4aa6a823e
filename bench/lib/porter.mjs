/** The Porter stemmer (M. F. Porter, An algorithm for suffix stripping, 1980), which ROUGE uses for English. */
const isVowel = (w, i) => 'aeiou'.includes(w[i]) || (w[i] === 'y' && i > 0 && !isVowel(w, i - 1));

/** Number of vowel-consonant sequences. */
function measure(w) {
  let m = 0;
  for (let i = 1; i < w.length; i++) if (isVowel(w, i - 1) && !isVowel(w, i)) m++;
  return m;
}
const hasVowel = (w) => [...w].some((_, i) => isVowel(w, i));
const endsDouble = (w) => w.length > 1 && w.at(-1) === w.at(-2) && !isVowel(w, w.length - 1);
const endsCvc = (w) => {
  const n = w.length - 1;
  return n >= 2 && !isVowel(w, n) && isVowel(w, n - 1) && !isVowel(w, n - 2) && !'wxy'.includes(w[n]);
};

const STEP2 =
  'ational:ate tional:tion enci:ence anci:ance izer:ize bli:ble alli:al entli:ent eli:e ousli:ous ization:ize ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al iviti:ive biliti:ble logi:log';
const STEP3 = 'icate:ic ative: alize:al iciti:ic ical:ic ful: ness:';
const STEP4 =
  'al: ance: ence: er: ic: able: ible: ant: ement: ment: ent: ion: ou: ism: ate: iti: ous: ive: ize:';
const rules = (text) =>
  text
    .split(' ')
    .map((rule) => rule.split(':'))
    .sort((a, b) => b[0].length - a[0].length);
const [step2, step3, step4] = [STEP2, STEP3, STEP4].map(rules);

/** Replaces the longest matching suffix if what remains is long enough; a longer match that fails ends the step. */
function replaceSuffix(w, list, least, allowed = () => true) {
  for (const [suffix, by] of list) {
    if (!w.endsWith(suffix) || w.length === suffix.length) continue;
    const base = w.slice(0, -suffix.length);
    return measure(base) > least && allowed(suffix, base) ? base + by : w;
  }
  return w;
}

export function porter(word) {
  if (word.length < 3) return word;
  let w = word;
  if (/(ss|i)es$/.test(w)) w = w.slice(0, -2);
  else if (/[^s]s$/.test(w)) w = w.slice(0, -1);
  if (w.endsWith('eed') && w.length > 3) {
    if (measure(w.slice(0, -3)) > 0) w = w.slice(0, -1);
  } else {
    const base = w.endsWith('ed') ? w.slice(0, -2) : w.endsWith('ing') ? w.slice(0, -3) : '';
    if (base && hasVowel(base)) {
      w = base;
      if (/(at|bl|iz)$/.test(w)) w += 'e';
      else if (endsDouble(w) && !/[lsz]$/.test(w)) w = w.slice(0, -1);
      else if (measure(w) === 1 && endsCvc(w)) w += 'e';
    }
  }
  if (w.endsWith('y') && hasVowel(w.slice(0, -1))) w = `${w.slice(0, -1)}i`;
  w = replaceSuffix(w, step2, 0);
  w = replaceSuffix(w, step3, 0);
  w = replaceSuffix(w, step4, 1, (suffix, base) => suffix !== 'ion' || /[st]$/.test(base));
  if (w.endsWith('e')) {
    const base = w.slice(0, -1);
    if (measure(base) > 1 || (measure(base) === 1 && !endsCvc(base))) w = base;
  }
  if (measure(w) > 1 && w.endsWith('ll')) w = w.slice(0, -1);
  return w;
}

import { decodeHTMLStrict } from 'entities/decode';

/** Tags of caption formats. Other tags stay: a speaker who explains HTML says `<div>`. */
const TAG =
  /<\/?(?:i|b|u|s|c|v|p|br|font|lang|ruby|rt|span)(?:[.\s/][^<>]{0,200})?>|<\d{1,4}:\d\d[\d:.,]{0,12}>/gi;

/** Invisible characters without meaning in plain text: zero-width space, direction marks, byte-order mark, soft hyphen. */
const INVISIBLE = /[\u200b\u200e\u200f\u2060\ufeff\u00ad]/g;

/** Most cues are printable ASCII with single spaces and do not match. */
const NEEDS_FOLDING = /[^\x20-\x7e]| {2}/;

/** Plain text of one cue: entities decoded, tags removed, NFC, white space folded. Runs in linear time. */
export function cleanCaption(raw: string): string {
  let text = raw.includes('<') ? raw.replace(TAG, '') : raw;
  // Uploaded captions are often escaped, some of them twice.
  if (text.includes('&')) text = decodeHTMLStrict(decodeHTMLStrict(text)).replace(TAG, '');
  if (NEEDS_FOLDING.test(text)) {
    text = text
      .normalize('NFC')
      .replace(INVISIBLE, '')
      .replace(/[\s\x00-\x1f\x7f]+/g, ' ');
  }
  return text.trim();
}

/**
 * Words for sounds that captions put in brackets, in the six languages: `[Music]`, `(Applaus)`, `[Música]`, `*rires*`. In lower case, as
 * YouTube's recognizer and human captioners write them.
 */
const SOUNDS = new Set(
  [
    'music applause laughter laughing laughs cheering cheers silence clapping crying sighs noise singing inaudible',
    'background foreign intro outro instrumental theme playing audience crowd chuckles coughing gasps whistling bell ringing blank audio',
    'música aplausos aplauso risos risadas riso silêncio gritos choro suspiros ruído vivas instrumental inaudível palmas',
    'risas risa silencio gritos vítores llanto suspiros ruido inaudible ovación',
    'musica applausi applauso risate risata silenzio grida pianto sospiri rumore incomprensibile fischi',
    'musik applaus gelächter lachen stille jubel beifall schreie weinen seufzer geräusch unverständlich gesang titelmusik',
    'musique applaudissements rires rire silence cris pleurs soupirs bruit inaudible générique acclamations chant',
  ].flatMap((line) => line.split(' ')),
);

const MARKS = /\[[^[\]]{1,80}\]|\([^()]{1,80}\)|\*[^*]{1,80}\*|[♪♫]+/gu;

/**
 * True for a cue without speech: only sounds in brackets (`[Music]`, `(applaus)`) or note signs. Square brackets alone suffice
 * (`[door slams]`). Round brackets or asterisks need a word for a sound, because parentheses may hold speech. Sung words between notes
 * (`♪ hello ♪`) are speech.
 */
export function isNonSpeech(text: string): boolean {
  const marks = text.match(MARKS);
  return marks !== null && !/[\p{L}\p{N}]/u.test(text.replace(MARKS, '')) && marks.every(isSound);
}

const isSound = (mark: string): boolean => /^[[♪♫]/u.test(mark) || namesSound(mark);

export function namesSound(text: string): boolean {
  const words = text.toLowerCase().split(/[^\p{L}]+/u);
  return words.some((word) => SOUNDS.has(word));
}

/**
 * What captions put in brackets when nobody speaks, in the six languages: `[Music]`, `(Applaus)`, `[Música]`, `*rires*`.
 * Words in lower case, as YouTube's recogniser and human captioners write them.
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

/** Brackets of either kind, asterisks or note signs around all of the text. */
const WRAPPED = /^(?:\[([^[\]]{1,80})\]|\(([^()]{1,80})\)|\*([^*]{1,80})\*|[♪♫]([^♪♫]{0,80})[♪♫]?)$/u;

const MARKS = /\[[^[\]]{1,80}\]|\([^()]{1,80}\)|\*[^*]{1,80}\*|[♪♫]+/gu;

/**
 * True where a cue holds no word that anybody said: only bracketed sounds (`[Music]`, `(applaus)`) or note signs. Anything
 * in square brackets alone counts as one (`[door slams]`); in round brackets or asterisks only with a word for a sound, because
 * people do speak in parentheses. Sung words between notes (`♪ hello ♪`) are words.
 */
export function isNonSpeech(text: string): boolean {
  if (!/[[(*♪♫]/u.test(text)) return false;
  const marks = text.match(MARKS);
  if (
    !marks ||
    text
      .replace(MARKS, '')
      .trim()
      .replace(/^>+|[-–—:]/g, '')
      .trim() !== ''
  )
    return false;
  return marks.every((mark) => {
    if (mark.startsWith('[') || /^[♪♫]/u.test(mark)) return true;
    const inner = WRAPPED.exec(mark)?.slice(1).find(Boolean) ?? '';
    return inner
      .toLowerCase()
      .split(/[^\p{L}]+/u)
      .some((word) => SOUNDS.has(word));
  });
}

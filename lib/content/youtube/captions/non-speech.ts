/**
 * Words for sounds that captions put in brackets, in the six languages: `[Music]`, `(Applaus)`, `[Música]`, `*rires*`. In lower case, as
 * YouTube's recogniser and human captioners write them.
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

/** Brackets, asterisks or note signs around the whole text. */
const WRAPPED = /^(?:\[([^[\]]{1,80})\]|\(([^()]{1,80})\)|\*([^*]{1,80})\*|[♪♫]([^♪♫]{0,80})[♪♫]?)$/u;

const MARKS = /\[[^[\]]{1,80}\]|\([^()]{1,80}\)|\*[^*]{1,80}\*|[♪♫]+/gu;

/**
 * True for a cue without speech: only sounds in brackets (`[Music]`, `(applaus)`) or note signs. Square brackets alone suffice
 * (`[door slams]`). Round brackets or asterisks need a word for a sound, because parentheses may hold speech. Sung words between notes
 * (`♪ hello ♪`) are speech.
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

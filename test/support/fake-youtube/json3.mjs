/** Caption lines written as YouTube writes them in the format `json3` of timedtext. */

/** Automatic captions time each word; here at even steps through the first two thirds of the line. */
function timedWords({ startMs, endMs, text }) {
  const words = text.split(' ');
  const step = Math.floor(((endMs - startMs) * 2) / 3 / words.length);
  return words.map((word, i) => ({ text: i === 0 ? word : ` ${word}`, offsetMs: i * step }));
}

export function json3({ lines, automatic }) {
  const events = lines.flatMap((line) => {
    const times = { tStartMs: line.startMs, dDurationMs: line.endMs - line.startMs };
    if (!automatic) return [{ ...times, segs: [{ utf8: line.text }] }];
    const segs = timedWords(line).map(({ text, offsetMs }) => ({
      utf8: text,
      ...(offsetMs > 0 ? { tOffsetMs: offsetMs } : {}),
      acAsrConf: 0,
    }));
    // The line break that scrolls the window, as automatic captions have it behind each line.
    const scroll = {
      tStartMs: line.endMs - 10,
      dDurationMs: 10,
      wWinId: 1,
      aAppend: 1,
      segs: [{ utf8: '\n' }],
    };
    return [{ ...times, wWinId: 1, segs }, scroll];
  });
  const window = {
    tStartMs: 0,
    dDurationMs: lines.at(-1)?.endMs ?? 0,
    id: 1,
    wpWinPosId: 1,
    wsWinStyleId: 1,
  };
  const whole = {
    wireMagic: 'pb3',
    pens: [{}],
    wsWinStyles: [{}, { mhModeHint: 2, juJustifCode: 0, sdScrollDir: 3 }],
    wpWinPositions: [{}, { apPoint: 6, ahHorPos: 20, avVerPos: 100, rcRows: 2, ccCols: 40 }],
    events: automatic ? [window, ...events] : events,
  };
  return JSON.stringify(whole, undefined, 2);
}

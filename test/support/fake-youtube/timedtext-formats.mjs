/** Caption lines written in each format of YouTube's timedtext, the way YouTube writes them. */

const escapeXml = (text) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll("'", '&#39;')
    .replaceAll('"', '&quot;');

/** Automatic captions time each word; here at even steps through the first two thirds of the line. */
function timedWords({ startMs, endMs, text }) {
  const words = text.split(' ');
  const step = Math.floor(((endMs - startMs) * 2) / 3 / words.length);
  return words.map((word, i) => ({ text: i === 0 ? word : ` ${word}`, offsetMs: i * step }));
}

function json3({ lines, automatic }) {
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

function srv3({ lines, automatic }) {
  const paragraphs = lines.map((line) => {
    const inner = automatic
      ? timedWords(line)
          .map(
            ({ text, offsetMs }) =>
              `<s${offsetMs > 0 ? ` t="${offsetMs}"` : ''} ac="0">${escapeXml(text)}</s>`,
          )
          .join('')
      : escapeXml(line.text);
    const scroll = automatic ? `<p t="${line.endMs - 10}" d="10" w="1" a="1">\n</p>\n` : '';
    return `<p t="${line.startMs}" d="${line.endMs - line.startMs}"${automatic ? ' w="1"' : ''}>${inner}</p>\n${scroll}`;
  });
  return `<?xml version="1.0" encoding="utf-8" ?><timedtext format="3">\n<head>\n<ws id="0"/>\n<wp id="0"/>\n</head>\n<body>\n${paragraphs.join('')}</body>\n</timedtext>\n`;
}

function classic({ lines }) {
  const texts = lines.map(
    // YouTube escapes the text of this format twice.
    ({ startMs, endMs, text }) =>
      `<text start="${startMs / 1000}" dur="${(endMs - startMs) / 1000}">${escapeXml(escapeXml(text))}</text>`,
  );
  return `<?xml version="1.0" encoding="utf-8" ?><transcript>${texts.join('')}</transcript>`;
}

const clock = (ms) => new Date(ms).toISOString().slice(11, 23);

function vtt({ lines, automatic, language }) {
  const settings = automatic ? ' align:start position:0%' : '';
  const cues = lines.flatMap((line, i) => {
    if (!automatic) return [`${clock(line.startMs)} --> ${clock(line.endMs)}\n${escapeXml(line.text)}\n`];
    const above = lines[i - 1] ? escapeXml(lines[i - 1].text) : ' ';
    const spoken = timedWords(line)
      .map(({ text, offsetMs }) =>
        offsetMs > 0 ? `<${clock(line.startMs + offsetMs)}><c>${escapeXml(text)}</c>` : escapeXml(text),
      )
      .join('');
    return [
      `${clock(line.startMs)} --> ${clock(line.endMs - 10)}${settings}\n${above}\n${spoken}\n`,
      `${clock(line.endMs - 10)} --> ${clock(line.endMs)}${settings}\n${escapeXml(line.text)}\n \n`,
    ];
  });
  return `WEBVTT\nKind: captions\nLanguage: ${language}\n\n${cues.join('\n')}\n`;
}

const FORMATS = {
  json3: { type: 'application/json; charset=UTF-8', write: json3 },
  srv3: { type: 'text/xml; charset=UTF-8', write: srv3 },
  vtt: { type: 'text/vtt; charset=UTF-8', write: vtt },
  classic: { type: 'text/xml; charset=UTF-8', write: classic },
};

/** The captions of a track in the format asked for by `fmt`; classic XML where it names none. */
export function writeTimedtext(format, track) {
  const { type, write } = FORMATS[format] ?? FORMATS.classic;
  return { type, body: write(track) };
}

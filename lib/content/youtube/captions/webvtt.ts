import type { Cues } from './cue.js';

const TIMING =
  /^(?:(\d{1,4}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})[ \t]+-->[ \t]+(?:(\d{1,4}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})/;

/** Word timing inside a cue of automatic captions: `<00:00:01.200>`. */
const WORD_TIME = /<(\d{1,4}):(\d{2}):(\d{2})\.(\d{3})>/g;

/**
 * Reads WebVTT (W3C), and SubRip, which differs by a comma. Blocks are separated by empty lines; each has a line of times, then its text.
 * Headers, notes, styles and regions have no line of times and are skipped.
 */
export function* parseWebVtt(body: string): Cues {
  let cue: { startMs: number; endMs: number; lines: string[] } | undefined;
  let at = 0;
  const close = (): ReturnType<typeof toCue> | undefined => (cue ? toCue(cue) : undefined);
  while (at < body.length) {
    const end = body.indexOf('\n', at);
    const stop = end < 0 ? body.length : end;
    const line = body.slice(at, body.charCodeAt(stop - 1) === 13 ? stop - 1 : stop);
    at = stop + 1;
    const time = line.includes('-->') ? TIMING.exec(line) : null;
    if (time) {
      yield close();
      cue = { startMs: clock(time, 1), endMs: clock(time, 5), lines: [] };
    } else if (line === '') {
      yield close();
      cue = undefined;
    } else cue?.lines.push(line);
  }
  yield close();
}

function toCue({ startMs, endMs, lines }: { startMs: number; endMs: number; lines: string[] }) {
  const text = lines.join('\n');
  let lastWordMs: number | undefined;
  for (const match of text.matchAll(WORD_TIME)) lastWordMs = clock(match, 1);
  return { startMs, endMs: Math.max(startMs, endMs), text, lastWordMs };
}

function clock(match: RegExpMatchArray, first: number): number {
  const [hours, minutes, seconds] = [0, 1, 2].map((i) => Number(match[first + i] ?? 0));
  const fraction = Number((match[first + 3] ?? '').padEnd(3, '0'));
  return ((hours ?? 0) * 60 + (minutes ?? 0)) * 60_000 + (seconds ?? 0) * 1000 + fraction;
}

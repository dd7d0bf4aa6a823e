import { monitorEventLoopDelay } from 'node:perf_hooks';
import { readCaptions } from '../dist/content/youtube/captions/read-captions.js';

const WORDS = 90_000;
const HOURS_MS = 36_000_000;
const WORDS_A_LINE = 7;
const RUNS = 7;

/** Ten hours of automatic captions as YouTube writes them: a timed word each, a scrolling line break behind each line, indented JSON. */
function tenHours() {
  const vocabulary =
    'so what we see here is that the bridge was never meant to carry quite this many people at once'.split(
      ' ',
    );
  const lines = Math.ceil(WORDS / WORDS_A_LINE);
  const lineMs = Math.floor(HOURS_MS / lines);
  const events = [{ tStartMs: 0, dDurationMs: HOURS_MS, id: 1, wpWinPosId: 1, wsWinStyleId: 1 }];
  for (let line = 0, word = 0; line < lines; line++) {
    const segs = [];
    for (let i = 0; i < WORDS_A_LINE && word < WORDS; i++, word++) {
      const utf8 = `${i === 0 ? '' : ' '}${vocabulary[(word * 7) % vocabulary.length]}`;
      segs.push({ utf8, ...(i === 0 ? {} : { tOffsetMs: i * 320 }), acAsrConf: 0 });
    }
    const tStartMs = line * lineMs;
    events.push({ tStartMs, dDurationMs: lineMs + 1500, wWinId: 1, segs });
    events.push({
      tStartMs: tStartMs + lineMs - 10,
      dDurationMs: 10,
      wWinId: 1,
      aAppend: 1,
      segs: [{ utf8: '\n' }],
    });
  }
  return JSON.stringify(
    { wireMagic: 'pb3', pens: [{}], wsWinStyles: [{}], wpWinPositions: [{}], events },
    undefined,
    2,
  );
}

/** Reads ten hours of captions several times; medians of the whole time, of the time on the processor and of the longest time the event loop was not served. */
export async function measureParse() {
  const body = tenHours();
  const times = [];
  const cpu = [];
  const blocks = [];
  let words = 0;
  for (let run = 0; run < RUNS; run++) {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    await new Promise((resolve) => setTimeout(resolve, 20));
    delay.reset();
    const since = performance.now();
    const cpuSince = process.cpuUsage();
    const segments = await readCaptions(body);
    times.push(performance.now() - since);
    const { user, system } = process.cpuUsage(cpuSince);
    cpu.push((user + system) / 1000);
    await new Promise((resolve) => setTimeout(resolve, 20));
    delay.disable();
    blocks.push(delay.max / 1e6);
    words = segments.reduce((sum, { text }) => sum + text.split(' ').length, 0);
  }
  const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
  return {
    words,
    megabytes: (body.length / 1e6).toFixed(1),
    parseMs: Math.round(median(times)),
    cpuMs: Math.round(median(cpu)),
    longestBlockMs: Math.round(median(blocks)),
  };
}

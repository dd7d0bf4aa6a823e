/** Cost of the index over many documents: synthetic text whose words follow Zipf's law, in loose topics. */
import { readFileSync } from 'node:fs';
import { documents } from '../../dist/search/providers/documents.provider.js';

const WORDS_A_DOCUMENT = 100;
const VOCABULARY = 60_000;
const TOPICS = 200;

export async function measureScale(count) {
  const random = seeded(7);
  const texts = synthetic(count, random);
  const queries = queriesOf(texts, random);
  globalThis.gc?.();
  const idle = process.memoryUsage.rss();
  const given = performance.now();
  const provider = documents(texts);
  const checked = performance.now() - given;
  const slices = watchSlices();
  let peak = 0;
  const watcher = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 50);
  const started = performance.now();
  const cpu = process.cpuUsage();
  await provider.ready();
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const { longest, computed } = slices.stop();
  clearInterval(watcher);
  const context = {
    signal: new AbortController().signal,
    remainingMs: () => 1e6,
    progress() {},
    noCache: true,
  };
  const times = [];
  for (const text of queries) {
    const begin = performance.now();
    await provider.search({ text, count: 10 }, context);
    times.push(performance.now() - begin);
  }
  times.sort((a, b) => a - b);
  const after = process.memoryUsage.rss();
  const mb = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;
  console.log(
    `${count} documents of about ${WORDS_A_DOCUMENT} words, checked in ${checked.toFixed(0)} ms when given`,
  );
  console.log(
    `index built in         ${seconds.toFixed(2)} s (${((user + system) / 1e6).toFixed(2)} s of processor time)`,
  );
  console.log(
    `event loop held for    at most ${longest.toFixed(0)} ms; of them computing ${computed.map((ms) => ms.toFixed(0)).join(', ')} ms in the longest slices`,
  );
  console.log(
    `RSS above idle         ${mb(after - idle)} afterwards, ${mb(Math.max(peak, after) - idle)} at its peak (documents themselves ${mb(idle)} with the process)`,
  );
  console.log(
    `query                  p50 ${times[150].toFixed(1)} ms, p95 ${times[285].toFixed(1)} ms, worst ${times[299].toFixed(1)} ms`,
  );
}

/**
 * The longest stretch without a turn of the event loop, and the longest ones by the processor time of the thread: what other
 * programs take from a busy machine is not this one's.
 */
function watchSlices() {
  let longest = 0;
  let last = performance.now();
  let lastComputed = threadMs();
  const computed = [];
  const ticker = setInterval(() => {
    const now = performance.now();
    const nowComputed = threadMs();
    longest = Math.max(longest, now - last);
    computed.push(nowComputed - lastComputed);
    last = now;
    lastComputed = nowComputed;
  }, 1);
  return {
    stop() {
      clearInterval(ticker);
      return { longest, computed: computed.sort((a, b) => b - a).slice(0, 5) };
    },
  };
}

/** Processor time of the main thread, ms; of the whole process where the system does not tell. */
function threadMs() {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}

/** 300 queries of 3 to 8 words, each of the words of one document. */
export function queriesOf(texts, random) {
  return Array.from({ length: 300 }, () => {
    const source = texts[Math.floor(random() * texts.length)].text.split(/\W+/);
    return Array.from(
      { length: 3 + Math.floor(random() * 6) },
      () => source[Math.floor(random() * source.length)],
    ).join(' ');
  });
}

/** Documents `{ url, title, text }`. */
export function synthetic(count, random) {
  const syllables = [
    'ba',
    'co',
    'du',
    'fer',
    'gil',
    'ho',
    'jan',
    'ke',
    'lor',
    'mi',
    'nu',
    'per',
    'qua',
    'ri',
    'sol',
    'tem',
    'vu',
    'xa',
    'yel',
    'zo',
  ];
  const word = (n) => {
    let out = '';
    for (let i = n + 400; i > 0; i = Math.floor(i / syllables.length)) out += syllables[i % syllables.length];
    return out;
  };
  const vocabulary = Array.from({ length: VOCABULARY }, (_, n) => word(n));
  const zipf = () => Math.min(VOCABULARY - 1, Math.floor(VOCABULARY ** random()) - 1);
  return Array.from({ length: count }, (_, d) => {
    const shift = Math.floor(random() * TOPICS) * 97;
    const pick = () => vocabulary[random() < 0.5 ? zipf() : (zipf() + shift) % VOCABULARY];
    const sentences = Array.from({ length: 8 }, () => {
      const line = Array.from({ length: WORDS_A_DOCUMENT / 8 }, pick).join(' ');
      return `${line[0].toUpperCase()}${line.slice(1)}.`;
    });
    return { url: `https://scale.example/${d}`, title: `${pick()} ${pick()}`, text: sentences.join(' ') };
  });
}

/** Random numbers from 0 to 1, the same each time. */
export function seeded(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

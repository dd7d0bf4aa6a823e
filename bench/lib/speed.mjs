/** Time, memory and event loop for 150,000 words, ten times in one process. */
import { spaceWords } from './texts.mjs';

const WORDS = 150_000;
const CALLS = 10;

/** Texts of the file one after the other, and again from the start, cut at exactly so many words. */
function longText(documents) {
  const lines = [];
  const sources = documents.filter((d) => d.language === 'en');
  let count = 0;
  for (let k = 0; count < WORDS; k++)
    for (const line of (sources[k % sources.length] ?? documents[0]).transcript.split('\n')) {
      const words = spaceWords(line).slice(0, WORDS - count);
      if (words.length) lines.push(words.join(' '));
      count += words.length;
      if (count >= WORDS) break;
    }
  return lines.join('\n');
}

const rssMB = () => process.memoryUsage.rss() / 2 ** 20;

export async function measureSpeed(summarize, documents) {
  const text = longText(documents);
  documents.length = 0;
  await new Promise((done) => setTimeout(done, 500));
  globalThis.gc?.();
  const idle = rssMB();
  console.log(`\n${WORDS.toLocaleString('en-US')} words; idle ${idle.toFixed(0)} MB with the text loaded\n`);
  console.log('| call | s | peak MB above idle | longest event-loop block, ms |\n|---|---|---|---|');
  for (let call = 1; call <= CALLS; call++) {
    let longest = 0;
    let peak = rssMB();
    let last = performance.now();
    const ticker = setInterval(() => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
      peak = Math.max(peak, rssMB());
    }, 1);
    const began = performance.now();
    await summarize(text, { language: 'en', maxWords: 320 });
    const seconds = (performance.now() - began) / 1000;
    longest = Math.max(longest, performance.now() - last);
    peak = Math.max(peak, rssMB());
    clearInterval(ticker);
    console.log(`| ${call} | ${seconds.toFixed(2)} | ${(peak - idle).toFixed(0)} | ${longest.toFixed(0)} |`);
  }
}

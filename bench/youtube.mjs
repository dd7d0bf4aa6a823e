/**
 * What YouTube extractors say when things go wrong, and how quickly a very long transcript is read.
 *
 *   npm run bench:youtube                     ours alone
 *   npm run bench:youtube -- --peers DIR      and the npm packages installed in DIR (mkdir DIR && cd DIR && npm i youtube-transcript
 *                                             youtube-transcript-plus youtube-caption-extractor youtubei.js)
 *
 * All of them talk to the same fake YouTube on the loopback interface; nothing leaves the machine. A cell is right where a failure is named as
 * what it is, or where the words that arrive are the right ones.
 */
import { parseArgs } from 'node:util';
import { startFakeYouTube } from '../test/support/fake-youtube/fake-youtube.mjs';
import { FAILURE_MATRIX } from '../test/support/fake-youtube/failure-matrix.mjs';
import { speech } from '../test/support/fake-youtube/speech.mjs';
import { peerExtractors } from './youtube-peers.mjs';
import { measureParse } from './youtube-parse.mjs';
import { innertubeTranscripts } from '../dist/index.js';
import { YouTubeSource } from '../dist/content/youtube/youtube.source.js';
import { withContext } from '../dist/core/context.js';

const ROWS = [
  ...FAILURE_MATRIX.map((row) => ({
    name: row.case,
    id: row.id,
    video: row.video,
    right: (said) => said.error !== undefined && row.tells.test(said.error),
  })),
  {
    name: 'words: written captions, recognised ones listed first',
    id: 'manualfirst',
    video: {
      tracks: [
        { language: 'en', kind: 'asr', lines: speech(60_000, 'recognised') },
        { language: 'en', lines: speech(60_000, 'written') },
      ],
    },
    right: ({ text = '' }) => text.includes('written') && !text.includes('recognised'),
  },
  {
    name: 'words: text that YouTube escapes twice',
    id: 'escapedtwic',
    video: { tracks: [{ language: 'en', lines: speech(60_000, "I'm here & now") }] },
    right: ({ text = '' }) => text.includes("I'm here & now"),
  },
  {
    name: 'words: another language than asked for is said so',
    id: 'otherlangua',
    video: { tracks: [{ language: 'ja', kind: 'asr', lines: speech(60_000, 'hashi') }] },
    right: ({ error, language }) => language === 'ja' || /language|\bja\b/i.test(error ?? ''),
  },
];

const ours = {
  name: 'ours',
  async get(fake, id) {
    const source = new YouTubeSource({
      transcripts: [innertubeTranscripts({ baseUrl: fake.url })],
      requestTimeoutMs: 1000,
      deadlineMs: 5000,
    });
    const { segments, language } = await withContext(6000, {}, (context) =>
      source.load(id, { languages: ['en'], allowTranslation: false }, context),
    );
    return { text: segments.map(({ text }) => text).join('\n'), lines: segments.length, language };
  },
};

const { values } = parseArgs({ options: { peers: { type: 'string' } } });
const extractors = [ours, ...(values.peers ? await peerExtractors(values.peers) : [])];

const table = [];
for (const row of ROWS) {
  const cells = [];
  for (const { get } of extractors) {
    // A fake of its own each, so that nobody profits or suffers from what another one did before.
    const fake = await startFakeYouTube();
    fake.set(row.id, row.video);
    const said = await outcome(get(fake, row.id));
    // The ID is part of some messages and of no importance to whether they tell the truth.
    if (said.error) said.error = said.error.replaceAll(row.id, '…').replace(/https?:\/\/\S+/g, '…');
    cells.push({
      right: row.right(said),
      said: said.error ?? `OK, ${said.lines} lines${said.language ? ` (${said.language})` : ''}`,
    });
    await fake.close();
  }
  table.push({ name: row.name, cells });
}

const shorten = (text) => {
  const line = text.replace(/\s+/g, ' ').replaceAll('|', '/').trim();
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
};
console.log(`| case | ${extractors.map(({ name }) => name).join(' | ')} |`);
console.log(`|---|${extractors.map(() => '---|').join('')}`);
for (const { name, cells } of table) {
  console.log(
    `| ${name} | ${cells.map(({ right, said }) => `${right ? '✓' : '✗'} ${shorten(said)}`).join(' | ')} |`,
  );
}
const score = extractors.map((_, i) => table.filter(({ cells }) => cells[i].right).length);
console.log(`| **right** | ${score.map((right) => `**${right} of ${table.length}**`).join(' | ')} |`);

const { words, megabytes, parseMs, cpuMs, longestBlockMs } = await measureParse();
console.log(
  `\nTen hours of automatic captions (json3, ${words} words, ${megabytes} MB): read in ${parseMs} ms (${cpuMs} ms of processor time), longest stretch without giving way ${longestBlockMs} ms ` +
    '(medians of 7 runs; bounds 250 ms and 50 ms)',
);
if (score[0] < table.length || parseMs >= 250 || longestBlockMs >= 50) process.exitCode = 1;

async function outcome(promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('(hangs: no answer within 8 s)')), 8000);
  });
  try {
    return await Promise.race([promise, late]);
  } catch (error) {
    return { error: String(error?.message ?? error) };
  } finally {
    clearTimeout(timer);
  }
}

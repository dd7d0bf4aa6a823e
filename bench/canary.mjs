/**
 * Is YouTube still open? Run it where there is internet:  npm run canary -- VIDEO_ID
 *
 * Tries each client profile of `innertubeTranscripts()` and each other provider alone against real YouTube and prints what came. Choose a video that
 * has captions. SUPADATA_API_KEY turns supadata on.
 */
import {
  INNERTUBE_CLIENTS,
  innertubeTranscripts,
  outcomeOf,
  parseVideoId,
  supadataTranscripts,
  WEB_CLIENT,
  youtubeiTranscripts,
  ytDlpTranscripts,
} from '../dist/content/youtube/index.js';
import { withContext } from '../dist/core/tool-context.js';

const HOP_MS = 6000;
const DEADLINE_MS = 30_000;

if (!process.argv[2]) {
  console.error('usage: npm run canary -- VIDEO_ID');
  process.exit(2);
}
const id = parseVideoId(process.argv[2]);

const candidates = [
  ...[...INNERTUBE_CLIENTS, WEB_CLIENT].map((client) => [
    `innertube ${client.name} ${client.version}`,
    innertubeTranscripts({ clients: [client] }),
  ]),
  ['youtubei', youtubeiTranscripts()],
  ['yt-dlp', ytDlpTranscripts()],
  ...(process.env.SUPADATA_API_KEY
    ? [['supadata', supadataTranscripts({ apiKey: process.env.SUPADATA_API_KEY })]]
    : []),
];

const rows = [];
for (const [name, provider] of candidates) {
  const since = performance.now();
  const row = await withContext(DEADLINE_MS, {}, (context) =>
    provider.fetchTranscript(
      id,
      { language: 'en', allowTranslation: false },
      { ...context, hopMs: HOP_MS, attempt: () => {} },
    ),
  ).then(
    ({ segments, language, captions, chapters, storyboard }) => ({
      outcome: 'ok',
      lines: segments.length,
      captions: `${language}, ${captions}`,
      chapters: chapters.length,
      storyboard: storyboard ? 'yes' : 'no',
    }),
    (error) => ({ outcome: outcomeOf(error), message: error.message }),
  );
  rows.push({ provider: name, ms: Math.round(performance.now() - since), ...row });
}
console.table(rows);
if (!rows.some(({ outcome }) => outcome === 'ok')) process.exitCode = 1;

import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The npm extractors found in a folder, each as `get(fake, id)` giving `{ text, lines, language? }` or throwing what the package throws. */
export async function peerExtractors(folder) {
  const root = join(resolve(folder), 'package.json');
  const load = (path) => import(pathToFileURL(join(resolve(folder), 'node_modules', path)).href);
  const versionOf = (name) =>
    JSON.parse(readFileSync(join(resolve(folder), 'node_modules', name, 'package.json'), 'utf8')).version;
  const extractors = [
    ['youtube-transcript', 'youtube-transcript/dist/esm/index.js', youtubeTranscript],
    [
      'youtube-transcript-plus',
      'youtube-transcript-plus/dist/youtube-transcript-plus.mjs',
      youtubeTranscriptPlus,
    ],
    ['youtube-caption-extractor', undefined, captionExtractor],
    ['youtubei.js', 'youtubei.js/dist/src/platform/node.js', youtubei],
  ];
  const found = [];
  for (const [name, path, make] of extractors) {
    try {
      const module = path ? await load(path) : createRequire(root)(name);
      found.push({ name: `${name} ${versionOf(name)}`, get: make(module) });
    } catch (error) {
      console.error(`${name} is left out: ${error.message}`);
    }
  }
  return found;
}

const linesOf = (lines) => ({
  text: lines.map(({ text }) => text).join('\n'),
  lines: lines.length,
  language: lines[0]?.lang,
});

const youtubeTranscript =
  ({ YoutubeTranscript }) =>
  async (fake, id) =>
    linesOf(await YoutubeTranscript.fetchTranscript(id, { lang: 'en', fetch: fake.fetch }));

const youtubeTranscriptPlus =
  ({ YoutubeTranscript, fetchTranscript }) =>
  async (fake, id) => {
    const through = ({ url, method, body, headers, userAgent }) =>
      fake.fetch(url, { method, body, headers: { ...headers, 'user-agent': userAgent ?? '' } });
    const fetchIt = fetchTranscript ?? YoutubeTranscript.fetchTranscript;
    const options = { lang: 'en', videoFetch: through, playerFetch: through, transcriptFetch: through };
    return linesOf(await fetchIt(id, options));
  };

const captionExtractor =
  ({ getSubtitles }) =>
  async (fake, id) =>
    linesOf(await getSubtitles({ videoID: id, lang: 'en', fetch: fake.fetch }));

/** Gives tracks and no words (its `getTranscript` asks an endpoint that YouTube has closed), so the first English track is fetched here. */
const youtubei =
  ({ Innertube, Log }) =>
  async (fake, id) => {
    Log?.setLevel(Log.Level.NONE);
    const client = await Innertube.create({
      fetch: fake.fetch,
      generate_session_locally: true,
      retrieve_player: false,
    });
    const info = await client.getBasicInfo(id, { client: 'ANDROID' });
    const { status, reason } = info.playability_status ?? {};
    if (status && status !== 'OK') throw new Error(`${status}: ${reason}`);
    const tracks = info.captions?.caption_tracks ?? [];
    const track = tracks.find((candidate) => candidate.language_code === 'en') ?? tracks[0];
    if (!track) return { text: '', lines: 0 };
    const response = await fake.fetch(`${track.base_url}&fmt=json3`);
    const { events } = await response.json();
    const lines = events
      .filter(({ segs }) => segs)
      .map(({ segs }) => ({ text: segs.map(({ utf8 }) => utf8).join('') }));
    return { ...linesOf(lines), language: track.language_code };
  };

#!/usr/bin/env node
/**
 * Behaves like `yt-dlp` as far as captions go, on top of a fake YouTube whose origin is in FAKE_YOUTUBE: prints a video's data with
 * `--dump-single-json` (with `--flat-playlist` the list that the origin has at `/flat`), writes its captions with `--load-info-json`, and complains on stderr in the same words. Each run's arguments are
 * appended to the file named by FAKE_YT_DLP_LOG. With FAKE_YT_DLP_OLD set it does not know `--js-runtimes`.
 */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';

const args = process.argv.slice(2);
const origin = process.env.FAKE_YOUTUBE;
const valueOf = (option) => (args.includes(option) ? args[args.indexOf(option) + 1] : undefined);
if (process.env.FAKE_YT_DLP_OLD && args.includes('--js-runtimes')) {
  // What an option parser of a version before 2025.11 says.
  process.stderr.write(
    'Usage: yt-dlp [OPTIONS] URL [URL...]\n\nyt-dlp: error: no such option: --js-runtimes\n',
  );
  process.exit(2);
}
if (process.env.FAKE_YT_DLP_LOG) appendFileSync(process.env.FAKE_YT_DLP_LOG, `${JSON.stringify(args)}\n`);

const fail = (message) => {
  process.stderr.write(`ERROR: ${message}\n`);
  process.exit(1);
};

const urlsOf = (track) => [
  { ext: 'json3', url: `${origin}/api/timedtext${new URL(track.baseUrl).search}&fmt=json3` },
];

async function dump(url) {
  const id = new URL(url).searchParams.get('v');
  const body = JSON.stringify({ context: { client: { clientName: 'ANDROID' } }, videoId: id });
  const response = await fetch(`${origin}/youtubei/v1/player`, { method: 'POST', body });
  if (response.status !== 200)
    fail(`[youtube] ${id}: Unable to download API page: HTTP Error ${response.status}`);
  const player = await response.json();
  const { status, reason, errorScreen } = player.playabilityStatus;
  const subreason = errorScreen?.playerErrorMessageRenderer.subreason?.runs[0].text;
  // With --ignore-no-formats-error the real program only warns of what is not final.
  const said = `[youtube] ${id}: ${[reason, subreason].filter(Boolean).join('. ')}`;
  if (status === 'ERROR' || status === 'LOGIN_REQUIRED') fail(said);
  if (status !== 'OK') process.stderr.write(`WARNING: ${said}\n`);
  const { videoDetails = {}, captions } = player;
  const [subtitles, automatic_captions] = [{}, {}];
  for (const track of captions?.playerCaptionsTracklistRenderer.captionTracks ?? []) {
    if (track.kind !== 'asr') subtitles[track.languageCode] = urlsOf(track);
    else {
      automatic_captions[`${track.languageCode}-orig`] = urlsOf(track);
      automatic_captions[track.languageCode] = urlsOf(track);
      automatic_captions.de = urlsOf(track).map(({ ext, url }) => ({ ext, url: `${url}&tlang=de` }));
    }
  }
  const info = {
    id,
    title: videoDetails.title,
    channel: videoDetails.author,
    description: videoDetails.shortDescription,
    duration: Number(videoDetails.lengthSeconds),
    live_status: videoDetails.isLive ? 'is_live' : 'not_live',
    chapters: null,
    subtitles,
    automatic_captions,
  };
  process.stdout.write(JSON.stringify(info));
}

async function writeCaptions(infoFile) {
  const info = JSON.parse(readFileSync(infoFile, 'utf8'));
  const language = valueOf('--sub-langs');
  const tracks = args.includes('--write-subs') ? info.subtitles : info.automatic_captions;
  const { ext, url } = tracks[language][0];
  const response = await fetch(url);
  if (!response.ok) {
    process.stderr.write(
      `WARNING: Unable to download video subtitles for '${language}': HTTP Error ${response.status}\n`,
    );
    return;
  }
  writeFileSync(valueOf('-o').replace('%(ext)s', `${language}.${ext}`), await response.text());
}

async function list(subject) {
  const query = new URLSearchParams({ subject, items: valueOf('--playlist-items') });
  const response = await fetch(`${origin}/flat?${query}`);
  const text = await response.text();
  if (!response.ok) fail(text);
  process.stdout.write(text);
}

if (args.includes('--flat-playlist')) await list(args[args.indexOf('--') + 1]);
else if (args.includes('--dump-single-json')) await dump(args[args.indexOf('--') + 1]);
else await writeCaptions(valueOf('--load-info-json'));

import { mkdtemp, readFile, rm, writeFile, chmod, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { ToolsError } from '../../../../lib/core/errors.js';
import type { ContentRequest } from '../../../../lib/content/content-source.js';
import { ytDlpTranscripts } from '../../../../lib/content/youtube/providers/yt-dlp.provider.js';
import type { YtDlpOptions } from '../../../../lib/content/youtube/yt-dlp.js';
import type { VideoTranscript } from '../../../../lib/content/youtube/transcript-provider.js';
import {
  startFakeYouTube,
  type FakeVideo,
  type FakeYouTube,
} from '../../../support/fake-youtube/fake-youtube.mjs';
import { providerContext } from '../../../support/fake-youtube/provider-context.js';
import { speech } from '../../../support/fake-youtube/speech.mjs';

const FAKE = resolve('test/support/fake-youtube/fake-yt-dlp.mjs');
const ID = '-QXAC9IVRw_';

describe('ytDlpTranscripts', () => {
  let fake: FakeYouTube;
  let folder: string;
  let fakeYtDlp: string;
  beforeAll(async () => {
    fake = await startFakeYouTube();
    folder = await mkdtemp(join(tmpdir(), 'yt-dlp-spec-'));
    fakeYtDlp = await program(
      'yt-dlp',
      `FAKE_YOUTUBE=${fake.url} FAKE_YT_DLP_LOG=${join(folder, 'log')} exec ${process.execPath} ${FAKE} "$@"`,
    );
  });
  afterAll(async () => {
    await fake.close();
    await rm(folder, { recursive: true });
  });

  function get(
    video: FakeVideo,
    options: YtDlpOptions = {},
    request: ContentRequest = { languages: ['en'] },
    signal?: AbortSignal,
  ): Promise<VideoTranscript | undefined> {
    fake.set(ID, video);
    return ytDlpTranscripts({ binary: fakeYtDlp, ...options }).fetchTranscript(
      ID,
      request,
      providerContext([], { signal }),
    );
  }

  const program = async (name: string, script: string): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, `#!/bin/sh\n${script}\n`);
    await chmod(path, 0o755);
    return path;
  };

  it('gets the words that people wrote', async () => {
    const tracks = [
      { language: 'en', kind: 'asr' as const, lines: speech(30_000) },
      { language: 'en', lines: speech() },
    ];
    expect(
      await get({ title: 'T', channel: 'C', description: '0:00 A\n0:20 B\n0:40 C', tracks }),
    ).toMatchObject({
      title: 'T',
      channel: 'C',
      durationMs: 60_000,
      language: 'en',
      captions: 'manual',
      segments: { length: 20 },
      chapters: [{ title: 'A' }, { title: 'B' }, { title: 'C' }],
    });
  });

  it('takes the original of automatic captions, never a translation', async () => {
    const tracks = [{ language: 'en', kind: 'asr' as const, lines: speech() }];
    expect(await get({ tracks }, {}, { languages: ['de'] })).toMatchObject({
      language: 'en',
      captions: 'automatic',
    });
  });

  it('gives the program no variables of the host but those that it needs', async () => {
    const shown = join(folder, 'environment');
    const binary = await program('yt-dlp-env', `env > ${shown}; exec ${fakeYtDlp} "$@"`);
    const given = {
      OPENAI_API_KEY: 'a-secret',
      DATABASE_URL: 'postgres://u:a-secret@db/x',
      NODE_OPTIONS: '--no-warnings',
      PATH_TO_SECRETS: 'a-secret',
      HTTPS_PROXY: 'http://proxy.example:3128',
      no_proxy: 'localhost',
      LC_ALL: 'C.UTF-8',
      TMPDIR: tmpdir(),
    };
    const before = { ...process.env };
    Object.assign(process.env, given);
    try {
      await get({ tracks: [{ language: 'en', lines: speech() }] }, { binary });
    } finally {
      for (const name of Object.keys(given)) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
    }
    const environment = await readFile(shown, 'utf8');
    expect(environment).not.toMatch(/a-secret|NODE_OPTIONS/);
    for (const name of ['PATH', 'HTTPS_PROXY', 'no_proxy', 'LC_ALL', 'TMPDIR'])
      expect(environment).toMatch(new RegExp(`^${name}=.`, 'm'));
  });

  it('passes the address behind `--` and the host’s arguments before', async () => {
    await get({ tracks: [{ language: 'en', lines: speech() }] }, { args: ['--proxy', '$(touch x); "p"'] });
    const runs = (await readFile(join(folder, 'log'), 'utf8')).trim().split('\n').slice(-2);
    const [first, second] = runs.map((line) => JSON.parse(line) as string[]);
    expect(first?.slice(-2)).toEqual(['--', `https://www.youtube.com/watch?v=${ID}`]);
    expect(first?.slice(first.indexOf('--proxy')).slice(0, 2)).toEqual(['--proxy', '$(touch x); "p"']);
    expect(first).toContain('--ignore-config');
    expect(second).toContain('--load-info-json');
  });

  it('lets the program use this Node as its JavaScript runtime', async () => {
    await get({ tracks: [{ language: 'en', lines: speech() }] });
    const run = (await readFile(join(folder, 'log'), 'utf8')).trim().split('\n').at(-1) ?? '';
    const args = JSON.parse(run) as string[];
    expect(args[args.indexOf('--js-runtimes') + 1]).toBe(`node:${process.execPath}`);
  });

  it('works with a program that does not know the option for the runtime, and asks it once', async () => {
    const log = join(folder, 'old-log');
    const binary = await program(
      'old-yt-dlp',
      `echo run >> ${log}; FAKE_YT_DLP_OLD=1 exec ${fakeYtDlp} "$@"`,
    );
    fake.set(ID, { tracks: [{ language: 'en', lines: speech() }] });
    const provider = ytDlpTranscripts({ binary });
    const fetchTranscript = () => provider.fetchTranscript(ID, { languages: ['en'] }, providerContext());
    expect(await fetchTranscript()).toMatchObject({ segments: { length: 20 } });
    await fetchTranscript();
    // One run that is refused, then two for each video.
    expect((await readFile(log, 'utf8')).trim().split('\n')).toHaveLength(5);
  });

  it.each([
    ['vtt', 'WEBVTT\n\n00:00.000 --> 00:03.000\nThe reef is a wall.\n\n00:03.000 --> 00:06.000\nIt grows.\n'],
    [
      'srt',
      '1\n00:00:00,000 --> 00:00:03,000\nThe reef is a wall.\n\n2\n00:00:03,000 --> 00:00:06,000\nIt grows.\n',
    ],
    [
      'ttml',
      '<tt xmlns="http://www.w3.org/ns/ttml"><body><div><p begin="00:00:00.000" end="00:00:03.000">The reef is a wall.</p><p begin="00:00:03.000" end="00:00:06.000">It grows.</p></div></body></tt>',
    ],
    [
      'srv3',
      '<timedtext format="3"><body><p t="0" d="3000">The reef is a wall.</p><p t="3000" d="3000">It grows.</p></body></timedtext>',
    ],
  ])('reads a track that is there as %s only', async (format, text) => {
    const url = `https://www.youtube.com/api/timedtext?lang=iw&fmt=${format}`;
    const info = {
      id: ID,
      title: 'T',
      duration: 20,
      live_status: 'not_live',
      subtitles: { iw: [{ ext: format, url }] },
    };
    await writeFile(join(folder, 'info'), JSON.stringify(info));
    await writeFile(join(folder, 'captions'), text);
    const binary = await program(
      `${format}-yt-dlp`,
      `case "$*" in *--dump-single-json*) cat ${join(folder, 'info')};; ` +
        `*"--sub-langs iw"*) for a; do [ "$before" = -o ] && to=$a; before=$a; done; ` +
        `cp ${join(folder, 'captions')} "\${to%\\%*}iw.${format}";; esac`,
    );
    const transcript = await get({}, { binary }, { languages: ['he'] });
    expect(transcript).toMatchObject({ language: 'he', captions: 'manual', availableLanguages: ['he'] });
    expect(transcript!.segments).toEqual([
      { startMs: 0, endMs: 3000, text: 'The reef is a wall.' },
      { startMs: 3000, endMs: 6000, text: 'It grows.' },
    ]);
  });

  it('leaves no files behind', async () => {
    await get({ tracks: [{ language: 'en', lines: speech() }] });
    const run = (await readFile(join(folder, 'log'), 'utf8')).trim().split('\n').at(-1) ?? '';
    const args = JSON.parse(run) as string[];
    const used = dirname(args[args.indexOf('--load-info-json') + 1]!);
    expect(used).toMatch(/nestjs-tools-/);
    await expect(readdir(used)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.each<[string, FakeVideo]>([
    [
      'not_found',
      {
        playability: {
          status: 'ERROR',
          reason: 'Video unavailable',
          subreason: 'This video has been removed by the uploader',
        },
      },
    ],
    [
      'private',
      {
        playability: {
          status: 'LOGIN_REQUIRED',
          reason: 'Private video. Sign in if you have been granted access',
        },
      },
    ],
    [
      'bot_check',
      { playability: { status: 'LOGIN_REQUIRED', reason: 'Sign in to confirm you’re not a bot' } },
    ],
    ['age_restricted', { playability: { status: 'LOGIN_REQUIRED', reason: 'Sign in to confirm your age' } }],
    [
      'members_only',
      {
        playability: {
          status: 'UNPLAYABLE',
          reason: 'Join this channel to get access to members-only content',
        },
      },
    ],
    [
      'region_blocked',
      {
        playability: {
          status: 'UNPLAYABLE',
          reason: 'The uploader has not made this video available in your country',
        },
      },
    ],
    ['upcoming', { playability: { status: 'LIVE_STREAM_OFFLINE', reason: 'Premieres in 5 hours' } }],
    [
      'rate_limited',
      {
        playability: {
          status: 'UNPLAYABLE',
          reason: 'Video unavailable',
          subreason:
            "This content isn't available, try again later. The current session has been rate-limited by YouTube for up to an hour.",
        },
      },
    ],
    [
      'captcha',
      {
        playability: {
          status: 'ERROR',
          reason: 'Video unavailable. YouTube is requiring a captcha challenge before playback',
        },
      },
    ],
    [
      'bot_check',
      {
        playability: {
          status: 'ERROR',
          reason: 'All player responses are invalid. Your IP is likely being blocked by Youtube',
        },
      },
    ],
    [
      'unplayable',
      { playability: { status: 'ERROR', reason: 'The following content is not available on this app' } },
    ],
    ['not_found', { playability: { status: 'ERROR', reason: 'Video unavailable' } }],
    ['live', { details: { isLive: true }, tracks: [{ language: 'en', lines: speech() }] }],
    ['no_captions', {}],
    ['gated_captions', { timedtext: 'not-found', tracks: [{ language: 'en', lines: speech() }] }],
    ['gated_captions', { timedtext: 'empty', tracks: [{ language: 'en', lines: speech() }] }],
    ['rate_limited', { timedtext: 'rate-limited', tracks: [{ language: 'en', lines: speech() }] }],
    ['rate_limited', { player: 'rate-limited' }],
    ['refused', { player: 'forbidden' }],
  ])('tells %s', async (reason, video) => {
    const error = (await get(video).catch((e: unknown) => e)) as ToolsError;
    const { playability } = video;
    const said = [playability?.reason, playability?.subreason].filter(Boolean).join('. ');
    expect(error.details).toEqual({ reason, ...(said ? { upstream_message: said } : {}) });
    if (reason === 'rate_limited') expect(error.retryAfterSeconds).toBeGreaterThanOrEqual(60);
  });

  it('names the program that is missing, with how to install it', async () => {
    const error = await get({}, { binary: 'no-such-program-anywhere' }).catch((e: unknown) => e);
    expect(error).toMatchObject({
      code: 'not_configured',
      message: expect.stringMatching(/yt-dlp.*pipx install/),
    });
  });

  it('kills a program that takes too long', async () => {
    const binary = await program('slow', `echo $$ > ${join(folder, 'pid')}; exec sleep 60`);
    const error = await get({}, { binary, timeoutMs: 300 }).catch((e: unknown) => e);
    expect(error).toMatchObject({ code: 'upstream_timeout' });
    await gone(Number(await readFile(join(folder, 'pid'), 'utf8')));
  });

  it('kills the program when the caller leaves', async () => {
    const binary = await program('waits', `echo $$ > ${join(folder, 'pid2')}; exec sleep 60`);
    const controller = new AbortController();
    const call = get({}, { binary }, undefined, controller.signal).catch((e: unknown) => e);
    let pid = 0;
    while (!pid) pid = Number(await readFile(join(folder, 'pid2'), 'utf8').catch(() => ''));
    controller.abort(new Error('left'));
    expect(await call).toEqual(new Error('left'));
    await gone(pid);
  });

  it('calls output that is no JSON unreadable', async () => {
    const binary = await program('talks', 'echo hello');
    expect(await get({}, { binary }).catch((e: ToolsError) => e.details)).toEqual({ reason: 'unreadable' });
  });
});

/** Waits until a process is no more; the test's own time limit ends it. */
async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise(setImmediate);
  }
}

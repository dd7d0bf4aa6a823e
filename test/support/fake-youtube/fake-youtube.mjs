import { createServer } from 'node:http';
import { CAPTCHA_PAGE, CONSENT_PAGE, ERROR_PAGE, watchPage } from './pages.mjs';
import { json3 } from './json3.mjs';

/** Clients whose caption addresses ask for a PO token, as YouTube's web players do. */
const GATED_CLIENTS = new Set(['WEB', 'MWEB', 'WEB_EMBEDDED_PLAYER']);

/** Answers that are the same at any endpoint. */
const FAULTS = {
  'rate-limited': [
    429,
    'text/html',
    '<html><title>429</title>Too Many Requests</html>',
    { 'retry-after': '7' },
  ],
  captcha: [200, 'text/html', CAPTCHA_PAGE],
  'captcha-redirect': [302, 'text/html', '', { location: 'https://www.google.com/sorry/index?continue=x' }],
  consent: [200, 'text/html', CONSENT_PAGE],
  'consent-redirect': [303, 'text/html', '', { location: 'https://consent.youtube.com/m?continue=x' }],
  html: [200, 'text/html', ERROR_PAGE],
  empty: [200, 'text/html', ''],
  forbidden: [403, 'text/html', '<html><title>Error 403 (Forbidden)</title></html>'],
  'bad-request': [400, 'application/json', '{"error":{"code":400,"status":"FAILED_PRECONDITION"}}'],
  'not-found': [404, 'text/html', '<html><title>Error 404 (Not Found)</title></html>'],
  'server-error': [503, 'text/html', '<html>Backend Error</html>'],
};

/**
 * A YouTube over a real socket: `player` and `get_transcript` of InnerTube, timedtext as json3, and the watch page. Each
 * video says how it behaves, as a whole or by client; see `FakeVideo` in the types.
 */
export async function startFakeYouTube({ limitOf } = {}) {
  const videos = new Map();
  const visitors = new Map();
  const requests = [];
  const sockets = new Set();
  const server = createServer((request, response) => {
    readBody(request)
      .then((body) => answer(request, body, response))
      .catch(() => response.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  function answer(request, body, response) {
    const url = new URL(request.url, 'http://fake');
    const json = body.startsWith('{') ? JSON.parse(body) : {};
    const client = json.context?.client?.clientName;
    const entry = {
      method: request.method,
      path: url.pathname,
      query: url.searchParams,
      client,
      headers: request.headers,
      json,
    };
    requests.push(entry);
    response.once('close', () => (entry.closedEarly = !response.writableFinished));
    const id = json.videoId ?? url.searchParams.get('v') ?? '';
    const video = videos.get(id);
    switch (url.pathname) {
      case '/youtubei/v1/player':
        return player(id, forVisitor(forClient(video, client), json), client, response, visitorOf(json));
      case '/youtubei/v1/get_transcript':
        return send(response, FAULTS['bad-request']);
      case '/youtubei/v1/config':
        return send(response, [200, 'application/json', '{}']);
      case '/watch': {
        const page = forClient(video, 'WEB');
        if (page?.player in FAULTS) return send(response, FAULTS[page.player]);
        return send(response, [200, 'text/html', watchPage(playerResponse(id, page, 'WEB'))]);
      }
      case '/api/timedtext':
        return timedtext(video, url.searchParams, response);
      default:
        return send(response, FAULTS['not-found']);
    }
  }

  /** Counts a request for its visitor; one without a visitor gets a new one. */
  function visitorOf({ context }) {
    if (!limitOf) return { visitorData: 'CgtmYWtl' };
    const visitorData = context?.client?.visitorData ?? `visitor-${visitors.size}`;
    const requests = (visitors.get(visitorData) ?? 0) + 1;
    visitors.set(visitorData, requests);
    return { visitorData, isLimited: requests > limitOf() };
  }

  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}`;
  return {
    url,
    requests,
    visitors,
    /** Sets how a video behaves. */
    set: (id, video) => void videos.set(id, video),
    /** A fetch that sends whatever it is asked for here, as a proxy would; what a redirect leads to is answered as well. */
    fetch: async (input, init) => {
      const given = input instanceof Request ? input : new Request(String(input), init);
      const { pathname, search } = new URL(given.url);
      const response = await fetch(new Request(`${url}${pathname}${search}`, given), {
        ...init,
        redirect: 'manual',
      });
      const location = response.headers.get('location') ?? '';
      if (init?.redirect === 'manual' || !location) return response;
      const page = location.includes('/sorry/') ? CAPTCHA_PAGE : CONSENT_PAGE;
      return new Response(page, { headers: { 'content-type': 'text/html' } });
    },
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** A video as one client sees it. */
function forClient(video, client) {
  return video && { ...video, ...video.clients?.[client] };
}

/** Without a visitor, a video that needs one looks like a bot check. */
function forVisitor(video, { context }) {
  if (!video?.needsVisitor || context?.client?.visitorData) return video;
  return { playability: { status: 'LOGIN_REQUIRED', reason: 'Sign in to confirm you’re not a bot' } };
}

const LIMITED = {
  status: 'UNPLAYABLE',
  reason: 'Video unavailable',
  subreason: 'This content isn’t available, try again later.',
};

function player(id, video, client, response, { visitorData, isLimited }) {
  const fault = video?.player;
  if (fault in FAULTS) return send(response, FAULTS[fault]);
  if (fault === 'hang') return undefined;
  if (fault === 'reset') return response.destroy();
  const answer = isLimited ? unplayable(id, LIMITED) : playerResponse(id, video, client);
  const json = JSON.stringify({ ...answer, responseContext: { visitorData } });
  if (fault === 'truncated') return send(response, [200, 'application/json', json.slice(0, json.length / 2)]);
  return send(response, [200, 'application/json; charset=UTF-8', json]);
}

function playerResponse(id, video, client) {
  if (!video) return unplayable(id, { status: 'ERROR', reason: 'This video is unavailable' });
  if (video.playability && video.playability.status !== 'OK') return unplayable(id, video.playability);
  const { tracks = [], durationMs = 60_000, playability, details } = video;
  return {
    playabilityStatus: { status: 'OK', playableInEmbed: true, ...playability },
    videoDetails: {
      videoId: id,
      title: video.title ?? 'A video',
      lengthSeconds: String(Math.round(durationMs / 1000)),
      channelId: 'UCfakefakefakefakefakefake',
      shortDescription: video.description ?? '',
      author: video.channel ?? 'A channel',
      isLiveContent: false,
      ...details,
    },
    ...(tracks.length > 0
      ? {
          captions: {
            playerCaptionsTracklistRenderer: {
              captionTracks: tracks.map((track) => captionTrack(id, track, client, video)),
              audioTracks: video.audioTracks ?? [{ captionTrackIndices: tracks.map((_, i) => i) }],
              defaultAudioTrackIndex: 0,
            },
          },
        }
      : {}),
    ...(video.storyboard
      ? { storyboards: { playerStoryboardSpecRenderer: { spec: video.storyboard } } }
      : {}),
  };
}

function unplayable(id, { status, reason, subreason, errorScreen, ...more }) {
  return {
    playabilityStatus: {
      status,
      reason,
      ...more,
      errorScreen: {
        playerErrorMessageRenderer: {
          reason: { simpleText: reason },
          ...(subreason ? { subreason: { runs: [{ text: subreason }] } } : {}),
        },
        ...errorScreen,
      },
    },
    ...(status === 'ERROR' ? {} : { videoDetails: { videoId: id, title: 'A video', lengthSeconds: '60' } }),
  };
}

function captionTrack(id, track, client, video) {
  const automatic = track.kind === 'asr';
  const query = new URLSearchParams({
    v: id,
    ei: 'fake',
    caps: automatic ? 'asr' : '',
    opi: '112496729',
    exp: (video.gated ?? GATED_CLIENTS.has(client)) ? 'xpe' : '',
    xoaf: '5',
    hl: 'en',
    ip: '0.0.0.0',
    ipbits: '0',
    expire: '1999999999',
    sparams: 'ip,ipbits,expire,v,ei,caps,opi,exp,xoaf',
    signature: '0.0',
    key: 'yt8',
    ...(automatic ? { kind: 'asr' } : {}),
    ...(track.name ? { name: track.name } : {}),
    lang: track.language,
  });
  return {
    baseUrl: `${video.captionOrigin ?? 'https://www.youtube.com'}/api/timedtext?${query}`,
    name: { runs: [{ text: `${track.language}${automatic ? ' (auto-generated)' : ''}` }] },
    vssId: `${automatic ? 'a' : ''}.${track.language}`,
    languageCode: track.language,
    ...(automatic ? { kind: 'asr' } : {}),
    trackName: track.name ?? '',
  };
}

function timedtext(video, query, response) {
  const track = video?.tracks?.find(
    ({ language, kind, name }) =>
      language === query.get('lang') &&
      (kind ?? null) === query.get('kind') &&
      (name ?? null) === query.get('name'),
  );
  if (!track) return send(response, FAULTS['not-found']);
  if (query.get('exp')?.includes('xpe') && !query.get('pot')) return send(response, FAULTS.empty);
  if (video.timedtext in FAULTS) return send(response, FAULTS[video.timedtext]);
  if (video.timedtext === 'hang') return undefined;
  if (query.get('fmt') !== 'json3') return send(response, FAULTS['bad-request']);
  const body = json3({ lines: track.lines, automatic: track.kind === 'asr' });
  const given = video.timedtext === 'truncated' ? body.slice(0, body.length * 0.4) : body;
  return send(response, [200, 'application/json; charset=UTF-8', given]);
}

function send(response, [status, type, body, headers = {}]) {
  response.writeHead(status, { 'content-type': type, ...headers });
  response.end(body);
}

async function readBody(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

import fc from 'fast-check';
import { InvalidContentIdError } from '../../../lib/core/errors.js';
import { parseVideoId } from '../../../lib/content/youtube/video-id.js';

const ID = 'jNQXAC9IVRw';

const ACCEPTED: Record<string, string[]> = {
  'a bare ID': [ID, ` ${ID}\n`, `\u200b${ID}\u2060`, `\ufeff${ID}`, `\u200e${ID}`],
  'a watch page': [
    `https://www.youtube.com/watch?v=${ID}`,
    `HTTPS://YOUTUBE.COM/watch?v=${ID}`,
    `http://m.youtube.com/watch?v=${ID}&t=42`,
    `music.youtube.com/watch?v=${ID}&list=RDAMVM${ID}`,
    `www.youtube.com/watch/?v=${ID}`,
    `https://www.youtube.com:443/watch?v=${ID}`,
    `http://www.youtube.com:80/watch?v=${ID}`,
    `//youtube.com/watch?v=${ID}`,
    `https://youtube.com./watch?v=${ID}`,
    `https://www.youtube.com/watch?list=PL1&index=3&v=${ID}#t=9s`,
    `https://www.youtube.com/watch?list=PL1&amp;v=${ID}`,
    `https://www.youtube.com/watch?list=PL1&amp;amp;v=${ID}`,
    `https://www.youtube.com/watch?v=%6ANQXAC9IVRw`,
    `https://www.youtube.com/watch?v=${ID}/`,
    `https://www.youtube.com/watch?v=${ID}&v=aaaaaaaaaaa`,
    `https://www.youtube.com/watch?vi=${ID}`,
    `https://www.youtube.com/watch_popup?v=${ID}`,
    `https://www.youtube.com/movie?v=${ID}`,
    `https://www.youtube.com/watch/${ID}?t=1`,
    `https://gaming.youtube.com/watch?v=${ID}`,
    `https://www.youtube.com/watch?v=${ID}?rel=0`,
    `https://www.youtube.com/watch?v=${ID}%3Ffeature%3Dshared`,
    `https://www.youtube.com/watch?v=${ID}%20`,
    `https://www.youtube.com/watch?v=%20${ID}&t=4`,
  ],
  'an old form': [
    `https://www.youtube.com/?v=${ID}`,
    `https://www.youtube.com/#!v=${ID}`,
    `https://www.youtube.com/watch#!v=${ID}&feature=x`,
    `https://m.youtube.com/#/watch?v=${ID}`,
    `https://www.youtube.com/tv#/watch?v=${ID}`,
    `https://www.youtube.com/e/${ID}`,
    `https://www.youtube.com/v/${ID}&hl=en`,
    `http://www.youtube.com/user/someone#p/u/1/${ID}`,
    `http://www.youtube.com/user/someone#p/a/u/2/${ID}?rel=0`,
    `https://youtube.googleapis.com/v/${ID}`,
  ],
  'a short link': [
    `https://youtu.be/${ID}`,
    `youtu.be/${ID}?si=abc`,
    `https://youtu.be/${ID}/`,
    `https://youtu.be/${ID}&feature=share`,
    `https://www.youtu.be/${ID}#t=1m`,
    `https://youtu.be/watch?v=${ID}`,
    `https://youtu.be/${ID}%20`,
    `https://youtu.be/${ID}?si=a?t=1`,
  ],
  'an embedded, short or live video': [
    `https://www.youtube.com/embed/${ID}?start=10`,
    `https://www.youtube-nocookie.com/embed/${ID}`,
    `https://www.youtubeeducation.com/embed/${ID}`,
    `https://youtube.com/shorts/${ID}?feature=share`,
    `https://www.youtube.com/live/${ID}?si=x`,
  ],
  'another page about one video': [
    `https://studio.youtube.com/video/${ID}/analytics/tab-overview`,
    `https://i.ytimg.com/vi/${ID}/maxresdefault.jpg`,
    `https://i3.ytimg.com/vi/${ID}/0.jpg`,
    `https://i.ytimg.com/an_webp/${ID}/mqdefault_6s.webp`,
    `https://www.youtube.com/attribution_link?a=x&u=/watch?v=${ID}&feature=share`,
    `https://www.youtube.com/oembed?url=https%3A//youtu.be/${ID}&format=json`,
    `https://www.youtube.com/verify_age?next_url=/watch%3Fv%3D${ID}`,
    `https://consent.youtube.com/ml?continue=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3D${ID}&gl=DE`,
    `https://consent.youtube.com/m?continue=https%3A%2F%2Fwww.youtube.com%2Fsignin%3Fnext%3D%252Fwatch%253Fv%253D${ID}`,
  ],
};

const REFUSED: Record<string, string[]> = {
  'what is not an ID': [
    '',
    ' ',
    '\u200b\u200b',
    ID.slice(1),
    `${ID}x`,
    `${ID}\u0000`,
    'jNQXAC9\u200bIVRw',
    'jNQXAC9IVR\u0301',
    'jNQXAC9IVR=',
    'null',
    'videoseries',
    'live_stream',
    `'; DROP TABLE--`,
  ],
  'a YouTube page that is not one video': [
    'https://www.youtube.com',
    'https://www.youtube.com/watch',
    'https://www.youtube.com/watch?v=',
    'https://www.youtube.com/watch?v=&v=jNQXAC9IVRw',
    'https://www.youtube.com/feed/trending',
    'https://www.youtube.com/@someone',
    'https://www.youtube.com/c/aaaaaaaaaaa',
    `https://www.youtube.com/${ID}`,
    'https://www.youtube.com/playlist?list=PL123',
    `https://www.youtube.com/playlist?list=PL123&v=${ID}`,
    'https://www.youtube.com/embed/videoseries?list=PL123',
    'https://www.youtube.com/embed/live_stream?channel=UC123',
    'https://www.youtube.com/watch?v=videoseries',
    'https://www.youtube.com/clip/UgkxAbc',
    `https://www.youtube.com/results?search_query=${ID}`,
    `https://tv.youtube.com/watch/${ID}`,
    `https://www.youtube.com/user/someone#p/u/1/${ID}x`,
    'https://youtu.be/',
    `https://youtu.be/${ID}/extra`,
    `https://www.youtube.com/shorts/${ID}/extra`,
  ],
  'an ID that is not exact': [
    `https://youtu.be/${ID}x`,
    `https://www.youtube.com/watch?v=${ID}glued`,
    `https://www.youtube.com/watch?v=${ID}%00`,
    `https://www.youtube.com/watch?v=${ID}%26x`,
    `https://www.youtube.com/watch?v=${ID}x?rel=0`,
    `https://www.youtube.com/watch?v=?v=${ID}`,
    `https://www.youtube.com/watch?v=jNQXAC%209IVRw`,
    `https://www.youtube.com/watch?v=jNQXAC9IVR%`,
    `https://www.youtube.com/watch?v=jNQXAC9IVR%2577`,
    `https://www.youtube.com/watch?prev=${ID}`,
    `https://www.youtube.com/watch?V=${ID}`,
  ],
  'another host': [
    `https://youtube.com.example.org/watch?v=${ID}`,
    `https://notyoutube.com/watch?v=${ID}`,
    `https://youtube.org/watch?v=${ID}`,
    `https://www.youtube.com@example.org/watch?v=${ID}`,
    `https://example.org/@youtube.com/watch?v=${ID}`,
    `https://example.org\\@www.youtube.com/watch?v=${ID}`,
    `https://me:pw@www.youtube.com/watch?v=${ID}`,
    `https://www.youtube.com%2fexample.org/watch?v=${ID}`,
    `https://www.youtube.com:444/watch?v=${ID}`,
    `http://www.youtube.com:443/watch?v=${ID}`,
    `http://127.0.0.1/watch?v=${ID}`,
    `http://[::1]/watch?v=${ID}`,
    `https://www.y\u043eutube.com/watch?v=${ID}`,
    `https://www\uff0eyoutube.com/watch?v=${ID}`,
    `https://vimeo.com/123456789`,
    `https://consent.google.com/m?continue=https://www.youtube.com/watch?v=${ID}`,
  ],
  'a target elsewhere': [
    `https://www.youtube.com/redirect?q=https%3A%2F%2Fexample.org%2Fwatch%3Fv%3D${ID}`,
    `https://www.youtube.com/attribution_link?u=//example.org/watch%3Fv%3D${ID}`,
    `https://www.youtube.com/redirect?q=${ID}`,
    `https://www.youtube.com/signin?next=watch%3Fv%3D${ID}`,
    `https://consent.youtube.com/other?continue=https://youtu.be/${ID}`,
  ],
  'what only looks like a URL': [
    `https:www.youtube.com/watch?v=${ID}`,
    `https:/www.youtube.com/watch?v=${ID}`,
    `https:///www.youtube.com/watch?v=${ID}`,
    `https:\\\\www.youtube.com\\watch?v=${ID}`,
    `ftp://www.youtube.com/watch?v=${ID}`,
    `javascript:https://www.youtube.com/watch?v=${ID}`,
    `youtube://${ID}`,
    `https://www.youtube.com//watch?v=${ID}`,
    `https://www.youtube.com/wa\ttch?v=${ID}`,
    `https://www.youtube.com/watch?v=${ID} and more`,
    `[video](https://youtu.be/${ID})`,
    `https://youtu.be/${ID}?x=${'a'.repeat(2048)}`,
  ],
};

describe('parseVideoId', () => {
  for (const [kind, inputs] of Object.entries(ACCEPTED)) {
    it.each(inputs)(`reads ${kind}: %j`, (input) => expect(parseVideoId(input)).toBe(ID));
  }

  for (const [kind, inputs] of Object.entries(REFUSED)) {
    it.each(inputs)(`refuses ${kind}: %j`, (input) =>
      expect(() => parseVideoId(input)).toThrow(InvalidContentIdError),
    );
  }

  it('keeps an ID that starts with a hyphen', () => {
    expect(parseVideoId('https://youtu.be/-aaaaaaaaa_')).toBe('-aaaaaaaaa_');
  });

  it('names the accepted forms', () => {
    expect(() => parseVideoId('cats')).toThrow(/video ID .*youtu\.be/);
  });

  it('says that playlists and channels are not accepted', () => {
    const sent = 'https://www.youtube.com/playlist?list=PL123';
    expect(() => parseVideoId(sent)).toThrow(/Playlists and channels are not accepted/);
  });

  it.each([undefined, null, 12345678901, {}, ['jNQXAC9IVRw']])('refuses %j, which is no string', (input) => {
    expect(() => parseVideoId(input as unknown as string)).toThrow(InvalidContentIdError);
  });

  const idOrRefusal = (input: string): void => {
    try {
      expect(parseVideoId(input)).toMatch(/^[A-Za-z0-9_-]{11}$/);
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidContentIdError);
    }
  };

  it('answers any text with an ID or that one error', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), idOrRefusal));
    fc.assert(fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), idOrRefusal));
  });

  it('answers any damaged URL with an ID or that one error', () => {
    const urls = Object.values(ACCEPTED).flat();
    const damaged = fc
      .tuple(fc.constantFrom(...urls), fc.nat(80), fc.nat(3), fc.string({ maxLength: 4 }))
      .map(([url, at, cut, put]) => url.slice(0, at) + put + url.slice(at + cut));
    fc.assert(fc.property(damaged, idOrRefusal));
  });

  it('never reads a video from a foreign host', () => {
    const host = fc.domain().filter((name) => !/(youtu|ytimg)/i.test(name));
    const path = fc.constantFrom(`/watch?v=${ID}`, `/embed/${ID}`, `/${ID}`, `/vi/${ID}/0.jpg`);
    fc.assert(
      fc.property(host, path, (name, rest) => {
        expect(() => parseVideoId(`https://${name}${rest}`)).toThrow(InvalidContentIdError);
      }),
    );
  });
});

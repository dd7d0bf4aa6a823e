import fc from 'fast-check';
import { readCaptions } from '../../../../lib/content/youtube/captions/read-captions.js';
import { ToolsError } from '../../../../lib/core/errors.js';

const json3 = (...events: unknown[]): string => JSON.stringify({ wireMagic: 'pb3', pens: [{}], events });
const reasonOf = (body: string): Promise<unknown> =>
  readCaptions(body).then(
    () => 'read',
    (error: ToolsError) => (error.details as { reason: string }).reason,
  );

describe('readCaptions', () => {
  describe('json3', () => {
    it('joins the words of automatic captions and ends a cue with its speech, not with its display', async () => {
      const body = json3(
        { tStartMs: 0, dDurationMs: 8000, id: 1, wpWinPosId: 1 },
        {
          tStartMs: 80,
          dDurationMs: 7000,
          wWinId: 1,
          segs: [{ utf8: 'hello' }, { utf8: ' there', tOffsetMs: 320 }, { utf8: ' friends', tOffsetMs: 900 }],
        },
        { tStartMs: 1500, dDurationMs: 10, wWinId: 1, aAppend: 1, segs: [{ utf8: '\n' }] },
        { tStartMs: 4000, dDurationMs: 2000, segs: [{ utf8: '[Music]' }] },
      );
      expect(await readCaptions(body)).toEqual([
        { startMs: 80, endMs: 80 + 900 + 250 + 7 * 70, text: 'hello there friends' },
        { startMs: 4000, endMs: 6000, text: '[Music]', nonSpeech: true },
      ]);
    });

    it('ends an overlapping cue where the next one starts', async () => {
      const body = json3(
        { tStartMs: 0, dDurationMs: 5000, segs: [{ utf8: 'one' }] },
        { tStartMs: 3000, dDurationMs: 2000, segs: [{ utf8: 'two' }] },
      );
      expect((await readCaptions(body)).map(({ endMs }) => endMs)).toEqual([3000, 5000]);
    });

    it('keeps a line that was really said twice', async () => {
      const body = json3(
        { tStartMs: 0, dDurationMs: 3000, segs: [{ utf8: 'yeah' }] },
        { tStartMs: 1000, dDurationMs: 3000, segs: [{ utf8: 'yeah' }] },
      );
      expect(await readCaptions(body)).toHaveLength(2);
    });

    it('reads captions larger than one slice without losing an event', async () => {
      const events = Array.from({ length: 20_000 }, (_, i) => ({
        tStartMs: i * 100,
        dDurationMs: 100,
        segs: [{ utf8: `word "${i}" \\ {[ ]}` }],
      }));
      const segments = await readCaptions(JSON.stringify({ events, wireMagic: 'pb3' }, undefined, 1));
      expect(segments).toHaveLength(20_000);
      expect(segments[19_999]).toEqual({
        startMs: 1_999_900,
        endMs: 2_000_000,
        text: 'word "19999" \\ {[ ]}',
      });
    });

    it('finds the events under their own key only', async () => {
      const body = `{"a":{"events":[1]},"b":"\\"events\\":[2]","events" : [{"segs":[{"utf8":"here"}]}]}`;
      expect((await readCaptions(body)).map(({ text }) => text)).toEqual(['here']);
    });

    it('tells captions that break off from unreadable ones', async () => {
      const whole = json3({ tStartMs: 0, dDurationMs: 100, segs: [{ utf8: 'one' }] });
      for (let cut = 1; cut < whole.length - 1; cut++) {
        expect(await reasonOf(whole.slice(0, cut))).toMatch(/truncated/);
      }
      expect(await reasonOf('{"error":{"code":400}}')).toBe('unreadable');
      expect(await reasonOf('{"events":[{"segs":bad}]}')).toBe('unreadable');
    });
  });

  it('reads srv3 with and without timed words', async () => {
    const body = `<?xml version="1.0" encoding="utf-8" ?><timedtext format="3">
<head><pen id="1" fc="#E5E5E5"/><ws id="0"/><wp id="0"/></head>
<body><w t="0" id="1" wp="1" ws="1"/>
<p t="0" d="2000" w="1"><s ac="0">hello</s><s t="400" ac="0"> there</s></p>
<p t="1000" d="10" w="1" a="1">
</p>
<p t="5000" d="1500">I&#39;m &amp;amp; you
both</p><p t="7000"/>
</body></timedtext>`;
    expect(await readCaptions(body)).toEqual([
      { startMs: 0, endMs: 1000, text: 'hello there' },
      { startMs: 5000, endMs: 6500, text: "I'm & you both" },
    ]);
    expect(await reasonOf(body.slice(0, -60))).toBe('truncated');
    expect(await reasonOf(body.slice(0, -20))).toBe('truncated');
  });

  it('reads classic XML, twice escaped, with a line that has no duration', async () => {
    const body =
      '<?xml version="1.0" encoding="utf-8" ?><transcript><text start="0.16" dur="3.2">I&amp;#39;m here &amp;amp; now</text>' +
      '<text start="4">no &lt;i&gt;duration&lt;/i&gt;</text><text start="6.5" dur="1">the &lt;div&gt; tag</text></transcript>';
    expect(await readCaptions(body)).toEqual([
      { startMs: 160, endMs: 3360, text: "I'm here & now" },
      { startMs: 4000, endMs: 6500, text: 'no duration' },
      { startMs: 6500, endMs: 7500, text: 'the <div> tag' },
    ]);
    expect(await reasonOf(body.slice(0, -30))).toBe('truncated');
  });

  it('keeps line breaks and the words of nested elements in XML', async () => {
    const body =
      '<timedtext format="3"><body><p t="0" d="1000">one<br/>two</p><p t="1000" d="500"><i>three</i> <font color="#fff">four</font></p></body></timedtext>';
    expect((await readCaptions(body)).map(({ text }) => text)).toEqual(['one two', 'three four']);
  });

  it('calls XML with an unclosed line truncated, also when its end is there', async () => {
    expect(await reasonOf('<timedtext><body><p t="0">one<p t="1">two</p></body></timedtext>')).toBe(
      'truncated',
    );
    expect(await reasonOf('<transcript><text start="0">one</transcript>')).toBe('truncated');
    expect(await reasonOf('<transcript><text start="0" dur="1">one</text></transcript')).toBe('truncated');
  });

  it('reads any text between the tags of XML or names the failure', async () => {
    const pieces = fc.constantFrom(
      '<p t="5" d="9">',
      '</p>',
      '<s t="1">',
      '</s>',
      'word',
      '&amp;lt;',
      '<br/>',
      '<p/>',
      '<',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { maxLength: 30 }), async (parts) => {
        const outcome = await reasonOf(`<timedtext><body>${parts.join('')}</body></timedtext>`);
        expect(['read', 'truncated', 'unreadable', 'gated_captions']).toContain(outcome);
      }),
    );
  });

  it('reads WebVTT of automatic captions without its rolling duplicates', async () => {
    const body = `WEBVTT
Kind: captions
Language: en

00:00:00.000 --> 00:00:02.500 align:start position:0%
 
hello<00:00:00.500><c> and</c><00:00:01.000><c> welcome</c>

00:00:02.500 --> 00:00:02.510 align:start position:0%
hello and welcome
 

00:00:02.510 --> 00:00:05.000 align:start position:0%
hello and welcome
to<00:00:03.000><c> the</c><00:00:03.500><c> show</c>

00:00:05.000 --> 00:00:05.010 align:start position:0%
to the show
 

00:00:05.010 --> 00:00:08.000 align:start position:0%
to the show
&gt;&gt; thank<00:00:06.000><c> you</c>
`;
    expect(await readCaptions(body)).toEqual([
      { startMs: 0, endMs: 1740, text: 'hello and welcome' },
      { startMs: 2510, endMs: 4030, text: 'to the show' },
      { startMs: 5010, endMs: 6460, text: 'thank you' },
    ]);
  });

  it('reads WebVTT with notes, styles and identifiers, CRLF, and SubRip', async () => {
    const vtt =
      'WEBVTT\r\n\r\nNOTE a --> b\r\n\r\nSTYLE\r\n::cue{}\r\n\r\nintro\r\n00:01.000 --> 00:02.000\r\n<v Ann>Hi <b>all</b>\r\nagain\r\n';
    expect(await readCaptions(vtt)).toEqual([{ startMs: 1000, endMs: 2000, text: 'Hi all again' }]);
    const srt = '1\n00:00:01,000 --> 00:00:02,500\nOne\n\n2\n01:00:02,500 --> 01:00:03,000\nTwo\n';
    expect(await readCaptions(srt)).toEqual([
      { startMs: 1000, endMs: 2500, text: 'One' },
      { startMs: 3_602_500, endMs: 3_603_000, text: 'Two' },
    ]);
  });

  it('takes text that grows in place once', async () => {
    const grown = ['first line', 'first line goes', 'first line goes on'].map((utf8, i) => ({
      tStartMs: i * 500,
      dDurationMs: 500,
      segs: [{ utf8 }],
    }));
    expect(await readCaptions(json3(...grown))).toEqual([
      { startMs: 0, endMs: 1500, text: 'first line goes on' },
    ]);
  });

  it('takes two-line roll-up of live captions once', async () => {
    const rolls = ['a b', 'a b\nc d', 'c d\ne f'].map((utf8, i) => ({
      tStartMs: i * 1000,
      dDurationMs: 1000,
      segs: [{ utf8 }],
    }));
    expect((await readCaptions(json3(...rolls))).map(({ text }) => text)).toEqual(['a b', 'c d', 'e f']);
  });

  it.each([
    ['gated_captions', ''],
    ['gated_captions', ' \n'],
    ['not_json', '<!DOCTYPE html><html><body>Oops</body></html>'],
    ['captcha', '<html><form id="captcha-form"><div class="g-recaptcha"></div></form></html>'],
    [
      'consent',
      '<!doctype html><html><form action="https://consent.youtube.com/save" method="POST"></form></html>',
    ],
    ['unreadable', 'Internal error'],
    ['unreadable', '<feed xmlns="x"></feed>'],
  ])('answers %s for %j', async (reason, body) => expect(await reasonOf(body)).toBe(reason));

  it('answers anything with segments in order or a typed error', async () => {
    const pieces = fc.array(
      fc.constantFrom(
        '{"events":[',
        '{"tStartMs":5,',
        '"segs":[{"utf8":"a"}]}',
        ']',
        '}',
        ',',
        '"',
        '\\',
        '<transcript>',
        '<text start="1">',
        '</text>',
        '</transcript>',
        '<timedtext>',
        '<p t="9">',
        '</p>',
        'WEBVTT\n\n',
        '00:01.000 --> 00:00.000\n',
        'word\n',
        '\n\n',
        '&#x110000;&amp;',
      ),
      { maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(pieces, async (parts) => {
        try {
          const segments = await readCaptions(parts.join(''));
          for (const { startMs, endMs } of segments) expect(endMs).toBeGreaterThanOrEqual(startMs);
          expect(segments.map(({ startMs }) => startMs)).toEqual(
            segments.map(({ startMs }) => startMs).sort((a, b) => a - b),
          );
        } catch (error) {
          expect(error).toBeInstanceOf(ToolsError);
        }
      }),
    );
  });
});

import { readCaptions } from '../../../lib/content/captions/read-captions.js';
import { readSubtitles } from '../../../lib/content/captions/read-subtitles.js';

/** Start and end in seconds, and the words. */
const read = async (file: string): Promise<(string | number)[][]> =>
  (await readCaptions(file)).map(({ startMs, endMs, text }) => [startMs / 1000, endMs / 1000, text]);

const TT =
  '<?xml version="1.0" encoding="UTF-8"?>\n<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttp="http://www.w3.org/ns/ttml#parameter"';
const ttml = (body: string, parameters = ''): string =>
  `${TT} ${parameters}><head><metadata><ttm:title>A title</ttm:title></metadata></head><body><div>${body}</div></body></tt>`;

describe('caption files', () => {
  it('are read as WebVTT', async () => {
    const file = `\ufeffWEBVTT - A title
Kind: captions
Language: en

STYLE
::cue { color: red }

NOTE 00:00 --> nothing
of this

intro
00:00.500 --> 00:02.000 align:start position:0%
<v Ann>Rock &amp; <i>roll</i></v>
in the harbour

1:00:02.250 --> 1:00:04.000
- Hello!
- Good morning.
`;
    const right = [
      [0.5, 2, 'Rock & roll in the harbour'],
      [3602.25, 3604, '- Hello! - Good morning.'],
    ];
    expect(await read(file)).toEqual(right);
    expect(await read(file.replace(/\n/g, '\r\n'))).toEqual(right);
  });

  it('are read as the WebVTT of automatic captions, which roll up', async () => {
    const file = `WEBVTT
Kind: captions
Language: en

00:00:00.080 --> 00:00:02.389 align:start position:0%
 
hello<00:00:00.320><c> and</c><00:00:00.800><c> welcome</c>

00:00:02.389 --> 00:00:02.399 align:start position:0%
hello and welcome
 

00:00:02.399 --> 00:00:04.990 align:start position:0%
hello and welcome
to<00:00:02.639><c> the</c><00:00:02.800><c> show</c>

00:00:04.990 --> 00:00:05.000 align:start position:0%
to the show
 
`;
    expect((await read(file)).map(([, , text]) => text)).toEqual(['hello and welcome', 'to the show']);
  });

  it('are read as SubRip', async () => {
    const file = `1
00:00:01,000 --> 00:00:02,500
<font color="#ffffff">Hi there,</font>
{\\an8}good morning!

2
00:00:03,000 --> 00:00:04,000
2 + 2 < 5

that is so

3
00:00:05.000 --> 00:00:06.000 X1:40 X2:600
2024
4
00:01:02,5 --> 00:01:04,000
The end.`;
    const right = [
      [1, 2.5, 'Hi there, good morning!'],
      [3, 4, '2 + 2 < 5 that is so'],
      [5, 6, '2024'],
      [62.5, 64, 'The end.'],
    ];
    expect(await read(file)).toEqual(right);
    expect(await read(file.replace(/\n/g, '\r\n'))).toEqual(right);
  });

  it.each<[string, string, string, [number, number]]>([
    ['clock times', '', 'begin="00:00:01.500" end="00:00:03"', [1.5, 3]],
    ['seconds', '', 'begin="1.5s" end="3s"', [1.5, 3]],
    ['milliseconds', '', 'begin="1500ms" end="3000ms"', [1.5, 3]],
    ['minutes and hours', '', 'begin="1.5m" end="0.5h"', [90, 1800]],
    ['a duration', '', 'begin="1.5s" dur="1500ms"', [1.5, 3]],
    ['ticks', 'ttp:tickRate="10000000"', 'begin="15000000t" end="30000000t"', [1.5, 3]],
    ['ticks of frames', 'ttp:frameRate="25" ttp:subFrameRate="2"', 'begin="75t" end="150t"', [1.5, 3]],
    ['frames', 'ttp:frameRate="24"', 'begin="36f" end="72f"', [1.5, 3]],
    ['frames of a clock', 'ttp:frameRate="25"', 'begin="00:00:01:10" end="00:00:03:00"', [1.4, 3]],
    ['30 frames by default', '', 'begin="00:00:01:15" end="90f"', [1.5, 3]],
    [
      'a multiplied rate',
      'ttp:frameRate="30" ttp:frameRateMultiplier="1000 1001"',
      'begin="30f" end="60f"',
      [1.001, 2.002],
    ],
  ])('are read as TTML with %s', async (_, parameters, times, [start, end]) => {
    const file = ttml(
      `<p ${times}>Rock &amp; roll<br/>in\n  the <span tts:color="red">harbour</span></p>`,
      parameters,
    );
    expect(await read(file)).toEqual([[start, end, 'Rock & roll in the harbour']]);
  });

  it('are read as TTML whose times are relative to the elements around them', async () => {
    const file = `<tt:tt xmlns:tt="http://www.w3.org/ns/ttml"><tt:body begin="10s"><tt:div begin="5s" end="9s">
      <tt:p begin="1s" end="2s">One.</tt:p><tt:p begin="3s">Two.</tt:p></tt:div>
      <tt:div timeContainer="seq"><tt:p dur="2s">Three.</tt:p><tt:p dur="2s">Four.</tt:p></tt:div>
      <tt:div><tt:p><tt:span begin="20s" end="21s">Five.</tt:span> <tt:span begin="21s" end="22s">Six.</tt:span></tt:p></tt:div>
      </tt:body></tt:tt>`;
    expect(await read(file)).toEqual([
      [10, 12, 'Three.'],
      [12, 14, 'Four.'],
      [16, 17, 'One.'],
      [18, 19, 'Two.'],
      [30, 31, 'Five.'],
      [31, 32, 'Six.'],
    ]);
  });

  it('are read as the XML of YouTube in its three forms', async () => {
    const right = [
      [0.08, 2.4, 'it’s rock & roll'],
      [2.4, 5, 'in the harbour'],
    ];
    const srv3 = `<?xml version="1.0" encoding="utf-8" ?><timedtext format="3"><head><pen id="1"/><ws id="0"/></head><body>
      <w t="0" id="1" wp="1" ws="1"/><p t="80" d="5000" w="1"><s ac="0">it’s</s><s t="500"> rock</s><s t="900"> &amp; roll</s></p>
      <p t="2390" d="2610" w="1" a="1">\n</p><p t="2400" d="2600">in\nthe harbour</p></body></timedtext>`;
    expect((await read(srv3)).map(([start, , text]) => [start, text])).toEqual(
      right.map(([start, , text]) => [start, text]),
    );
    const srv2 =
      '<?xml version="1.0"?><timedtext><window t="0"/><text t="80" d="2320">it’s rock &amp; roll</text><text t="2400" d="2600">in the harbour</text></timedtext>';
    expect(await read(srv2)).toEqual(right);
    const srv1 =
      '<?xml version="1.0"?><transcript><text start="0.08" dur="2.32">it&amp;#8217;s rock &amp;amp; roll</text><text start="2.4" dur="2.6">in the harbour</text></transcript>';
    expect(await read(srv1)).toEqual(right);
  });

  it('keep the words behind a line break that nobody closes, and those at the end of a file that breaks off', async () => {
    const ttml =
      '<tt><body><p begin="1s" end="2s">One<br>more.</p><p begin="3s" end="4s">Two <span>and</span> thr';
    expect(await read(ttml)).toEqual([
      [1, 2, 'One more.'],
      [3, 4, 'Two and thr'],
    ]);
    const srv3 =
      '<timedtext format="3"><body><p t="1000" d="900">One<br>more.</p><p t="2000" d="900">Two and thr';
    expect(await read(srv3)).toEqual([
      [1, 1.9, 'One more.'],
      [2, 2.9, 'Two and thr'],
    ]);
  });

  it.each([
    ['attributes without quotes', '<p t=1000 d=900>One.</p><p t=2000 d=900>Two.</p>'],
    ['a < in an attribute', '<p t="1000" d="900" title="a < b">One.</p><p t="2000" d="900">Two.</p>'],
    [
      'names outside ASCII',
      '<p t="1000" d="900" größe="1"><größe>One.</größe></p><p t="2000" d="900">Two.</p>',
    ],
    ['an open quotation mark', '<p d="900" t="1000>One.</p><p t="2000" d="900">Two.</p>'],
    ['cues that nobody closes', '<p t="1000" d="900">One.<p t="2000" d="900">Two.'],
    ['a tag that nobody closes', '<p t="1000" d="900">One.</p <p t="2000" d="900">Two.</p>'],
  ])('keep every word of XML that is not well-formed: %s', async (_, cues) => {
    expect(await read(`<timedtext format="3"><body>${cues}</body></timedtext>`)).toEqual([
      [1, 1.9, 'One.'],
      [2, 2.9, 'Two.'],
    ]);
  });

  it('keep what stands in elements of one name within each other', async () => {
    const moved =
      '<div begin="10s"><div begin="5s"><p begin="1s">A</p></div><p begin="20s" end="21s">B</p></div>';
    const pieces = '<p><span begin="40s" end="41s"><span>c</span> d</span></p>';
    expect(
      (await read(`<tt><body>${moved}${pieces}</body></tt>`)).map(([start, , text]) => [start, text]),
    ).toEqual([
      [16, 'A'],
      [30, 'B'],
      [40, 'c d'],
    ]);
  });

  it.each(['Q<A', 'x <€5 and > 3', 'what <? now', 'love <3 it </3', 'on <! and', 'B&notA', '<♪> la'])(
    'keep the words of %s',
    async (words) => {
      const body = `<text start="1" dur="1">${words}</text><text start="3" dur="1">End.</text>`;
      expect((await read(`<transcript>${body}</transcript>`)).map(([, , text]) => text)).toEqual([
        words,
        'End.',
      ]);
    },
  );

  it('keep a cue without a time, at that of the cue before, and text that only looks like a tag', async () => {
    const body = '<p t="1000" d="900">One.</p><p t="x" d="900">3 <b and 5 more.</p>';
    expect((await read(`<timedtext>${body}</timedtext>`)).map(([start, , text]) => [start, text])).toEqual([
      [1, 'One.'],
      [1, '3 <b and 5 more.'],
    ]);
    const many = Array.from({ length: 300 }, (_, i) => `<p t="${i * 1000}" d="900">No. ${i}`);
    expect(await read(`<timedtext>${many.join('')}`)).toHaveLength(300);
  });

  it('let other work run while they are long', async () => {
    const cues = '<p t="1000" d="900"><s>a</s><s t="9"> b</s></p>'.repeat(20_000);
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await readSubtitles(`<timedtext>${cues}</timedtext>`);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(1);
  });

  it.each([
    ['plain words', 'We meet at 10:00 --> in the harbour.\nBring 2 boats.'],
    ['words about WEBVTT', 'WEBVTTs are files.'],
    ['JSON', '{"events":[]}'],
    ['a feed', '<?xml version="1.0"?><rss version="2.0"><channel/></rss>'],
    ['a page', '<!DOCTYPE html><html><body><p>1</p></body></html>'],
    ['a number', '1\n2\n3'],
    ['nothing', ''],
  ])('are not seen in %s', async (_, text) => expect(await readSubtitles(text)).toBeUndefined());

  it('of any size and shape are read in linear time', async () => {
    const files = [
      `WEBVTT\n\n${'00:00.000 --> 00:01.000\n<'.repeat(50_000)}`,
      `1\n${'00:00:00,000 --> 00:00:01,000\n\n\n1\n'.repeat(50_000)}`,
      `<tt>${'<p begin="1s">'.repeat(50_000)}`,
      `<tt>${'<p>'.repeat(90)}${'</q>'.repeat(100_000)}`,
      `<timedtext>${'<p t="1">&amp;<s>'.repeat(50_000)}`,
      `<timedtext>${'<p t="1>'.repeat(50_000)}`,
      `<timedtext><p ${'t="<p " '.repeat(50_000)}<`,
    ];
    for (const file of files) {
      const since = process.cpuUsage();
      await readSubtitles(file);
      const { user } = process.cpuUsage(since);
      expect(user / 1e6).toBeLessThan(5);
    }
  });
});

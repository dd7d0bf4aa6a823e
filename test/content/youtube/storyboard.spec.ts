import fc from 'fast-check';
import { parseStoryboard } from '../../../lib/content/youtube/innertube/player-response.js';

const BASE = 'https://i.ytimg.com/sb/jNQXAC9IVRw/storyboard3_L$L/$N.jpg?sqp=-oay';

describe('parseStoryboard', () => {
  it('gives levels with the address of each sheet', () => {
    const spec = `${BASE}|48#27#100#10#10#0#default#rs$a|160#90#53#5#5#10000#M$M#rs$c|80#45#53#10#10#10000#M$M#rs$b`;
    const levels = parseStoryboard(spec, 525_000);
    expect(levels.map(({ width, intervalMs, count }) => [width, intervalMs, count])).toEqual([
      [48, 5250, 100],
      [160, 10_000, 53],
      [80, 10_000, 53],
    ]);
    expect(levels[0]?.sheetUrls).toEqual([
      'https://i.ytimg.com/sb/jNQXAC9IVRw/storyboard3_L0/default.jpg?sqp=-oay&sigh=rs$a',
    ]);
    expect(levels[1]?.sheetUrls).toEqual(
      [0, 1, 2].map((m) => `https://i.ytimg.com/sb/jNQXAC9IVRw/storyboard3_L1/M${m}.jpg?sqp=-oay&sigh=rs$c`),
    );
  });

  it.each([
    ['no specification', ''],
    ['another host', '|80#45#53#10#10#10000#M$M#rs'.replace('|', 'https://evil.example/$L|')],
    ['plain http', `${BASE.replace('https', 'http')}|80#45#53#10#10#10000#M$M#rs`],
    ['missing parts', `${BASE}|80#45#53`],
    ['no numbers', `${BASE}|a#b#c#d#e#f#g#h`],
    ['no frames', `${BASE}|80#45#0#10#10#1000#M$M#rs`],
    ['absurdly many frames', `${BASE}|80#45#999999999#1#1#1000#M$M#rs`],
    ['neither interval nor duration', `${BASE}|80#45#10#5#5#0#M$M#rs`],
  ])('gives none for %s', (_name, spec) => expect(parseStoryboard(spec)).toEqual([]));

  it('answers any text with levels that hold', () => {
    const number = fc.oneof(fc.integer().map(String), fc.string({ maxLength: 3 }));
    const level = fc.array(number, { maxLength: 9 }).map((parts) => parts.join('#'));
    fc.assert(
      fc.property(fc.array(level, { maxLength: 5 }), (levels) => {
        for (const { count, columns, rows, sheetUrls } of parseStoryboard(
          [BASE, ...levels].join('|'),
          1000,
        )) {
          expect(sheetUrls).toHaveLength(Math.ceil(count / (columns * rows)));
        }
      }),
    );
  });
});

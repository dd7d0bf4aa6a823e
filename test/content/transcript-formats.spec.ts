import fc from 'fast-check';
import { parseText } from 'media-captions';
import type { TranscriptSegment } from '../../lib/content/content-source.js';
import { clock, divide, textOf, toSrt, toVtt } from '../../lib/content/transcript-formats.js';

const SIZE = { least: 6, most: 12 };

/** Segments of two seconds, one after another; a number in place of a text is a silence, ms. */
function talk(...parts: (string | number)[]): TranscriptSegment[] {
  const segments: TranscriptSegment[] = [];
  let at = 0;
  for (const part of parts) {
    if (typeof part === 'number') at += part;
    else {
      segments.push({ startMs: at, endMs: at + 2000, text: part });
      at += 2000;
    }
  }
  return segments;
}

const texts = (
  segments: TranscriptSegment[],
  chapters: { title: string; startMs: number; endMs: number }[] = [],
) => divide(segments, chapters, SIZE).map((range) => textOf(segments, range));

describe('dividing a transcript', () => {
  it('ends a run at the end of a sentence', () => {
    expect(texts(talk('Corals are', 'small animals that live together.', 'They build', 'reefs.'))).toEqual([
      'Corals are small animals that live together.',
      'They build reefs.',
    ]);
  });

  it('ends a run at a pause where there is no punctuation', () => {
    const segments = talk(
      'corals are small',
      'animals that live',
      1500,
      'together they build',
      'large reefs',
    );
    expect(texts(segments)).toEqual([
      'corals are small animals that live',
      'together they build large reefs',
    ]);
  });

  it('ends a run at the longest silence where there is no other border', () => {
    const segments = talk(
      'one two three',
      'four five six',
      300,
      'seven eight nine',
      'ten eleven twelve',
      'thirteen',
    );
    expect(texts(segments)).toEqual([
      'one two three four five six',
      'seven eight nine ten eleven twelve thirteen',
    ]);
  });

  it('begins a run with each chapter', () => {
    const chapters = [
      { title: 'A', startMs: 0, endMs: 2000 },
      { title: 'B', startMs: 2000, endMs: 4000 },
    ];
    expect(texts(talk('one two', 'three four'), chapters)).toEqual(['one two', 'three four']);
  });

  it('covers every segment once, in order, for any transcript', () => {
    const segment = fc.record({
      startMs: fc.nat(5000),
      endMs: fc.nat(5000),
      text: fc.oneof(fc.lorem({ maxCount: 15 }), fc.constant(''), fc.constant('word.')),
      startsLine: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(segment, { maxLength: 40 }),
        fc.array(fc.nat(100_000), { maxLength: 5 }),
        (given, starts) => {
          let at = 0;
          const segments = given.map((one) => {
            const startMs = at + one.startMs;
            at = startMs + one.endMs;
            return { ...one, startMs, endMs: at };
          });
          const chapters = starts
            .sort((a, b) => a - b)
            .map((startMs) => ({ title: 'x', startMs, endMs: startMs + 1 }));
          const ranges = divide(segments, chapters, SIZE);
          expect(ranges.flatMap(({ from, to }) => segments.slice(from, to))).toEqual(segments);
          expect(ranges.every(({ from, to }) => to > from)).toBe(true);
        },
      ),
    );
  });
});

describe('subtitle files', () => {
  const HOSTILE = 'a --> b <i>&amp;</i>\n\nline';

  it.each([
    ['srt', toSrt],
    ['vtt', toVtt],
  ] as const)('are valid %s, whatever is said', async (type, write) => {
    const segment = fc.record({
      startMs: fc.nat(40_000_000),
      length: fc.nat(10_000),
      text: fc.oneof(fc.string(), fc.constant(''), fc.constant(HOSTILE)),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(segment, { minLength: 1, maxLength: 8 }), async (given) => {
        const segments = given
          .sort((a, b) => a.startMs - b.startMs)
          .map(({ startMs, length, text }) => ({ startMs, endMs: startMs + length, text }));
        const { cues, errors } = await parseText(write(segments), { type, strict: false, errors: true });
        expect(errors).toEqual([]);
        expect(cues.map(({ startTime }) => Math.round(startTime * 1000))).toEqual(
          segments.map(({ startMs }) => startMs),
        );
      }),
    );
  });

  it('have numbers that go on, and times with hours', () => {
    expect(toSrt(talk('Hello.'), 8)).toBe('8\n00:00:00,000 --> 00:00:02,000\nHello.\n');
    expect(toVtt([{ startMs: 3_661_001, endMs: 3_662_000, text: 'a < b & c' }])).toBe(
      'WEBVTT\n\n01:01:01.001 --> 01:01:02.000\na &lt; b &amp; c\n',
    );
    expect([clock(0), clock(65_000), clock(3_661_000)]).toEqual(['0:00', '1:05', '1:01:01']);
  });
});

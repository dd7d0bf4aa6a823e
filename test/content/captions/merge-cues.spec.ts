import fc from 'fast-check';
import { cuesToSegments, mergeCues, type Cue } from '../../../lib/content/captions/merge-cues.js';
import { readCaptions } from '../../../lib/content/captions/read-captions.js';

type Line = [startMs: number, endMs: number, text: string];

const texts = async (...lines: Line[]): Promise<string[]> =>
  (await cuesToSegments(lines.map(([startMs, endMs, text]) => ({ startMs, endMs, text })))).map(
    ({ text }) => text,
  );

/** Captions as json3, each a start, a length and texts with their pens. */
const drawn = async (
  ...events: [startMs: number, lengthMs: number, ...segs: [text: string, pen?: number][]][]
): Promise<Line[]> => {
  const body = events.map(([tStartMs, dDurationMs, ...segs]) => ({
    tStartMs,
    dDurationMs,
    segs: segs.map(([utf8, pPenId]) => ({ utf8, pPenId })),
  }));
  return (await readCaptions(JSON.stringify({ events: body }))).map(({ startMs, endMs, text }) => [
    startMs,
    endMs,
    text,
  ]);
};

describe('captions that show their words several times', () => {
  it('give a line once that is drawn in several layers', async () => {
    const layer = (pen: number): [string, number?][] => [
      ['\u200b', 1],
      [' The oven is hot. ', pen],
      ['\u200b'],
    ];
    expect(
      await drawn(
        [1000, 3000, ...layer(2)],
        [1000, 3000, ...layer(3)],
        [1000, 3000, ['\u200b'], [' The oven is hot. ', 4]],
        [4000, 3000, ['Now put in the loaf.', 2]],
        [4000, 3000, ['Now put in the loaf.', 3]],
        [7500, 2000, ['Wait for an hour.']],
      ),
    ).toEqual([
      [1000, 4000, 'The oven is hot.'],
      [4000, 7000, 'Now put in the loaf.'],
      [7500, 9500, 'Wait for an hour.'],
    ]);
  });

  it('give two lines once that are drawn layer by layer', async () => {
    const lines = ['The oven is hot.', 'The loaf is ready.'];
    const layers = [...lines, ...lines, ...lines].map((text): Line => [1000, 4000, text]);
    expect(await texts(...layers)).toEqual(lines);
  });

  it('give karaoke once, from the first start to the last end', async () => {
    expect(
      await drawn(
        [1000, 300, ['Bread', 2], [' is rising slowly', 1]],
        [1300, 300, ['Bread is', 2], [' rising slowly', 1]],
        [1600, 400, ['Bread is rising', 2], [' slowly', 1]],
        [2000, 2600, ['Bread is rising slowly', 2]],
        [5000, 2000, ['in the', 2], [' night', 1]],
        [7000, 2000, ['in the night', 2]],
      ),
    ).toEqual([
      [1000, 4600, 'Bread is rising slowly'],
      [5000, 9000, 'in the night'],
    ]);
  });

  it('give a line once whose words are marked one by one', async () => {
    const file = [
      '1\n00:00:01,000 --> 00:00:01,900\n<u>Bread</u> is rising',
      '2\n00:00:01,900 --> 00:00:02,700\nBread <u>is</u> rising',
      '3\n00:00:02,700 --> 00:00:03,900\nBread is <u>rising</u>',
    ];
    expect(await readCaptions(file.join('\n\n'))).toEqual([
      { startMs: 1000, endMs: 3900, text: 'Bread is rising' },
    ]);
  });

  it('give a line once that is shown too often for the time', async () => {
    const frames = Array.from({ length: 6 }, (_, i): Line => [
      i * 300,
      i * 300 + 300,
      'Bread is rising slowly',
    ]);
    expect(await texts(...frames, [1800, 5000, 'Bread is rising slowly'])).toEqual([
      'Bread is rising slowly',
    ]);
  });

  it('give text once that is painted word by word', async () => {
    expect(
      await texts(
        [0, 700, 'Bread'],
        [700, 1400, 'Bread is'],
        [1400, 2100, 'Bread is rising'],
        [2100, 2800, 'Bread is rising\nin the'],
        [2800, 3500, 'Bread is rising\nin the night'],
        [3500, 4200, 'in the night\nand'],
        [4200, 4900, 'in the night\nand the'],
        [4900, 5600, 'in the night\nand the day'],
      ),
    ).toEqual(['Bread is rising', 'in the night', 'and the day']);
  });

  it.each<[string, Line[]]>([
    [
      'one after another',
      [
        [0, 1000, 'Yes.'],
        [1000, 2000, 'Yes.'],
      ],
    ],
    [
      'after a pause',
      [
        [0, 1000, 'Bread is rising slowly.'],
        [1500, 1800, 'Bread is rising slowly.'],
      ],
    ],
    [
      'while the first stands',
      [
        [0, 3000, 'yeah'],
        [1000, 4000, 'yeah'],
      ],
    ],
    [
      'three times',
      [
        [0, 800, 'Go!'],
        [800, 1600, 'Go!'],
        [1600, 2400, 'Go!'],
      ],
    ],
    [
      'and then more',
      [
        [0, 1000, 'No.'],
        [1000, 2500, 'No. I will not.'],
      ],
    ],
  ])('keep what is really said twice: %s', async (_, lines) => {
    expect(await texts(...lines)).toEqual(lines.map(([, , text]) => text));
  });

  it('keep an answer in the words of the question that another colour tells apart', async () => {
    const file = [
      'WEBVTT',
      '00:01.000 --> 00:02.000\n<c.yellow>Ready?</c>',
      '00:02.000 --> 00:03.000\n<c.white>Ready?</c>',
    ];
    expect((await readCaptions(file.join('\n\n'))).map(({ text }) => text)).toEqual(['Ready?', 'Ready?']);
  });

  it('give nothing that no cue shows, in order of time', async () => {
    const cue: fc.Arbitrary<Cue> = fc.record({
      startMs: fc.integer({ min: 0, max: 3000 }),
      endMs: fc.integer({ min: 0, max: 4000 }),
      text: fc
        .array(fc.constantFrom('yes', 'yes we can', 'yes we', 'go', 'a b'), { minLength: 1, maxLength: 3 })
        .map((lines) => lines.join('\n')),
    });
    const same = (line: string): string => line;
    await fc.assert(
      fc.asyncProperty(fc.array(cue, { maxLength: 8 }), async (cues) => {
        const once = await mergeCues(cues, same);
        for (const [i, { startMs }] of once.entries())
          expect(startMs).toBeGreaterThanOrEqual(once[i - 1]?.startMs ?? 0);
        for (const { endMs } of once) expect(endMs).toBeLessThanOrEqual(4000);
        for (const { text } of once)
          expect(cues.some((one) => one.text.replace(/\n/g, ' ').includes(text))).toBe(true);
      }),
    );
  });
});

import fc from 'fast-check';
import type { TranscriptSegment } from '../../../lib/content/content-source.js';
import type { Heard } from '../../../lib/content/speech/recognizer.js';
import { OVERLAP_MS, planPieces } from '../../../lib/content/speech/cut-audio.js';
import { timedSegments, withoutInventions } from '../../../lib/content/speech/heard-segments.js';

const segment = (startMs: number, endMs: number, text: string): TranscriptSegment => ({
  startMs,
  endMs,
  text,
});
const textOf = (segments: readonly TranscriptSegment[]): string => segments.map(({ text }) => text).join(' ');

describe('planning pieces', () => {
  it('cuts in the middle of the longest pause', () => {
    const silences = [
      { startMs: 30_000, endMs: 30_500 },
      { startMs: 45_000, endMs: 46_000 },
      { startMs: 55_000, endMs: 55_500 },
    ];
    expect(planPieces({ durationMs: 90_000, silences }, 60_000)).toEqual([
      { index: 0, startMs: 0, endMs: 45_500 },
      { index: 1, startMs: 45_500, endMs: 90_000 },
    ]);
  });

  it('loses no word where there is no pause: both pieces hear it', () => {
    expect(planPieces({ durationMs: 90_000, silences: [] }, 60_000)).toEqual([
      { index: 0, startMs: 0, endMs: 45_000 + OVERLAP_MS / 2 },
      { index: 1, startMs: 45_000 - OVERLAP_MS / 2, endMs: 90_000 },
    ]);
  });

  it('covers everything with pieces that are short enough', () => {
    const silence = fc.tuple(fc.integer({ min: 0, max: 600_000 }), fc.integer({ min: 400, max: 30_000 }));
    const plan = fc.tuple(
      fc.integer({ min: 1, max: 3_600_000 }),
      fc.integer({ min: 60_000, max: 1_200_000 }),
      fc.array(silence),
    );
    fc.assert(
      fc.property(plan, ([durationMs, most, pauses]) => {
        const silences = pauses.map(([startMs, length]) => ({ startMs, endMs: startMs + length }));
        const pieces = planPieces({ durationMs, silences }, most);
        expect([pieces[0]!.startMs, pieces.at(-1)!.endMs]).toEqual([0, durationMs]);
        for (const [i, { startMs, endMs }] of pieces.entries()) {
          expect(endMs - startMs).toBeLessThanOrEqual(most);
          if (i > 0) expect([0, OVERLAP_MS]).toContain(pieces[i - 1]!.endMs - startMs);
        }
      }),
    );
  });
});

describe('times of a piece', () => {
  const piece = { startMs: 60_000, endMs: 80_000 };

  it('are shifted by the start of the piece', () => {
    const heard = { text: '', segments: [{ text: ' Corals are animals. ', start: 1, end: 3, speaker: 'A' }] };
    expect(timedSegments(heard, piece)).toEqual({
      segments: [{ startMs: 61_000, endMs: 63_000, text: 'Corals are animals.', speaker: 'A' }],
      isEstimated: false,
    });
  });

  it('are spread over the piece where the model gives none', () => {
    const heard = { text: 'Corals are animals. They build a reef.', segments: [] };
    const { segments, isEstimated } = timedSegments(heard, piece);
    expect(isEstimated).toBe(true);
    expect(segments).toEqual([
      { startMs: 60_000, endMs: 70_000, text: 'Corals are animals.' },
      { startMs: 70_526, endMs: 80_000, text: 'They build a reef.' },
    ]);
  });

  it.each([1000, 1_000_000_000])('are estimated where the model gives 1/%d of a second', (unit) => {
    const sentences = ['Corals are animals.', 'They build a reef.'];
    const segments = sentences.map((text, i) => ({ text, start: i * 3 * unit, end: (i * 3 + 2) * unit }));
    const timed = timedSegments({ text: sentences.join(' '), segments }, piece);
    expect(timed.isEstimated).toBe(true);
    expect(timed.segments.map(({ startMs }) => startMs)).toEqual([60_000, expect.closeTo(70_500, -3)]);
  });

  const [FLOUR, WATER, SALT] = [
    'The flour comes first, and it is weighed.',
    'Then the water, which is warm.',
    'At the end a little salt.',
  ];
  const timesOf = (...segments: Heard['segments']) =>
    timedSegments({ text: '', segments }, { startMs: 0, endMs: 12_000 }).segments.map(
      ({ startMs, endMs, text }) => [startMs / 1000, endMs / 1000, text],
    );

  it.each<[string, Heard['segments'], [number, number, string?][]]>([
    [
      'the last end',
      [
        { start: 0, end: 3, text: FLOUR },
        { start: 3, text: WATER },
      ],
      [
        [0, 3],
        [3, 12],
      ],
    ],
    [
      'an end',
      [
        { start: 0, text: FLOUR },
        { start: 3, end: 6, text: WATER },
      ],
      [
        [0, 3],
        [3, 6],
      ],
    ],
    [
      'a start',
      [
        { start: 0, end: 3, text: FLOUR },
        { end: 6, text: WATER },
        { start: 7, end: 9, text: SALT },
      ],
      [
        [0, 3],
        [3, 7],
        [7, 9],
      ],
    ],
    [
      'the first start',
      [
        { end: 3, text: FLOUR },
        { start: 4, end: 6, text: WATER },
      ],
      [
        [0, 4],
        [4, 6],
      ],
    ],
    [
      'two starts and the end before them',
      [
        { start: 1, text: 'Flour.' },
        { text: 'Water.' },
        { text: 'Yeast.' },
        { start: 10, end: 12, text: SALT },
      ],
      [
        [1, 4],
        [4, 7],
        [7, 10],
        [10, 12],
      ],
    ],
    [
      'the time before the beginning',
      [
        { start: -0.02, end: 3, text: FLOUR },
        { start: 3, end: 6, text: WATER },
      ],
      [
        [0, 3],
        [3, 6],
      ],
    ],
    [
      'one time behind the end',
      [
        { start: 0, end: 3, text: FLOUR },
        { start: 3_000, end: 6_000, text: WATER },
        { start: 6, end: 9, text: SALT },
      ],
      [
        [0, 3],
        [3, 6],
        [6, 9],
      ],
    ],
    [
      'one start that is seconds late',
      [
        { start: 0, end: 2, text: FLOUR },
        { start: 11, end: 12, text: WATER },
        { start: 4, end: 6, text: SALT },
        { start: 6, end: 8, text: 'Now wait.' },
      ],
      [
        [0, 2],
        [2, 4],
        [4, 6],
        [6, 8],
      ],
    ],
  ])('keep what is right, and their order, without %s', (_, segments, right) => {
    expect(timesOf(...segments)).toEqual(right.map((times, i) => [...times, segments[i]!.text]));
  });

  it.each([
    '<|0.00|> Bread is rising.<|3.00|>',
    '<|startoftranscript|><|en|><|transcribe|><|0.00|>Bread<|0.50|> is rising.<|endoftext|>',
    '[_BEG_] Bread is rising.[_TT_150]',
    '<s> Bread <sil> is rising. <unk> </s>',
  ])('come without the tokens of %j', (text) => {
    expect(timesOf({ start: 0, end: 3, text })).toEqual([[0, 3, 'Bread is rising.']]);
    const { segments } = timedSegments({ text, segments: [] }, { startMs: 0, endMs: 3000 });
    expect(segments.map((segment) => segment.text)).toEqual(['Bread is rising.']);
  });

  it('keep segments of a script without blanks, and put none between its words', () => {
    const sentences = ['珊瑚是一种很小的动物', '它们在温暖的海水里建造礁石', '礁石是许多鱼的家园'];
    const given = sentences.map((text, i) => ({ text, start: i * 3, end: i * 3 + 3 }));
    expect(timesOf(...given).map(([, , text]) => text)).toEqual(sentences);
    const words = ['珊瑚', '是', '一种', '很小', '的', '动物', '。'];
    const one = words.map((text, i) => ({ text, start: i, end: i + 1 }));
    expect(timesOf(...one)).toEqual([[0, 7, '珊瑚是一种很小的动物。']]);
  });

  it('make lines of words that come one by one', () => {
    const words = 'Corals are animals. They build'.split(' ');
    const heard = { text: '', segments: words.map((text, i) => ({ text, start: i, end: i + 1 })) };
    expect(timedSegments(heard, piece).segments).toEqual([
      segment(60_000, 63_000, 'Corals are animals.'),
      segment(63_000, 65_000, 'They build'),
    ]);
  });
});

describe('what nobody has said', () => {
  const remove = (segments: TranscriptSegment[], silences: { startMs: number; endMs: number }[] = []) => {
    const { segments: kept, removedWords } = withoutInventions(segments, silences);
    return { text: textOf(kept), removedWords };
  };

  it('is a sentence that is looped, in one segment or over many', () => {
    const loop = Array.from({ length: 9 }, (_, i) =>
      segment(i * 1000 + 2000, i * 1000 + 3000, 'Thank you all very much.'),
    );
    expect(
      remove([segment(0, 2000, 'This is true.'), ...loop, segment(12_000, 13_000, 'So is this.')]),
    ).toEqual({
      text: 'This is true. Thank you all very much. So is this.',
      removedWords: 40,
    });
    expect(remove([segment(0, 9000, `Yes. ${'we are in the sea, '.repeat(8)}and go.`)]).text).toBe(
      'Yes. we are in the sea, and go.',
    );
  });

  it('is not what speakers repeat', () => {
    const said = 'No, no, no, no, no. Row, row, row your boat. One more time, one more time, one more time.';
    expect(remove([segment(0, 9000, said)])).toEqual({ text: said, removedWords: 0 });
  });

  it('is text in silence, unless it begins with the sound', () => {
    const silences = [{ startMs: 10_000, endMs: 40_000 }];
    const segments = [
      segment(8_000, 20_000, 'He says this slowly.'),
      segment(25_000, 30_000, 'Thank you.'),
      segment(39_000, 45_000, 'Here it goes on.'),
    ];
    expect(remove(segments, silences)).toEqual({
      text: 'He says this slowly. Here it goes on.',
      removedWords: 2,
    });
    expect(withoutInventions(segments, undefined).removedWords).toBe(0);
  });
});

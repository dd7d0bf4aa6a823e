import fc from 'fast-check';
import type { TranscriptSegment } from '../../../lib/content/content-source.js';
import { OVERLAP_MS, planPieces, type Piece } from '../../../lib/content/speech/cut-audio.js';
import {
  joinPieces,
  timedSegments,
  withoutInventions,
  type HeardPiece,
} from '../../../lib/content/speech/join-pieces.js';
import { spoken, type FakeRecording } from '../../support/fake-speech/recordings.js';

const segment = (startMs: number, endMs: number, text: string): TranscriptSegment => ({
  startMs,
  endMs,
  text,
});
const textOf = (segments: readonly TranscriptSegment[]): string => segments.map(({ text }) => text).join(' ');

/** What a good recogniser hears of a piece: sentences, and of a word that is cut in two only half the letters. */
function hear({ words }: FakeRecording, piece: Piece): HeardPiece {
  const segments: TranscriptSegment[] = [];
  let isNew = true;
  for (const { text, startMs, endMs } of words) {
    if (endMs <= piece.startMs || startMs >= piece.endMs) continue;
    const half = Math.ceil(text.length / 2);
    const heard =
      startMs < piece.startMs ? text.slice(half) : endMs > piece.endMs ? text.slice(0, half) : text;
    const [from, to] = [Math.max(startMs, piece.startMs), Math.min(endMs, piece.endMs)];
    if (isNew) segments.push(segment(from, to, heard));
    else Object.assign(segments.at(-1)!, { text: `${segments.at(-1)!.text} ${heard}`, endMs: to });
    isNew = /[.!?]$/.test(text);
  }
  return { ...piece, segments: segments.filter(({ text }) => text !== '') };
}

/** All pieces of a recording, as they are heard. */
function heardPieces(recording: FakeRecording, mostMs: number): HeardPiece[] {
  const silences = recording.silences.map(([startMs, endMs]) => ({ startMs, endMs }));
  return planPieces({ ...recording, silences }, mostMs).map((piece) => hear(recording, piece));
}

describe('joining pieces', () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{2,9}[.]?$/), { minLength: 1, maxLength: 400 });

  it('has every word once and in order, wherever a recording is cut', () => {
    fc.assert(
      fc.property(
        words,
        fc.integer({ min: 8_000, max: 40_000 }),
        fc.constantFrom(0, 500),
        (all, most, pauseMs) => {
          const recording = spoken(all.join(' '), { pauseMs });
          const pieces = heardPieces(recording, most);
          // Of equal words next to each other, any may be the one at the border.
          const unmarked = (text: string): string => text.replaceAll('.', '');
          expect(unmarked(textOf(joinPieces(pieces)))).toBe(unmarked(all.join(' ')));
        },
      ),
    );
  });

  it('moves no time by more than a word', () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 8_000, max: 40_000 }), (all, most) => {
        const recording = spoken(all.join(' '));
        const pieces = heardPieces(recording, most);
        let at = 0;
        for (const { startMs, text } of joinPieces(pieces)) {
          expect(Math.abs(startMs - recording.words[at]!.startMs)).toBeLessThan(1500);
          at += text.split(' ').length;
        }
      }),
    );
  });

  it('makes one segment of a sentence that is cut in two', () => {
    const before = {
      startMs: 0,
      endMs: 10_000,
      segments: [segment(6_000, 10_000, 'The polyp builds a reef out')],
    };
    const after = { startMs: 8_000, endMs: 20_000, segments: [segment(8_000, 12_000, 'reef out of lime.')] };
    expect(joinPieces([before, after])).toEqual([
      segment(6_000, 12_000, 'The polyp builds a reef out of lime.'),
    ]);
  });

  it('loses no slow words between two equal ones, of which each piece has heard one', () => {
    const before = {
      startMs: 0,
      endMs: 10_000,
      segments: [segment(6_000, 9_900, 'in 1974 and 1975 exactly,')],
    };
    const after = {
      startMs: 8_000,
      endMs: 20_000,
      segments: [segment(8_300, 12_000, 'and Messenger came.')],
    };
    expect(textOf(joinPieces([before, after]))).toBe('in 1974 and 1975 exactly, and Messenger came.');
  });

  it('joins over words that one has misheard', () => {
    const before = {
      startMs: 0,
      endMs: 10_000,
      segments: [segment(6_000, 10_000, 'of lime and it gross for sent')],
    };
    const after = {
      startMs: 8_000,
      endMs: 20_000,
      segments: [segment(8_000, 12_000, 'an it grows for centuries.')],
    };
    expect(textOf(joinPieces([before, after]))).toBe('of lime and it gross for centuries.');
  });

  it('keeps all words where both have heard nothing in common', () => {
    const before = { startMs: 0, endMs: 10_000, segments: [segment(6_000, 9_900, 'was banned in')] };
    const after = {
      startMs: 8_000,
      endMs: 20_000,
      segments: [segment(8_200, 12_000, '1966; some are left.')],
    };
    expect(textOf(joinPieces([before, after]))).toBe('was banned in 1966; some are left.');
  });

  it('joins scripts without blanks', () => {
    const before = { startMs: 0, endMs: 10_000, segments: [segment(4_000, 10_000, '珊瑚礁是由微小的')] };
    const after = { startMs: 8_000, endMs: 20_000, segments: [segment(8_000, 14_000, '微小的动物建造')] };
    expect(textOf(joinPieces([before, after]))).toBe('珊瑚礁是由微小的动物建造');
  });

  it('keeps what both sides of a gap have heard', () => {
    const pieces = [
      { startMs: 0, endMs: 10_000, segments: [segment(0, 9_000, 'Before it.')] },
      { startMs: 20_000, endMs: 30_000, segments: [segment(21_000, 29_000, 'After it.')] },
    ];
    expect(textOf(joinPieces(pieces))).toBe('Before it. After it.');
  });
});

describe('planning pieces', () => {
  it('cuts in the middle of the longest pause, with two seconds in common', () => {
    const silences = [
      { startMs: 30_000, endMs: 30_500 },
      { startMs: 45_000, endMs: 46_000 },
      { startMs: 55_000, endMs: 55_500 },
    ];
    expect(planPieces({ durationMs: 90_000, silences }, 60_000)).toEqual([
      { index: 0, startMs: 0, endMs: 45_500 + OVERLAP_MS / 2 },
      { index: 1, startMs: 45_500 - OVERLAP_MS / 2, endMs: 90_000 },
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
          if (i > 0) expect(pieces[i - 1]!.endMs - startMs).toBe(OVERLAP_MS);
        }
      }),
    );
  });
});

describe('times of a piece', () => {
  const piece = { startMs: 60_000, endMs: 80_000 };
  const silences = [{ startMs: 65_000, endMs: 75_000 }];

  it('are shifted by the start of the piece', () => {
    const heard = { text: '', segments: [{ text: ' Corals are animals. ', start: 1, end: 3, speaker: 'A' }] };
    expect(timedSegments(heard, piece, silences)).toEqual({
      segments: [{ startMs: 61_000, endMs: 63_000, text: 'Corals are animals.', speaker: 'A' }],
      isEstimated: false,
    });
  });

  it('are estimated outside of silence where the model gives none', () => {
    const heard = { text: 'Corals are animals. They build a reef.', segments: [] };
    const { segments, isEstimated } = timedSegments(heard, piece, silences);
    expect(isEstimated).toBe(true);
    expect(segments).toEqual([
      { startMs: 60_000, endMs: 65_000, text: 'Corals are animals.' },
      { startMs: expect.closeTo(75_263, -1), endMs: 80_000, text: 'They build a reef.' },
    ]);
  });

  it.each([1000, 1_000_000_000])('are estimated where the model gives 1/%d of a second', (unit) => {
    const sentences = ['Corals are animals.', 'They build a reef.'];
    const segments = sentences.map((text, i) => ({ text, start: i * 3 * unit, end: (i * 3 + 2) * unit }));
    const timed = timedSegments({ text: sentences.join(' '), segments }, piece, []);
    expect(timed.isEstimated).toBe(true);
    expect(timed.segments.map(({ startMs }) => startMs)).toEqual([60_000, expect.closeTo(70_500, -3)]);
  });

  it('make lines of words that come one by one', () => {
    const words = 'Corals are animals. They build'.split(' ');
    const heard = { text: '', segments: words.map((text, i) => ({ text, start: i, end: i + 1 })) };
    expect(timedSegments(heard, piece, []).segments).toEqual([
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

  it.each([
    'Subtitles by the Amara.org community',
    'Untertitel der Amara.org-Community',
    'Untertitelung im Auftrag des ZDF, 2021',
    "Sous-titres réalisés par la communauté d'Amara.org",
    'Subtítulos realizados por la comunidad de Amara.org',
    'Legendas pela comunidade Amara.org',
    'Sottotitoli creati dalla comunità Amara.org',
    'Transcribed by https://otter.ai',
  ])('is the credit at the end: %s', (credit) => {
    const talk = segment(0, 5000, 'The subtitles by our team were late.');
    expect(remove([talk, segment(5000, 8000, credit)]).text).toBe(talk.text);
    expect(remove([segment(0, 3000, credit), talk]).removedWords).toBe(0);
  });
});

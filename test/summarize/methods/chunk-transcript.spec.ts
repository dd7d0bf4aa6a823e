import fc from 'fast-check';
import { chunkCount, chunkTranscript } from '../../../lib/summarize/methods/steps/map-chunks.js';
import { piecesOf } from '../../../lib/summarize/methods/prompt-transcript.js';

const pieces = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ startMs: i * 1000, endMs: i * 1000 + 900, text: `piece ${i}` }));

describe('chunkCount', () => {
  it.each([
    ['an hour and a half in two calls', 13_500, 120_000, 8, 2],
    ['five hours in one round of eight', 69_000, 120_000, 8, 8],
    ['sixteen hours in three full rounds', 207_000, 120_000, 8, 24],
    ['more where the window is small', 13_500, 5300, 8, 4],
    ['one for what is short', 3000, 120_000, 8, 1],
  ])('makes %s', (_what, tokens, room, parallel, count) => {
    expect(chunkCount(tokens, room, parallel)).toBe(count);
  });

  it('never makes chunks that cannot fit', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2e6 }),
        fc.integer({ min: 300, max: 2e5 }),
        fc.integer({ min: 1, max: 64 }),
        (tokens, room, parallel) => {
          const size = tokens / chunkCount(tokens, room, parallel);
          expect(size * 1.24).toBeLessThanOrEqual(room + 1);
        },
      ),
    );
  });
});

describe('chunkTranscript', () => {
  it('puts every piece into exactly one chunk, in order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 80 }), { minLength: 1, maxLength: 300 }),
        fc.integer({ min: 1, max: 40 }),
        (tokens, count) => {
          const chunks = chunkTranscript(pieces(tokens.length), tokens, [], count);
          expect(chunks[0]!.from).toBe(0);
          expect(chunks.at(-1)!.to).toBe(tokens.length);
          chunks.forEach((chunk, i) => {
            expect(chunk.to).toBeGreaterThan(chunk.from);
            if (i > 0) expect(chunk.from).toBe(chunks[i - 1]!.to);
          });
          expect(chunks.reduce((sum, chunk) => sum + chunk.tokens, 0)).toBe(
            tokens.reduce((a, b) => a + b, 0),
          );
        },
      ),
    );
  });

  it('cuts where a chapter begins, if one is near', () => {
    const tokens = new Array<number>(100).fill(10);
    const chapters = [
      { title: 'One', startMs: 0, endMs: 46_000 },
      { title: 'Two', startMs: 46_000, endMs: 100_000 },
    ];
    expect(chunkTranscript(pieces(100), tokens, chapters, 2)[1]!.startMs).toBe(46_000);
  });

  it('cuts at a long pause otherwise', () => {
    const own = pieces(100).map((piece, i) =>
      i < 53 ? piece : { ...piece, startMs: piece.startMs + 5000, endMs: piece.endMs + 5000 },
    );
    expect(chunkTranscript(own, new Array<number>(100).fill(10), [], 2)[1]!.from).toBe(53);
  });
});

describe('piecesOf', () => {
  it('leaves out sounds and cuts long segments, with interpolated times', () => {
    const long = Array.from({ length: 150 }, (_, i) => `word${i}`).join(' ');
    const own = piecesOf([
      { startMs: 0, endMs: 1000, text: '[Music]', nonSpeech: true },
      { startMs: 1000, endMs: 151_000, text: long },
      { startMs: 151_000, endMs: 151_000, text: '   ' },
    ]);
    expect(own.map(({ startMs }) => startMs)).toEqual([1000, 61_000, 121_000]);
    expect(own.map(({ text }) => text).join(' ')).toBe(long);
    expect(own.at(-1)!.endMs).toBe(151_000);
  });
});

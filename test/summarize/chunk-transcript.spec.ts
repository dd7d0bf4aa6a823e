import fc from 'fast-check';
import { chunkTranscript } from '../../lib/summarize/chunks.js';
import { promptLines } from '../../lib/summarize/prompt-transcript.js';

const pieces = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ startMs: i * 1000, endMs: i * 1000 + 900, text: `piece ${i}` }));

describe('chunkTranscript', () => {
  it('puts every piece into exactly one chunk, in order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 80 }), { minLength: 1, maxLength: 300 }),
        fc.integer({ min: 1, max: 40 }),
        (tokens, count) => {
          const chunks = chunkTranscript(pieces(tokens.length), tokens, count);
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
});

describe('piecesOf', () => {
  it('leaves out sounds and cuts long segments, with interpolated times', () => {
    const long = Array.from({ length: 150 }, (_, i) => `word${i}`).join(' ');
    const own = promptLines([
      { startMs: 0, endMs: 1000, text: '[Music]', nonSpeech: true },
      { startMs: 1000, endMs: 151_000, text: long },
      { startMs: 151_000, endMs: 151_000, text: '   ' },
    ]);
    expect(own.map(({ startMs }) => startMs)).toEqual([1000, 61_000, 121_000]);
    expect(own.map(({ text }) => text).join(' ')).toBe(long);
    expect(own.at(-1)!.endMs).toBe(151_000);
  });
});

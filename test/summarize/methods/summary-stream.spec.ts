import { SummaryStream } from '../../../lib/summarize/methods/parse/summary-stream.js';

describe('SummaryStream', () => {
  it('passes on a line of half a million characters, word by word, in time that grows with its length', () => {
    let passed = 0;
    const stream = new SummaryStream(
      (text) => (passed += text.length),
      () => false,
    );
    const since = performance.now();
    for (let i = 0; i < 100_000; i++) stream.push('word ');
    stream.end();
    expect(passed).toBeGreaterThan(400_000);
    // Looking through the whole line with each word took half a minute.
    expect(performance.now() - since).toBeLessThan(3000);
  });

  it('holds a heading back in whatever pieces it comes, and passes on what follows the end of it', () => {
    const pieces: string[] = [];
    const stream = new SummaryStream(
      (text) => pieces.push(text),
      () => false,
    );
    for (const piece of 'Coral is alive.\n\nKEY POINTS\n- one') stream.push(piece);
    stream.end();
    expect(pieces.join('')).toBe('Coral is alive.');
  });
});

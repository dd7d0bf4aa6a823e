import { beforeLoop } from '../../../lib/summarize/methods/clean-output.js';
import { expectLinear } from '../../support/cpu-time.js';

describe('beforeLoop', () => {
  it.each([
    [
      'It was a court court court court court court court court court court court court court.',
      'It was a court',
    ],
    ['It rains. And so on and so on and so on and so on and so on and so on', 'It rains. And so on'],
    ['It was very, very, very, very good.', 'It was very, very, very, very good.'],
    ['No no no no, said the child. Then it slept.', 'No no no no, said the child. Then it slept.'],
  ])('ends “%s” where it begins to repeat itself', (text, kept) => {
    expect(beforeLoop(text)).toBe(kept);
  });

  it('takes time in proportion to the length', async () => {
    await expectLinear(4000, (times) => beforeLoop('a b c d e f g h i j k l m '.repeat(times)));
    await expectLinear(40_000, (length) =>
      beforeLoop(Array.from({ length }, (_, i) => `w${i % 13}x${i}`).join(' ')),
    );
  });
});
